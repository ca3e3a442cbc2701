//! The terms a text is found by: words, their parts and other spellings.

pub(super) mod compound;

use super::fold::{compatible, digraph_spelling, fold, unmarked_spelling};
use super::language::{Language, StopIn, detect, is_stop_character, is_weak};
use super::moment::{Token, moments_at, telephone_at, tokens};
use super::named_time::{NamedTime, times_among};
use super::scan::{Shape, lexemes};
use super::script::{Class, class, is_hiragana, is_picture_modifier};
use super::segment::{segments, without_particle};
use super::stem::{stem, stem_in};
use unicode_segmentation::UnicodeSegmentation;

/// One analysed piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The folded and stemmed form, at most [`Term::BYTES_MAX`] long.
    pub text: String,
    /// What the term is to the word it came from.
    pub kind: TermKind,
    /// Which word of the text it came from; all terms of one word share it.
    pub word: u32,
}

impl Term {
    /// A longer term is cut and ends with a digest of the whole.
    pub const BYTES_MAX: usize = 64;
}

/// What a term is to the word it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TermKind {
    /// The word itself, or the whole of a name made of several parts.
    Word,
    /// A part of such a name: `node` of `node.js`.
    Part,
    /// A character of Han or kana, or two of Hangul: a trace of a word, less telling than a word.
    Gram,
    /// The same word in another spelling or form: `mueller` for `Müller`, `2026-03-01` for `1 March
    /// 2026`.
    Alias,
    /// A word of asking and chatting; it says little in a query. Entries have none: there it is a
    /// word.
    Weak,
    /// A word that says nothing about its text.
    Stop,
}

/// Analyses the text of an entry. Terms come in order of appearance.
pub fn analyse(text: &str) -> Vec<Term> {
    let text = compatible(text);
    Analysis::read(&text, &tokens(lexemes(&text)), Side::Entry)
}

/// Analyses a query. Stop words are dropped unless nothing else is left.
pub fn analyse_query(text: &str) -> Vec<Term> {
    let text = compatible(text);
    terms_of_query(&text, &tokens(lexemes(&text)))
}

/// The same, with the dates that the query names: one pass finds both.
pub fn read_query(text: &str) -> (Vec<Term>, Vec<NamedTime>) {
    let text = compatible(text);
    let tokens = tokens(lexemes(&text));
    (terms_of_query(&text, &tokens), times_among(&tokens))
}

fn terms_of_query(text: &str, tokens: &[Token]) -> Vec<Term> {
    let mut terms = Analysis::read(text, tokens, Side::Query);
    if is_short_word_of_han(&terms) {
        terms.retain(|term| term.kind != TermKind::Gram);
    }
    if terms.iter().any(|term| term.kind != TermKind::Stop) {
        terms.retain(|term| term.kind != TermKind::Stop);
    }
    if terms
        .iter()
        .all(|term| matches!(term.kind, TermKind::Weak | TermKind::Alias))
    {
        terms
            .iter_mut()
            .filter(|term| term.kind == TermKind::Weak)
            .for_each(|term| term.kind = TermKind::Word);
    }
    terms
}

/// One word of two to four characters that do not bend: what shares a single character with it is
/// about something else.
fn is_short_word_of_han(terms: &[Term]) -> bool {
    let is_bent = |term: &Term| term.text.chars().any(|c| matches!(c, 'ぁ'..='ゖ'));
    (3..=7).contains(&terms.len())
        && terms
            .iter()
            .all(|term| term.word == terms[0].word && term.text.chars().all(|c| class(c) == Class::Cjk))
        && !terms
            .iter()
            .any(|term| term.kind == TermKind::Stop || is_bent(term))
}

/// Which side of a search the text is on. An entry is found by more than a query asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Entry,
    Query,
}

pub(crate) struct Analysis {
    pub(crate) side: Side,
    /// The languages whose endings are taken off besides the English ones.
    languages: Vec<Language>,
    stops: Language,
    /// Shouted texts tell nothing by capitals.
    capitals_tell: bool,
    word: u32,
    terms: Vec<Term>,
}

