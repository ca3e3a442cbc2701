//! Names made of several parts, kept whole and also found by their parts.

use super::{Analysis, Side, TermKind};
use crate::text::fold::fold;
use crate::text::moment::clock_in;
use crate::text::scan::is_joint;
use crate::text::stem::stem;

/// A longer name is a list, not a name: its parts stand alone.
const NAME_BYTES_MAX: usize = 128;

/// Reads letters and digits joined by signs.
pub(crate) fn joined(analysis: &mut Analysis, text: &str) {
    if text.len() > NAME_BYTES_MAX {
        return separate(analysis, text.split(is_joint));
    }
    if text.contains('@') {
        return address(analysis, text);
    }
    if text
        .bytes()
        .all(|b| b.is_ascii_digit() || is_joint(char::from(b)))
    {
        return number(analysis, text);
    }
    if text.contains('/') {
        return text.split('/').for_each(|piece| match piece.contains(is_joint) {
            true => joined(analysis, piece),
            false => analysis.plain(piece, &fold(piece)),
        });
    }
    if text.contains('\'') {
        return apostrophe(analysis, text);
    }
    name(analysis, text);
}

/// Reads `C++`, `F#`, `.NET`, `Disney+`. A single letter with signs is found by nothing less than
/// the whole: somebody who asks for `C++` does not want vitamin C.
pub(crate) fn signed(analysis: &mut Analysis, text: &str) {
    let folded = fold(text);
    if let Some(base) = folded.strip_prefix('.') {
        analysis.push(format!("dot{base}"), TermKind::Word);
        if analysis.side == Side::Entry {
            analysis.part(base);
        }
        return;
    }
    let base = folded.trim_matches(['+', '#']);
    match (base.chars().nth(1).is_none(), &folded[base.len()..]) {
        _ if folded.starts_with('+') => analysis.plain(base, base),
        (true, "++") if base == "c" => analysis.push("cpp".to_owned(), TermKind::Word),
        (true, "#") => analysis.push(format!("{base}sharp"), TermKind::Word),
        (true, _) => analysis.push(folded, TermKind::Word),
        (false, "++") => {
            analysis.push(folded.clone(), TermKind::Word);
            analysis.part(base);
        }
        (false, _) => {
            analysis.plain(base, base);
            analysis.push(folded, TermKind::Alias);
        }
    }
}

/// Reads an address with a scheme: found whole, by its host and by the words in it.
pub(crate) fn url(analysis: &mut Analysis, text: &str) {
    let Some((_, rest)) = text.split_once("://") else {
        return;
    };
    let rest = rest.strip_prefix("www.").unwrap_or(rest);
    if rest.len() > 16 * NAME_BYTES_MAX {
        return separate(analysis, rest.split(|c: char| !c.is_alphanumeric()));
    }
    let host = rest.split(['/', '?', '#', ':']).next().unwrap_or(rest);
    analysis.push(fold(rest), TermKind::Word);
    if host.len() < rest.len() {
        analysis.push(whole(host), TermKind::Part);
    } else {
        analysis.push(whole(host), TermKind::Alias);
    }
    rest.split(|c: char| !c.is_alphanumeric())
        .for_each(|piece| address_part(analysis, piece));
}

/// Reads what stands beside a date in one piece with it: the year alone, and the time after a `T`.
pub(crate) fn after_day(analysis: &mut Analysis, text: &str) {
    if let Some((hour, minute)) = text
        .split_once('T')
        .and_then(|(_, time)| clock_in(time.get(..5)?))
    {
        analysis.push(format!("{hour}:{minute:02}"), TermKind::Part);
    }
    if analysis.side == Side::Entry {
        text.split(is_joint)
            .filter(|part| part.len() == 4)
            .for_each(|year| analysis.part(year));
    }
}

/// Finds words inside a word: `getUserName`, `iPhone15`, `10kg`.
pub(crate) fn inner_parts(analysis: &mut Analysis, word: &str) {
    let is_ordinal = ["st", "nd", "rd", "th"].iter().any(|end| word.ends_with(end))
        && word.starts_with(|c: char| c.is_ascii_digit());
    if word.len() > NAME_BYTES_MAX || is_ordinal || !has_inner_parts(word) {
        return;
    }
    let mut start = 0;
    let mut parts = Vec::new();
    let chars: Vec<(usize, char)> = word.char_indices().collect();
    for (n, window) in chars.windows(2).enumerate() {
        let ((_, a), (at, b)) = (window[0], window[1]);
        let next_is_lower = chars.get(n + 2).is_some_and(|(_, c)| c.is_lowercase());
        let humps =
            (a.is_lowercase() && b.is_uppercase()) || (a.is_uppercase() && b.is_uppercase() && next_is_lower);
        if humps || a.is_ascii_digit() != b.is_ascii_digit() {
            parts.push(&word[start..at]);
            start = at;
        }
    }
    parts.push(&word[start..]);
    // `4o`, `v2` and `h2o` have no words inside.
    if parts
        .iter()
        .any(|part| part.len() > 1 && !part.starts_with(|c: char| c.is_ascii_digit()))
    {
        parts.into_iter().for_each(|part| analysis.part(part));
    }
}

fn has_inner_parts(word: &str) -> bool {
    let mut chars = word.chars();
    let Some(mut before) = chars.next() else {
        return false;
    };
    chars.any(|c| {
        let cut =
            (before.is_lowercase() && c.is_uppercase()) || before.is_ascii_digit() != c.is_ascii_digit();
        before = c;
        cut
    })
}

