//! Makes stored or given text safe for a terminal.

use std::borrow::Cow;

use recalld_index::text::plain::is_bidi_control;

/// Whether a terminal would act on the character instead of showing it.
fn disturbs(c: char) -> bool {
    c.is_control() || is_bidi_control(c) || matches!(c, '\u{2028}' | '\u{2029}')
}

/// Shows control characters as escapes, line breaks and tabs too.
pub(crate) fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(disturbs) {
        return Cow::Borrowed(text);
    }
    let show = |c: char| match disturbs(c) {
        true => c.escape_default().to_string(),
        false => c.to_string(),
    };
    Cow::Owned(text.chars().map(show).collect())
}

/// Returns the plural ending for `count` things.
pub(crate) fn plural(count: u64) -> &'static str {
    match count {
        1 => "",
        _ => "s",
    }
}

/// Shows control characters as escapes, except line breaks and tabs.
pub(crate) fn many_lines(text: &str) -> Cow<'_, str> {
    let acts = |c: char| disturbs(c) && !matches!(c, '\n' | '\t');
    if !text.contains(acts) {
        return Cow::Borrowed(text);
    }
    let show = |c: char| match acts(c) {
        true => c.escape_default().to_string(),
        false => c.to_string(),
    };
    Cow::Owned(text.chars().map(show).collect())
}

/// Joins text to one line and escapes the remaining control characters.
pub(crate) fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    escaped(&words.join(" ")).into_owned()
}

/// Escapes characters in JSON text that a terminal would act on. They occur only within strings, so
/// the value stays the same.
pub(crate) fn printable_json(json: &str) -> Cow<'_, str> {
    let acts = |c: char| disturbs(c) && c != '\n';
    if !json.contains(acts) {
        return Cow::Borrowed(json);
    }
    let show = |c: char| match acts(c) {
        true => format!("\\u{:04x}", c as u32),
        false => c.to_string(),
    };
    Cow::Owned(json.chars().map(show).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_acts_on_comes_through() {
        assert_eq!(
            escaped("a\u{1b}[31mb\r\n\u{9b}\u{202e}"),
            "a\\u{1b}[31mb\\r\\n\\u{9b}\\u{202e}"
        );
        assert_eq!(escaped("Grüße, 世界"), "Grüße, 世界");
        assert_eq!(
            one_line("two\n lines\r\n and\u{7} a bell"),
            "two lines and\\u{7} a bell"
        );
    }

    #[test]
    fn escaped_json_means_the_same() {
        let value = serde_json::json!({"a": "x\u{7f}\u{9b}\u{202e}\u{1b}\ny"});
        let text = serde_json::to_string_pretty(&value).unwrap();
        let safe = printable_json(&text);
        assert!(safe.chars().all(|c| c == '\n' || !disturbs(c)));
        assert_eq!(serde_json::from_str::<serde_json::Value>(&safe).unwrap(), value);
    }
}
