//! Passwords in sentences: `the wifi password at home is …`, `pw = …`, `密码是…`.
//!
//! People talk about passwords far more often than they tell one. So a value counts when it looks
//! like one (a digit, a symbol, a capital inside, quotation marks), or when a sign or the end of
//! the sentence shows that nothing else can follow, and never when it is a word that sentences
//! about passwords use.

use std::sync::LazyLock;

use super::Finding;
use super::password_words::{
    COPULAS, JOINED_COPULAS, NAMES, is_placeholder, is_talk, is_talk_without_spaces,
};
use super::pattern::Pattern;

/// A name, up to six words about what it opens, and a sign or a copula.
static ANNOUNCED: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(&format!(
        r#"(?xi) (?:{names}) ["'`*_)\]]*
           (?: [\s_-]+ (?-u:[^\s:=.!?;,"]{{1,24}} (?:\s+[^\s:=.!?;,"]{{1,24}}){{0,7}}?) )?
           \s* (?: ([:=→]|->|=>|:=)+ | \s({COPULAS})(?:\s|["'`:]) | ({JOINED_COPULAS}) ) [\s:]*"#,
        names = NAMES.replace(' ', r"\ "),
    ))
});

/// The value. A mark that is still to be seen here is none of ours.
static VALUE: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r#"^(?:(?:now|still|currently|actually|again|really|jetzt|nun|derzeit|ahora|agora|ora|maintenant)\s+)?(?:\[redacted:\s*)?(?:["'`]((?-u:[^"'`\n]){1,80})["'`]|((?-u:\S){1,128}))"#,
    )
});

/// A name, and right behind it what it is, in quotation marks.
static QUOTED: LazyLock<Pattern> = LazyLock::new(|| {
    let names = NAMES.replace(' ', r"\ ");
    Pattern::new(&format!(
        r#"(?xi) (?:{names}) \s+ (?:"|`|“) ((?-u:[^"`\n]){{4,80}}?) (?:"|`|”)"#
    ))
});

/// A login with both of its parts: `login is ana / …`.
static LOGIN: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?i)(?:log-?in|credentials|creds|zugangsdaten|identifiants|acceso|credenciais)(?:\s+(?-u:[^\s:=/]{1,24})){0,4}?\s*(?::|=|\s(?:is|are|ist|sind|est|sont|es|son|é|são)\s)\s*(?-u:[^\s/|]{2,60})\s*[/|]\s*((?-u:\S){6,60})",
    )
});

/// What is about passwords, and holds none: `password manager: Bitwarden`.
const ABOUT: &[&str] = &[
    " manager",
    " policy",
    " policies",
    " hash",
    " reset",
    " rule",
    " length",
    " generator",
    " strength",
    " expiry",
    " rotation",
    "-manager",
    "richtlinie",
];

/// Finds passwords.
pub(super) fn find(text: &str, findings: &mut Vec<Finding>) {
    find_announced(text, findings);
    for found in QUOTED.all(text) {
        let words = found.value().split_whitespace().count();
        let is_talked = match words {
            1 => is_talk(found.value()),
            _ => is_sentence(found.value()),
        };
        if !is_talked && !is_placeholder(found.value()) {
            findings.push(Finding::new("password", found.value));
        }
    }
    for found in LOGIN.all(text) {
        let has_digit = found.value().bytes().any(|byte| byte.is_ascii_digit());
        if has_digit && looks_like_password(found.value()) && !is_placeholder(found.value()) {
            findings.push(Finding::new("password", found.value));
        }
    }
}

fn find_announced(text: &str, findings: &mut Vec<Finding>) {
    let mut from = 0;
    // A name may announce several times ("the password for X: is …"); each match is tried once, and
    // the search goes on right behind the name.
    while let Some(announced) = ANNOUNCED.first_from(text, from) {
        from = announced.value.end;
        let start = announced.whole.end;
        let name = text[announced.whole.start..announced.value.start].to_lowercase();
        if ABOUT.iter().any(|about| name.contains(about)) {
            continue;
        }
        let by_sign = announced.value().contains(['=', ':', '>', '→']);
        if let Some(range) = value(&text[start..], by_sign) {
            findings.push(Finding::new("password", start + range.start..start + range.end));
        }
    }
}

