//! Characters that a person does not see and a model does: tag characters, zero-width characters,
//! direction controls, stray variation selectors.

use std::borrow::Cow;

/// Tells whether `c` shows nothing wherever it stands. Joiners and variation selectors are among
/// them: [`visible`] keeps those that a script or an emoji needs.
pub fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{2800}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Gives `text` without what nobody sees. Zero-width joiners stay between letters of the scripts
/// that need them and inside emoji; a variation selector stays behind the emoji that it styles.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_invisible) {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    let mut last = None;
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if is_invisible(c) && !is_needed(last, c, rest.peek().copied()) {
            continue;
        }
        kept.push(c);
        last = Some(c);
    }
    Cow::Owned(kept)
}

/// Tells whether an invisible character changes how its neighbours are written.
fn is_needed(before: Option<char>, c: char, after: Option<char>) -> bool {
    let Some(before) = before else { return false };
    match c {
        '\u{200c}' => joins(before) && after.is_some_and(joins),
        '\u{200d}' => {
            (joins(before) && after.is_some_and(joins))
                || ((is_pictograph(before) || before == '\u{fe0f}') && after.is_some_and(is_pictograph))
        }
        // Text style and emoji style; also of the keycaps 0-9, # and *.
        '\u{fe0e}' | '\u{fe0f}' => {
            is_pictograph(before) || (matches!(before, '0'..='9' | '#' | '*') && after == Some('\u{20e3}'))
        }
        _ => false,
    }
}

/// Scripts in which a joiner or non-joiner changes the letters: Arabic, Syriac, N'Ko, the Indic
/// scripts, Mongolian.
fn joins(c: char) -> bool {
    matches!(c, '\u{600}'..='\u{8ff}' | '\u{900}'..='\u{dff}' | '\u{1000}'..='\u{109f}'
        | '\u{1780}'..='\u{17ff}' | '\u{1820}'..='\u{18aa}' | '\u{fb50}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
}

/// The blocks that hold emoji.
fn is_pictograph(c: char) -> bool {
    matches!(c, '©' | '®' | '\u{203c}' | '\u{2049}' | '\u{2122}' | '\u{2139}' | '\u{2190}'..='\u{21ff}'
        | '\u{2300}'..='\u{23ff}' | '\u{24c2}' | '\u{25a0}'..='\u{27bf}' | '\u{2900}'..='\u{297f}'
        | '\u{2b00}'..='\u{2bff}' | '\u{3030}' | '\u{303d}' | '\u{3297}' | '\u{3299}'
        | '\u{1f000}'..='\u{1faff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_removed() {
        for hidden in [
            "\u{e0041}",
            "\u{e0020}",
            "\u{200b}",
            "\u{200e}",
            "\u{2060}",
            "\u{2064}",
            "\u{feff}",
            "\u{fe0f}",
            "\u{e0101}",
            "\u{202e}",
            "\u{2066}",
            "\u{ad}",
            "\u{3164}",
            "\u{200d}",
        ] {
            assert_eq!(visible(&format!("pay{hidden}load")), "payload", "{hidden:?}");
        }
    }

    #[test]
    fn what_a_script_or_an_emoji_needs_stays() {
        for text in [
            "می\u{200c}خواهم",
            "क्\u{200d}ष",
            "👩\u{200d}💻",
            "❤\u{fe0f}",
            "❤\u{fe0f}\u{200d}🔥",
            "1\u{fe0f}\u{20e3}",
        ] {
            assert_eq!(visible(text), text);
        }
    }
}