impl Analysis {
    fn read(text: &str, tokens: &[Token], side: Side) -> Vec<Term> {
        let language = detect(tokens.iter().map(|token| StopIn::of(&token.folded)));
        let languages = match (language, side) {
            (Some(Language::English), _) | (None, Side::Entry) => Vec::new(),
            (Some(other), _) => vec![other],
            (None, Side::Query) if tokens.len() <= GUESSED_WORDS_MAX => Language::GUESSED.to_vec(),
            (None, Side::Query) => Vec::new(),
        };
        let mut analysis = Analysis {
            side,
            languages,
            stops: language.unwrap_or(Language::English),
            capitals_tell: text.len() <= "WHO".len() || text.bytes().any(|b| b.is_ascii_lowercase()),
            word: 0,
            terms: Vec::with_capacity(tokens.len() * 2),
        };
        let mut at = 0;
        while at < tokens.len() {
            at += analysis.token(tokens, at);
            analysis.word += 1;
        }
        analysis.terms
    }

    /// Reads the token at `at`; returns how many tokens that took.
    fn token(&mut self, tokens: &[Token], at: usize) -> usize {
        let text = tokens[at].lexeme.text;
        match tokens[at].lexeme.shape {
            Shape::Plain => {
                self.plain(text, &tokens[at].folded);
                self.moments(tokens, at);
            }
            Shape::Joined => {
                if self.moments(tokens, at) != DateMatch::Day {
                    compound::joined(self, text);
                }
            }
            Shape::Signed => {
                if let Some((count, number)) = telephone_at(tokens, at) {
                    self.telephone(&tokens[at..at + count], number);
                    return count;
                }
                compound::signed(self, text);
            }
            Shape::Url => compound::url(self, text),
            Shape::Cjk => self.cjk(text),
            Shape::Hangul => self.hangul(text),
            Shape::Unspaced => self.unspaced(text),
            Shape::Picture => self.picture(text),
        }
        1
    }

    /// A word of letters and digits.
    pub(crate) fn plain(&mut self, raw: &str, folded: &str) {
        if self.is_stop(folded) {
            let name = match raw {
                "IT" | "US" | "WHO" => self.capitals_tell,
                // A month and a man, unless a question begins with it.
                "May" | "Will" => self.word > 0,
                _ => false,
            };
            return self.push(
                folded.to_owned(),
                if name { TermKind::Word } else { TermKind::Stop },
            );
        }
        let weak = self.side == Side::Query && is_weak(folded);
        self.push(stem(folded), if weak { TermKind::Weak } else { TermKind::Word });
        if let Some(spelling) = digraph_spelling(raw) {
            self.push(stem(&spelling), TermKind::Alias);
        }
        if let Some(spelling) = unmarked_spelling(folded) {
            self.push(spelling, TermKind::Alias);
        }
        for at in 0..self.languages.len() {
            if let Some(stemmed) = stem_in(self.languages[at], folded) {
                self.push(stemmed, TermKind::Alias);
            }
        }
        compound::inner_parts(self, raw);
    }

    /// A part of a name, unless it is too small or too common to be found by.
    pub(crate) fn part(&mut self, raw: &str) {
        let folded = fold(raw);
        // Somebody who asks for `covid-19` does not want nineteen of anything.
        let few_digits = folded.len() < 4 && folded.bytes().all(|b| b.is_ascii_digit());
        let asks_little = few_digits && self.side == Side::Query;
        if folded.chars().nth(1).is_some() && !asks_little && !self.is_stop(&folded) {
            self.push(stem(&folded), TermKind::Part);
        }
    }

    pub(crate) fn push(&mut self, text: String, kind: TermKind) {
        if !text.is_empty() {
            self.terms.push(Term {
                text: bounded(text),
                kind,
                word: self.word,
            });
        }
    }

    fn is_stop(&self, folded: &str) -> bool {
        let stop = StopIn::of(folded);
        stop.includes(Language::English) || stop.includes(self.stops)
    }

