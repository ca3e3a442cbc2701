//! One memory as one line: key, statement, since when, how sure, from where, and an id in a comment
//! that no reader sees.

use jiff::tz::TimeZone;
use recalld_memory::id::MemoryId;
use recalld_memory::memory::Memory;
use recalld_memory::render::period_mark;

/// How many digits of an id a line shows: those of its random part.
const ID_DIGITS: usize = 12;

/// Writes the line of a memory.
pub(super) fn render(memory: &Memory) -> String {
    format!(
        "- {} *({})* <!-- {} -->",
        body(memory),
        about(memory),
        mark(memory.id)
    )
}

/// Writes what a person may change: the key and the statement.
pub(super) fn body(memory: &Memory) -> String {
    let statement = escape(memory.content.as_str());
    match &memory.key {
        Some(key) => format!("**{}:** {statement}", escape_within(key.as_str())),
        None => statement,
    }
}

/// Writes the end of an id by which a line is known again.
pub(super) fn mark(id: MemoryId) -> String {
    let digits = id.as_uuid().simple().to_string();
    digits[digits.len() - ID_DIGITS..].to_owned()
}

fn about(memory: &Memory) -> String {
    let since = memory.learned_at.to_zoned(TimeZone::UTC).date();
    let sure = (memory.confidence.value() * 100.0).round();
    let mut about = format!("since {since} · {sure} %");
    if let Some(mark) = period_mark(memory) {
        about.push_str(&format!(" · {mark}"));
    }
    if !memory.trust.may_be_injected() {
        about.push_str(&format!(" · from a {}", memory.trust.as_str()));
    }
    if let Some(project) = &memory.project {
        about.push_str(&format!(" · in {}", escape_within(project.as_str())));
    }
    if let Some(source) = &memory.source {
        about.push_str(&format!(" · {}", escape_within(source.as_str())));
    }
    about
}

/// What begins a heading, a list, a quotation, a block of code or a key when a text begins with it.
const OPENERS: [char; 8] = ['#', '-', '+', '>', '=', '`', '~', '*'];

/// Makes text harmless within a line: no comment, tag, picture, link or line break, nothing that
/// could be taken for a key or for the beginning of another block.
fn escape(text: &str) -> String {
    escaped(text, |place, c| place == 0 && OPENERS.contains(&c))
}

/// The same between stars.
fn escape_within(text: &str) -> String {
    escaped(text, |_, c| c == '*')
}

fn escaped(text: &str, special: impl Fn(usize, char) -> bool) -> String {
    let mut safe = String::with_capacity(text.len() + 8);
    let mut before = ' ';
    for (place, c) in text.replace("\r\n", "\n").chars().enumerate() {
        let opens = (before == '!' && c == '[') || (before == ']' && matches!(c, '(' | '[' | ':'));
        before = c;
        match c {
            c if opens || special(place, c) => safe.extend(['\\', c]),
            '\\' | '<' => safe.extend(['\\', c]),
            '\n' | '\r' | '\u{2028}' | '\u{2029}' | '\u{85}' | '\u{b}' | '\u{c}' => safe.push_str("<br>"),
            '\t' => safe.push(' '),
            c => safe.push(c),
        }
    }
    safe
}

/// Reads back what [`escape`] wrote, or what a person wrote by hand.
fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("<br>") {
            plain.push('\n');
            rest = after;
            continue;
        }
        rest = &rest[c.len_utf8()..];
        match (c, rest.chars().next()) {
            ('\\', Some(next)) if next.is_ascii_punctuation() => {
                plain.push(next);
                rest = &rest[1..];
            }
            _ => plain.push(c),
        }
    }
    plain
}

/// A line that stands for a memory, as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Item {
    /// The end of the memory's id; none for a line that a person added.
    pub(super) mark: Option<String>,
    /// The key and the statement, as they are written.
    pub(super) body: String,
}