/// Reads an e-mail address or another name with an `@` in it.
fn address(analysis: &mut Analysis, text: &str) {
    analysis.push(fold(text), TermKind::Word);
    for side in text.split('@') {
        if side.contains(is_joint) {
            analysis.push(whole(side), TermKind::Part);
        }
        side.split(is_joint)
            .for_each(|piece| address_part(analysis, piece));
    }
}

fn address_part(analysis: &mut Analysis, piece: &str) {
    if !matches!(piece, "com" | "org" | "www" | "http" | "https" | "html") {
        analysis.part(piece);
        inner_parts(analysis, piece);
    }
}

/// Reads `don't`, `Ana's`, `O'Brien`, `l'été`.
fn apostrophe(analysis: &mut Analysis, text: &str) {
    let folded = fold(text);
    if folded.ends_with("n't") {
        return analysis.push(folded.replace('\'', ""), TermKind::Stop);
    }
    for ending in ["'s", "'m", "'re", "'ve", "'ll", "'d"] {
        if folded.ends_with(ending) {
            let base = text.rsplit_once('\'').map_or(text, |(base, _)| base);
            return match base.contains(is_joint) {
                true => joined(analysis, base),
                false => analysis.plain(base, &fold(base)),
            };
        }
    }
    name(analysis, text);
}

/// Reads digits with signs between them: amounts, times, versions, telephone numbers.
fn number(analysis: &mut Analysis, text: &str) {
    if let Some((hour, minute)) = clock_in(text) {
        return analysis.push(format!("{hour}:{minute:02}"), TermKind::Word);
    }
    if text.contains(',') {
        return match amount(text) {
            Some(amount) => analysis.push(amount, TermKind::Word),
            None => separate(analysis, text.split(',')),
        };
    }
    if text.split('-').all(|part| clock_in(part).is_some()) {
        return text.split('-').for_each(|clock| number(analysis, clock));
    }
    analysis.push(text.to_owned(), TermKind::Word);
    if is_grouped(text, '.') {
        analysis.push(text.replace('.', ""), TermKind::Alias);
    }
    // The parts of 9:40, 1.5 or 24/7 mean nothing alone; those of 555-123-4567 do.
    let least = if text.contains('-') { 2 } else { 3 };
    let groups = text.split(is_joint).filter(|group| group.len() >= least);
    if !text.contains('.') {
        groups.for_each(|group| analysis.part(group));
    }
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let is_years = text.len() == "2019-2020".len() && text.find('-') == Some(4);
    if text.contains('-') && (7..=15).contains(&digits.len()) && !is_years {
        analysis.push(digits, TermKind::Alias);
    }
}

/// A number with commas in it, written with a point alone: 1,000 and 1.000,50 and 1,5; `None` for a
/// list of numbers.
pub(crate) fn amount(text: &str) -> Option<String> {
    if is_grouped(text, ',') {
        return Some(text.replace(',', ""));
    }
    let (whole, fraction) = text.split_once(',')?;
    let is_number = !fraction.contains(',') && (!whole.contains('.') || is_grouped(whole, '.'));
    is_number.then(|| format!("{}.{fraction}", whole.replace('.', "")))
}

/// Whether the sign parts thousands: `1,000` and `12,345,678.90`, but not `1,5`.
fn is_grouped(text: &str, sign: char) -> bool {
    let whole = if sign == ',' {
        text.split('.').next().unwrap_or(text)
    } else {
        text
    };
    let mut groups = whole.split(sign);
    let first = groups.next().unwrap_or("");
    let mut rest = groups.peekable();
    (1..=3).contains(&first.len()) && rest.peek().is_some() && rest.all(|group| group.len() == 3)
}

/// Reads words joined into a name: `node.js`, `gpt-4o`, `snake_case`, `ISO-27001`, `U.S.A`.
fn name(analysis: &mut Analysis, text: &str) {
    let whole = whole(text);
    let alphabetic = whole.bytes().all(|b| b.is_ascii_alphabetic());
    analysis.push(
        if alphabetic { stem(&whole) } else { whole.clone() },
        TermKind::Word,
    );
    if let Some(version) = whole
        .strip_prefix('v')
        .filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    {
        analysis.push(version.to_owned(), TermKind::Part);
    }
    for piece in pieces(text) {
        if piece.len() < text.len() {
            analysis.part(piece);
            inner_parts(analysis, piece);
        }
    }
}

/// The name without its signs, so that `e-mail` is `email` and `node.js` is `nodejs`. Signs between
/// digits stay: 1.2 is not 12.
fn whole(text: &str) -> String {
    let mut joined = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    let mut before = ' ';
    while let Some(c) = chars.next() {
        let between_digits = before.is_ascii_digit() && chars.peek().is_some_and(char::is_ascii_digit);
        if !is_joint(c) || between_digits || matches!(c, '&' | '@') {
            joined.push(c);
        }
        before = c;
    }
    fold(&joined)
}

/// The parts between signs, where digits joined with digits are one.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let bytes = text.as_bytes();
    let digit = move |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let cuts = text
        .char_indices()
        .filter(move |&(at, c)| is_joint(c) && !(at > 0 && digit(at - 1) && digit(at + 1)));
    let mut start = 0;
    cuts.map(|(at, _)| at)
        .chain(std::iter::once(text.len()))
        .map(move |at| {
            let piece = &text[start..at];
            start = at + 1;
            piece
        })
}

fn separate<'a>(analysis: &mut Analysis, words: impl Iterator<Item = &'a str>) {
    for word in words {
        analysis.plain(word, &fold(word));
    }
}