    fn moments(&mut self, tokens: &[Token], at: usize) -> DateMatch {
        let moments = moments_at(tokens, at);
        let whole = tokens[at].lexeme.shape == Shape::Joined;
        let mut found = DateMatch::Nothing;
        for moment in moments {
            let term = moment.term();
            let is_day = whole && term.len() == "2026-03-01".len();
            self.push(term, if is_day { TermKind::Word } else { TermKind::Alias });
            if self.side == Side::Entry {
                for wider in moment.wider() {
                    self.push(wider.term(), TermKind::Part);
                }
            }
            found = if is_day { DateMatch::Day } else { DateMatch::Other };
        }
        if found == DateMatch::Day {
            compound::after_day(self, tokens[at].lexeme.text);
        }
        found
    }

    fn telephone(&mut self, tokens: &[Token], number: String) {
        self.push(number, TermKind::Word);
        for token in tokens {
            for digits in token.lexeme.text.split(|c: char| !c.is_ascii_digit()) {
                self.part(digits);
            }
        }
    }

    fn cjk(&mut self, run: &str) {
        for word in segments(run) {
            self.push(word.to_owned(), TermKind::Alias);
        }
        let mut before: Option<char> = None;
        let alone = run.chars().nth(1).is_none();
        for c in run.chars() {
            if let Some(before) = before {
                let kind = match (is_stop_character(before), is_stop_character(c)) {
                    (true, true) => TermKind::Stop,
                    // Endings and particles: what one writes in hiragana is seldom what one means.
                    _ if is_hiragana(before) && is_hiragana(c) => TermKind::Gram,
                    _ => TermKind::Word,
                };
                self.push(format!("{before}{c}"), kind);
            }
            let kind = match (alone, is_stop_character(c)) {
                (_, true) => TermKind::Stop,
                (true, false) => TermKind::Word,
                (false, false) => TermKind::Gram,
            };
            self.push(c.to_string(), kind);
            before = Some(c);
        }
    }

    fn hangul(&mut self, run: &str) {
        if StopIn::of(run).includes(Language::Korean) {
            return self.push(run.to_owned(), TermKind::Stop);
        }
        self.push(run.to_owned(), TermKind::Word);
        if let Some(bare) = without_particle(run) {
            self.push(bare.to_owned(), TermKind::Alias);
        }
        let pairs = run.chars().zip(run.chars().skip(1));
        if run.chars().nth(2).is_some() {
            for (a, b) in pairs {
                self.push(format!("{a}{b}"), TermKind::Gram);
            }
        }
    }

    /// Pairs of what a reader sees as one character.
    fn unspaced(&mut self, run: &str) {
        let mut before: Option<&str> = None;
        for cluster in run.graphemes(true) {
            if let Some(before) = before {
                self.push(format!("{before}{cluster}"), TermKind::Word);
            }
            before = Some(cluster);
        }
        if let Some(only) = before.filter(|only| only.len() == run.len()) {
            self.push(only.to_owned(), TermKind::Word);
        }
    }

    fn picture(&mut self, cluster: &str) {
        let plain: String = cluster.chars().filter(|c| !is_picture_modifier(*c)).collect();
        if plain.contains('\u{200d}') && plain.len() <= Term::BYTES_MAX {
            for part in plain.split('\u{200d}') {
                self.push(part.to_owned(), TermKind::Part);
            }
        }
        self.push(plain, TermKind::Word);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum DateMatch {
    Nothing,
    /// A whole date in one piece of digits.
    Day,
    Other,
}

/// A query without stop words does not give its language away; up to this many words, all are
/// tried.
const GUESSED_WORDS_MAX: usize = 6;

/// Cuts what is too long to be a word, and keeps it apart from others with the same beginning.
fn bounded(mut text: String) -> String {
    if text.len() <= Term::BYTES_MAX {
        return text;
    }
    // FNV-1a: stable across processes; a collision in one's own space gains an attacker nothing.
    let digest = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, b| {
        (hash ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)
    });
    text.truncate(text.floor_char_boundary(Term::BYTES_MAX - 17));
    text.push_str(&format!("~{digest:016x}"));
    text
}

#[cfg(test)]
mod tests;