/// Gives where in `rest` a password stands, if it begins with one.
fn value(rest: &str, by_sign: bool) -> Option<std::ops::Range<usize>> {
    let word = VALUE.first_from(rest, 0)?;
    if word.before().ends_with(['"', '\'', '`']) {
        let is_prose = word.value().contains(' ') && is_sentence(word.value());
        let is_value = !is_placeholder(word.value()) && !is_prose;
        return is_value.then_some(word.value);
    }
    let bare = up_to_other_script(word.value());
    let bare = bare.trim_end_matches(['.', ',', ';', '!', '?', ')', '"', '\'', '。']);
    let range = word.value.start..word.value.start + bare.len();
    let after = word.after().trim_start();
    let ends = after.is_empty() || bare.len() < word.value().len();
    if bare.is_empty() || is_placeholder(bare) || is_counted(bare, after) {
        return None;
    }
    if is_without_spaces(bare) {
        return (by_sign && !is_talk_without_spaces(bare)).then_some(range);
    }
    if looks_like_password(bare) {
        return Some(range);
    }
    let plain = !is_talk(bare) && 3 <= bare.chars().count();
    match (plain, by_sign, ends) {
        (true, true, _) | (true, false, true) => Some(range),
        (true, false, false) => passphrase(rest, word.value.start),
        (false, ..) => None,
    }
}

/// A digit among letters, a long number, a symbol, or a capital inside.
fn looks_like_password(word: &str) -> bool {
    let has = |is: fn(char) -> bool| word.chars().any(is);
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let symbol = word.chars().any(|c| {
        c.is_ascii_punctuation() && !matches!(c, '-' | '\'' | '.' | ',' | '/' | ':' | '(' | ')' | '[' | ']')
    });
    let inner_capital = word.chars().skip(1).any(char::is_uppercase) && has(char::is_lowercase);
    let dated = word
        .chars()
        .all(|c| c.is_ascii_digit() || matches!(c, '-' | '/' | '.' | ':' | '+'));
    let ordinal = digits > 0
        && (word.ends_with("th") || word.ends_with("st") || word.ends_with("nd") || word.ends_with("rd"))
        && word.len() <= 4;
    match dated {
        true => 4 <= digits && word.len() == digits,
        false => {
            (0 < digits && !ordinal && 4 <= word.chars().count())
                || (symbol && 4 <= word.len())
                || (inner_capital && !is_talk(word) && 6 <= word.len())
        }
    }
}

/// `12 characters`, `8+ letters`, `90 days`.
fn is_counted(word: &str, after: &str) -> bool {
    let number = word.starts_with(|c: char| c.is_ascii_digit());
    let units = [
        "char",
        "letter",
        "digit",
        "day",
        "month",
        "year",
        "week",
        "time",
        "hour",
        "minute",
        "symbol",
        "zeichen",
        "tag",
        "monat",
        "jahr",
        "caract",
        "jours",
        "mois",
        "días",
        "dias",
        "meses",
        "giorni",
        "mesi",
        "bit",
        "word",
        "位",
        "个",
        "wörter",
        "stellen",
        "символ",
        "дн",
        "people",
        "person",
        "attempt",
    ];
    let after = after.to_lowercase();
    let unit_inside = units.iter().any(|unit| word.to_lowercase().contains(unit)) && number;
    number && (unit_inside || units.iter().any(|unit| after.starts_with(unit)))
}

/// Plain words to the end of the sentence, none of which a sentence needs.
fn passphrase(rest: &str, start: usize) -> Option<std::ops::Range<usize>> {
    let end = rest[start..]
        .find(['.', '!', '?', '\n', ';'])
        .map_or(rest.len(), |at| start + at);
    let words: Vec<&str> = rest[start..end].split_whitespace().collect();
    let is_plain = |word: &&str| !is_talk(word) && word.chars().all(|c| c.is_alphanumeric() || c == '-');
    ((3..=8).contains(&words.len()) && words.iter().all(is_plain)).then_some(start..end)
}

fn is_sentence(quoted: &str) -> bool {
    quoted.split_whitespace().filter(|word| is_talk(word)).count() >= 2
}

fn is_without_spaces(value: &str) -> bool {
    value.starts_with(|c| matches!(c, '\u{e00}'..='\u{e7f}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}'))
}

/// In `密码是abc123，别告诉别人` the password ends where the other script begins.
fn up_to_other_script(value: &str) -> &str {
    let begins_ascii = value.starts_with(|c: char| c.is_ascii());
    let end = value
        .find(|c: char| is_without_spaces(c.encode_utf8(&mut [0; 4])) || matches!(c, '。' | '、' | '，'));
    match end {
        Some(end) if begins_ascii => &value[..end],
        _ => value,
    }
}
