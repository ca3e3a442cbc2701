//! Takes a message apart: lines, sentences with the mark that ends them, and clauses.

use super::language::Language;

/// The most sentences of a message that are read; rules are for what people type, not for what they
/// paste.
pub(super) const SENTENCES_MAX: usize = 200;

/// The most bytes of a sentence that is read.
pub(super) const SENTENCE_BYTES_MAX: usize = 600;

/// What stands between two marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sentence<'t> {
    pub(super) text: &'t str,
    pub(super) mark: Option<char>,
}

impl Sentence<'_> {
    /// Whether its mark makes it a question.
    pub(super) fn is_marked_as_question(&self) -> bool {
        matches!(self.mark, Some('?' | '？'))
    }
}

/// Lists the lines that the user may have typed: no code, no quotation, nothing between rulers, and
/// nothing below the head of a letter.
pub(super) fn own_lines(message: &str) -> impl Iterator<Item = &str> {
    let mut in_code = false;
    let mut in_paste = false;
    let mut in_letter = false;
    message.lines().filter_map(move |line| {
        let bare = line.trim();
        if bare.starts_with("```") || bare.starts_with("~~~") {
            in_code = !in_code;
            return None;
        }
        if 3 <= bare.len() && bare.chars().all(|c| matches!(c, '-' | '=' | '*' | '_')) {
            in_paste = !in_paste;
            return None;
        }
        in_letter = in_letter || is_letter_head(bare);
        let quoted =
            bare.starts_with(['>', '|', '<', '{', '#']) || line.starts_with("    ") || line.starts_with('\t');
        (!in_code && !in_paste && !in_letter && !quoted && !bare.is_empty()).then_some(bare)
    })
}

/// Whether a line is one of those above a pasted letter.
fn is_letter_head(line: &str) -> bool {
    const HEADS: [&str; 12] = [
        "from",
        "to",
        "subject",
        "betreff",
        "von",
        "objet",
        "asunto",
        "assunto",
        "发件人",
        "主题",
        "件名",
        "差出人",
    ];
    let Some((head, _)) = line.split_once([':', '：']) else {
        return false;
    };
    HEADS.iter().any(|known| head.trim().eq_ignore_ascii_case(known))
}

/// Splits a line into sentences. A full stop inside a word or number, after an abbreviation, or
/// after an ordinal number ends none.
pub(super) fn sentences<'t>(line: &'t str, languages: &[&Language]) -> Vec<Sentence<'t>> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut letters = line.char_indices().peekable();
    while let Some((at, c)) = letters.next() {
        let next = letters.peek().map(|(_, next)| *next);
        let ends = match c {
            '!' | '?' | ';' | '。' | '！' | '？' | '；' | '…' => true,
            '.' => {
                next.is_none_or(|next| next.is_whitespace() || next == '.')
                    && !is_abbreviation(&line[start..at], &line[at + 1..], languages)
            }
            _ => false,
        };
        if ends {
            let text = line[start..at].trim();
            // "!!" and "..." end one sentence.
            if !text.is_empty() {
                sentences.push(Sentence { text, mark: Some(c) });
            }
            start = at + c.len_utf8();
        }
    }
    let text = line[start..].trim();
    if !text.is_empty() {
        sentences.push(Sentence { text, mark: None });
    }
    sentences
}

/// Whether a full stop after `before` belongs to its last word.
fn is_abbreviation(before: &str, after: &str, languages: &[&Language]) -> bool {
    let last = before
        .rsplit(|c: char| c.is_whitespace() || c == '(')
        .next()
        .unwrap_or("");
    let next = after.trim_start();
    if next.is_empty() {
        return false;
    }
    let number = (1..=2).contains(&last.len()) && last.bytes().all(|byte| byte.is_ascii_digit());
    if number {
        return languages.iter().any(|language| language.ordinal_stop);
    }
    let known = |language: &&Language| {
        language
            .abbreviations
            .iter()
            .any(|word| word.eq_ignore_ascii_case(last))
    };
    languages.iter().any(known)
}

/// A clause, and where it begins in its sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clause<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
}

/// Splits a sentence where the user starts to speak anew.
pub(super) fn clauses<'t>(sentence: &'t str, language: &Language) -> Vec<Clause<'t>> {
    let mut clauses = Vec::new();
    let mut start = 0;
    let mut from = 0;
    while let Some(found) = language.joint.captures_at(sentence, from) {
        let next = found.range("n").or_else(|| found.range("n2"));
        let Some(next) = next.filter(|next| sentence.is_char_boundary(next.start)) else {
            break;
        };
        // A joint may lie behind the start of the next clause when two follow each other.
        // The group `k` ends the clause and belongs to it.
        let end = found.range("k").map_or(found.start(), |kept| kept.end);
        let left = sentence.get(start..end).unwrap_or("").trim();
        from = sentence.ceil_char_boundary(next.end.max(from + 1));
        if !left.is_empty() && !language.uncut.is_match(left) {
            clauses.push(Clause {
                text: left,
                at: start,
            });
            start = next.start;
        }
        if sentence.len() <= from {
            break;
        }
    }
    let last = sentence[start..].trim();
    if !last.is_empty() {
        clauses.push(Clause {
            text: last,
            at: start,
        });
    }
    for clause in &mut clauses {
        clause.text = trimmed(clause.text);
    }
    clauses.retain(|clause| !clause.text.is_empty());
    clauses
}

/// Takes the punctuation off the ends of a clause.
pub(super) fn trimmed(clause: &str) -> &str {
    let loose = |c: char| {
        c.is_whitespace()
            || matches!(
                c,
                ',' | '，' | '、' | ':' | '：' | '-' | '–' | '—' | '.' | '(' | '~' | '。'
            )
    };
    let end = |c: char| loose(c) || matches!(c, '😀'..='🙏' | '🤀'..='🧿' | '❤' | '☺');
    let start = |c: char| loose(c) || c == ')' || c == '•' || c == '*';
    clause.trim_end_matches(end).trim_start_matches(start)
}
