//! Characters that must not hide in what is stored, and short renderings of what was given.

/// Tells whether `c` changes the direction of the text after it, so that a reader sees another
/// order than a program.
pub fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Names a character that cannot be shown, such as `U+202E (a text-direction control)`.
pub fn name_character(c: char) -> String {
    let kind = match c {
        '\0' => "NUL",
        c if is_bidi_control(c) => "a text-direction control",
        _ => "a control character",
    };
    format!("U+{:04X} ({kind})", c as u32)
}

/// Cuts `text` to at most `chars` characters, with an ellipsis where something is missing.
pub fn shorten(text: &str, chars: usize) -> String {
    match text.char_indices().nth(chars) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortening_counts_characters_and_not_bytes() {
        assert_eq!(shorten("äöü", 3), "äöü");
        assert_eq!(shorten("äöüß", 3), "äöü…");
        assert_eq!(shorten("", 0), "");
    }
}