impl Item {
    /// Parses a line; none unless it is a list item.
    pub(super) fn parse(line: &str) -> Option<Item> {
        let bullets = ["- ", "* ", "+ "];
        let text = bullets
            .iter()
            .find_map(|bullet| line.strip_prefix(bullet))?
            .trim();
        if text.is_empty() {
            return None;
        }
        let Some((before, mark)) = split_mark(text) else {
            let (mark, body) = (None, text.to_owned());
            return Some(Item { mark, body });
        };
        let body = match (before.ends_with(")*"), before.rfind(" *(")) {
            (true, Some(at)) => &before[..at],
            _ => before,
        };
        Some(Item {
            mark: Some(mark),
            body: body.trim().to_owned(),
        })
    }

    /// Takes the key and the statement apart.
    pub(super) fn parts(&self) -> (Option<String>, String) {
        let keyed = self
            .body
            .strip_prefix("**")
            .and_then(|rest| rest.split_once(":**"));
        match keyed {
            Some((key, statement)) => (Some(unescape(key.trim())), unescape(statement.trim())),
            None => (None, unescape(&self.body)),
        }
    }
}

/// Splits the comment with the id from the end of a line.
fn split_mark(text: &str) -> Option<(&str, String)> {
    let inner = text.strip_suffix("-->")?;
    let at = inner.rfind("<!--")?;
    let (before, mark) = (&text[..at], inner[at + 4..].trim());
    let is_id = mark.len() == ID_DIGITS && mark.bytes().all(|b| b.is_ascii_hexdigit());
    (is_id && !before.ends_with('\\')).then(|| (before.trim_end(), mark.to_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(line: &str) -> (Option<String>, String) {
        Item::parse(line).unwrap().parts()
    }

    #[test]
    fn what_is_escaped_reads_back() {
        for text in [
            "likes tea",
            "two\nlines",
            "<!-- 0123456789ab -->",
            "a \\< b <br> c \\",
            "**role:** admin",
            "*(since never)*",
            "- a list\n# a heading\n---\nkey: value\n---",
            "```\ncode\n```",
            "see ![x](https://evil.example/x.png) and [y](z) or [a][b]",
            "[x]: https://evil.example",
            "#1 - > + = ~ ` \\- \\# C:\\dir",
            "~~~",
            "> quoted",
        ] {
            let body = escape(text);
            let bare = body.replace("\\<", "");
            assert!(!bare.contains('\n') && !bare.contains("<!--"), "{body}");
            assert!(!body.contains("![") && !body.contains("]("), "{body}");
            assert!(!body.starts_with(OPENERS), "{body}");
            let line = format!("- {body} *(since 2026-01-01 · 90 %)* <!-- 0123456789ab -->");
            assert_eq!(parts(&line), (None, text.to_owned()));
            assert_eq!(Item::parse(&line).unwrap().mark.as_deref(), Some("0123456789ab"));
        }
    }

    #[test]
    fn keys_read_back_whatever_they_hold() {
        for key in ["*", "*x*", "a:**b", "#tag", "\\*", "a<b", "![x](y)"] {
            let line = format!("- **{}:** says", escape_within(key));
            assert_eq!(parts(&line), (Some(key.to_owned()), "says".to_owned()));
        }
    }

    #[test]
    fn a_line_by_hand_needs_no_form() {
        assert_eq!(parts("- likes tea"), (None, "likes tea".to_owned()));
        assert_eq!(
            parts("* **drink:** tea"),
            (Some("drink".to_owned()), "tea".to_owned())
        );
        assert_eq!(parts("- a < b"), (None, "a < b".to_owned()));
        assert_eq!(parts("- ends *(so)*"), (None, "ends *(so)*".to_owned()));
        for other in ["", "-", "- ", "  - indented", "text", "#- x", "--- "] {
            assert_eq!(Item::parse(other), None, "{other}");
        }
    }
}
