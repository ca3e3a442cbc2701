//! The files of a language's folder, as they are written.

use std::collections::BTreeMap;

use serde::Deserialize;

/// How a language is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::extract) enum Script {
    Latin,
    Han,
    Kana,
}

/// `words.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Words {
    pub(super) code: String,
    pub(super) script: Script,
    pub(super) markers: String,
    #[serde(default)]
    pub(super) abbreviations: String,
    #[serde(default)]
    pub(super) ordinal_stop: bool,
    pub(super) lead: String,
    #[serde(default)]
    pub(super) tail: String,
    pub(super) joint: String,
    #[serde(default)]
    pub(super) uncut: String,
    pub(super) scene: String,
    pub(super) supposed: String,
    pub(super) asked: String,
    #[serde(default)]
    pub(super) tag: String,
    pub(super) reported: String,
    pub(super) takes_back: String,
    pub(super) kidding: String,
    pub(super) passing: String,
    pub(super) hedged: String,
    #[serde(default)]
    pub(super) continues: Vec<ContinueLine>,
    #[serde(default)]
    pub(super) rewrites: Vec<RewriteLine>,
    #[serde(default)]
    pub(super) profile: String,
    #[serde(default)]
    pub(super) dates: Vec<DateLine>,
    #[serde(default)]
    pub(super) numbers: BTreeMap<String, i64>,
    #[serde(default)]
    pub(super) weekdays: Vec<String>,
    #[serde(default)]
    pub(super) macros: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ContinueLine {
    pub(super) is: String,
    pub(super) with: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RewriteLine {
    pub(super) is: String,
    pub(super) to: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DateLine {
    pub(super) is: String,
    pub(super) unit: Unit,
    /// How many units from now; times the number in the group `n`, if there is one.
    pub(super) plus: i64,
}

/// What a date phrase counts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::extract) enum Unit {
    Day,
    Week,
    Month,
    Year,
    /// The day of the week in the group `d`.
    Weekday,
}

/// `rules.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Rules {
    pub(super) rule: Vec<RuleLine>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleLine {
    /// Its kind, a full stop, and what tells it from others of the kind.
    pub(super) id: String,
    /// An attribute of the scheme, behind a subject if it is not the user; empty for what has none.
    #[serde(default)]
    pub(super) slot: String,
    #[serde(default)]
    pub(super) does: DoesLine,
    pub(super) is: String,
    pub(super) not: Option<String>,
    #[serde(default)]
    pub(super) any_time: bool,
    pub(super) opposite: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum DoesLine {
    #[default]
    Holds,
    Ends,
    Forget,
    Remember,
    NotMe,
    Corrects,
    Adds,
}

impl From<DoesLine> for super::Does {
    fn from(line: DoesLine) -> super::Does {
        match line {
            DoesLine::Holds => super::Does::Holds,
            DoesLine::Ends => super::Does::Ends,
            DoesLine::Forget => super::Does::Forget,
            DoesLine::Remember => super::Does::Remember,
            DoesLine::NotMe => super::Does::NotMe,
            DoesLine::Corrects => super::Does::Corrects,
            DoesLine::Adds => super::Does::Adds,
        }
    }
}

/// How often macros may stand in macros.
const DEPTH_MAX: usize = 6;

/// Makes a pattern ready: macros, white space, apostrophes, accents and word boundaries.
pub(super) fn ready(raw: &str, macros: &BTreeMap<String, String>, anchor: &str) -> String {
    let pattern = expanded(raw, macros, DEPTH_MAX);
    let mut made = format!("(?i-u){anchor}(?:");
    let mut in_class = false;
    let mut letters = pattern.trim().chars().peekable();
    while let Some(c) = letters.next() {
        match c {
            '\\' => escape(&mut letters, in_class, &mut made),
            ' ' if in_class => made.push(' '),
            // A space with a repetition of its own is one.
            ' ' if matches!(letters.peek(), Some('?' | '*' | '+')) => made.push_str(SPACE),
            ' ' | '\n' => made.extend([SPACE, "+"]),
            '\'' if !in_class => made.push_str(r"(?:'|\xe2\x80\x99)"),
            '.' if !in_class => made.push_str(r"(?:[\x00-\x09\x0b-\x7f]|[\xc2-\xf4][\x80-\xbf]{1,3})"),
            c => {
                in_class = (in_class || c == '[') && c != ']';
                literal(c, in_class, &mut made);
            }
        }
    }
    made.push(')');
    made
}

/// Puts the macros in their places, and those that stand in them.
fn expanded(raw: &str, macros: &BTreeMap<String, String>, depth: usize) -> String {
    let mut made = String::with_capacity(raw.len() * 2);
    let mut rest = raw;
    while let Some(open) = rest.find('{') {
        let after = &rest[open + 1..];
        let name = after.split_once('}').map(|(name, _)| name);
        let text = name.and_then(|name| macros.get(name)).filter(|_| 0 < depth);
        made.push_str(&rest[..open]);
        rest = match (name, text) {
            (Some(name), Some(text)) => {
                made.extend(["(?:", &expanded(text.trim(), macros, depth - 1), ")"]);
                &after[name.len() + 1..]
            }
            _ => {
                made.push('{');
                after
            }
        };
    }
    made.push_str(rest);
    made
}

/// White space as people type it: with the fixed space of French and the wide one of Japanese.
const SPACE: &str = r"(?:[ \t]|\xc2\xa0|\xe3\x80\x80)";

/// Writes a letter as its bytes; an accented one also in capitals and without its accent.
fn literal(c: char, in_class: bool, made: &mut String) {
    if c.is_ascii() {
        return made.push(c);
    }
    if in_class {
        return made.push_str(r"\x80-\xff");
    }
    let capital = c.to_uppercase().next().filter(|capital| *capital != c);
    let forms = [Some(c), capital, plain(c)];
    let forms: Vec<String> = forms.into_iter().flatten().map(bytes).collect();
    made.extend(["(?:", &forms.join("|"), ")"]);
}

fn bytes(c: char) -> String {
    let mut buffer = [0; 4];
    let bytes = c.encode_utf8(&mut buffer).bytes();
    bytes.map(|byte| format!(r"\x{byte:02x}")).collect()
}

/// Writes an escaped class as bytes.
fn escape(letters: &mut std::iter::Peekable<std::str::Chars<'_>>, in_class: bool, made: &mut String) {
    let mut name = String::from('\\');
    name.extend(letters.next());
    if name == r"\p" {
        name.extend(letters.by_ref().take_while(|c| *c != '}'));
    }
    let (inside, outside) = match name.as_str() {
        r"\p{L" => (r"A-Za-z\x80-\xff", r"[A-Za-z\x80-\xff]"),
        r"\p{Lu" => ("A-Z", r"(?:[A-Z]|\xc3[\x80-\x9e]|[\xc4\xc5][\x80-\xbf])"),
        r"\p{Ll" => (r"a-z\x80-\xff", r"[a-z\x80-\xff]"),
        r"\p{Han" => (
            r"\x80-\xff",
            r"(?:[\xe4-\xe9][\x80-\xbf][\x80-\xbf]|\xe3\x80\x85)",
        ),
        r"\p{Hiragana" => (r"\x80-\xff", r"(?:\xe3\x81[\x80-\xbf]|\xe3\x82[\x80-\x9f])"),
        r"\p{Katakana" => (r"\x80-\xff", r"(?:\xe3\x82[\xa0-\xbf]|\xe3\x83[\x80-\xbf])"),
        r"\w" => (r"A-Za-z0-9_\x80-\xff", r"[A-Za-z0-9_\x80-\xff]"),
        r"\d" => ("0-9", "[0-9]"),
        r"\s" => (r" \t", SPACE),
        r"\S" => (r"!-~\x80-\xff", r"(?:[!-~]|[\xc2-\xf4][\x80-\xbf]{1,3})"),
        // Not inside a word. Letters beyond ASCII count as neither, so that a word may end in one.
        r"\b" => (r"\b", r"(?:\b{start-half}|\b{end-half})"),
        other => return made.push_str(other),
    };
    made.push_str(if in_class { inside } else { outside });
}

/// The letter that people type for an accented one.
fn plain(c: char) -> Option<char> {
    Some(match c {
        'à' | 'á' | 'â' | 'ã' | 'ä' => 'a',
        'ç' => 'c',
        'è' | 'é' | 'ê' | 'ë' => 'e',
        'ì' | 'í' | 'î' | 'ï' => 'i',
        'ñ' => 'n',
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' => 'o',
        'ù' | 'ú' | 'û' | 'ü' => 'u',
        _ => return None,
    })
}
