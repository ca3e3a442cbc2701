//! The normal form of a statement: what it says, without what carries no meaning.

use super::inflection::first_person;
use super::words::{Word, words};

/// A statement, read.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    /// The words after the subject, if that is the user, with a phrase at the front moved to the
    /// end.
    pub(super) words: Vec<Word>,
    /// The place of the verb that goes with the subject, if there may be one.
    pub(super) verb: Option<usize>,
    has_subject: bool,
    is_question: bool,
}

/// Words that introduce the one whom every memory is about, and carry nothing else.
const SUBJECTS: [&[&str]; 4] = [&["the", "user"], &["user"], &["i"], &["the", "customer"]];

/// Verbs of a state, which nobody commands: *prefer tea* says the same as *I prefer tea*.
const STATES: [&str; 8] = [
    "prefer", "like", "love", "hate", "dislike", "want", "need", "have",
];

/// Forms that are the same with and without a subject.
const FIXED: &str = " is was were are be been had do did can could will would should must may might not used got went \
    made took met saw bought left began felt knew said told gave came ran wrote ate drank thought brought built caught \
    chose drove fell flew forgot found grew heard held kept lost paid sent sold spent spoke slept swam taught won wore \
    became ";

/// Words that may stand between a subject and its verb.
const ADVERBS: &str = " always usually often sometimes never rarely seldom really also currently now still just \
    generally mostly ";

/// Words with which a phrase at the front begins.
const FRONTED: &str =
    " on in at during for after before with without every each when until since near throughout from ";

/// With one of these in it, a phrase at the front may belong to a part of the statement only.
const DIVIDING: &str = " and but or because that which who if when while so then although unless than as said says say \
    told tells thinks think believes believe plans plan planned wants want wanted hopes hope intends intend promised \
    promises decided asked asks agreed expects expect ";

/// The most words of a phrase at the front.
const FRONT_WORDS_MAX: usize = 6;

/// Stands before a verb of what the user does. No statement has such a word.
const DOES: &str = "\u{1}";

impl Clause {
    /// Reads a statement.
    pub(super) fn read(statement: &str) -> Clause {
        let is_question = statement.trim_end().ends_with(['?', '？']);
        let said = with_front_at_end(words(statement));
        let rest = without_subject(&said);
        let adverbs = rest.iter().take_while(|word| is_in(ADVERBS, &word.text)).count();
        Clause {
            verb: (adverbs < rest.len()).then_some(adverbs),
            has_subject: rest.len() < said.len(),
            words: rest.to_vec(),
            is_question,
        }
    }

    /// The words that are compared.
    pub(super) fn normal_form(&self) -> Vec<String> {
        let mut form: Vec<String> = Vec::with_capacity(self.words.len() + 1);
        for (place, word) in self.words.iter().enumerate() {
            if is_article(&self.words, place) {
                continue;
            }
            match Some(place) == self.verb {
                true => form.extend(self.verb_form(word)),
                false => form.push(everywhere(&word.text).to_owned()),
            }
        }
        // A statement of nothing but articles is still a statement.
        if form.is_empty() {
            form.extend(self.words.iter().map(|word| word.text.clone()));
        }
        if self.is_question {
            form.push("?".to_owned());
        }
        form
    }

    /// The verb of the user: *drinks* and *I drink*, which is not what *drink!* says.
    pub(super) fn verb_form(&self, word: &Word) -> Vec<String> {
        let text = everywhere(&word.text);
        let base = match word.is_name {
            true => None,
            false => first_person(text),
        };
        let plain = base.as_deref().unwrap_or(text);
        if STATES.contains(&plain) {
            return vec![plain.to_owned()];
        }
        let is_verb = !is_in(FIXED, text)
            && !text.ends_with("ed")
            && !text.ends_with("ing")
            && text.bytes().all(|byte| byte.is_ascii_lowercase());
        match is_verb && (base.is_some() || self.has_subject) {
            true => vec![DOES.to_owned(), plain.to_owned()],
            false => vec![text.to_owned()],
        }
    }
}

/// Tells whether a word is in a list that is written with a blank on each side of every word.
fn is_in(list: &str, word: &str) -> bool {
    let mut places = list.match_indices(word);
    places.any(|(at, _)| {
        let (before, after) = (&list[..at], &list[at + word.len()..]);
        before.ends_with(' ') && after.starts_with(' ')
    })
}

/// Forms that are never anything else.
fn everywhere(word: &str) -> &str {
    match word {
        "has" => "have",
        "am" => "is",
        "does" => "do",
        other => other,
    }
}

/// Articles say nothing of their own; prepositions, tenses and quantities do.
fn is_article(words: &[Word], place: usize) -> bool {
    let (word, next) = (&words[place], words.get(place + 1));
    match word.text.as_str() {
        "the" | "an" => next.is_some(),
        // *Vitamin A*, *plan A*; and *a few* is not *few*.
        "a" => !word.is_name && next.is_some_and(|next| !next.among(&["few", "little"])),
        _ => false,
    }
}

fn without_subject(words: &[Word]) -> &[Word] {
    let begins = |subject: &&[&str]| {
        // "I" alone, or "user" alone, is all there is.
        subject.len() < words.len() && subject.iter().zip(words).all(|(text, word)| word.is(text))
    };
    let subject = SUBJECTS.iter().copied().find(|subject| begins(subject));
    subject.map_or(words, |subject| &words[subject.len()..])
}

/// Moves a phrase at the front (*on flights, I prefer …*) to the end, if it can only belong to the
/// whole.
fn with_front_at_end(words: Vec<Word>) -> Vec<Word> {
    let (Some(first), Some(end)) = (words.first(), front(&words)) else {
        return words;
    };
    let (phrase, rest) = words.split_at(end);
    let inner = &words[..words.len() - 1];
    let divides = |word: &Word| is_in(DIVIDING, &word.text);
    let is_whole = is_in(FRONTED, &first.text)
        && 1 < rest.len()
        && !inner.iter().any(|word| word.ends_sentence)
        && !rest.iter().any(|word| word.comma || divides(word))
        && !phrase.iter().skip(1).any(divides);
    match is_whole {
        true => [rest, phrase].concat(),
        false => words,
    }
}

/// Where a phrase at the front ends: at a comma, or where the user is named.
fn front(words: &[Word]) -> Option<usize> {
    let most = FRONT_WORDS_MAX.min(words.len());
    let comma = words[..most].iter().position(|word| word.comma);
    let user = (2..most).find(|at| words[*at].is("i") && words[*at].is_name);
    comma.map(|at| at + 1).or(user).filter(|end| 1 < *end)
}
