//! What somebody prefers in general: *a window seat* and *window seats* are the same, and so are
//! *to hike* and *hiking*.

use super::inflection::{plain_form, singular};
use super::normal_form::Clause;
use super::words::Word;

/// Verbs whose object is a kind, and not one thing.
const OF_KINDS: [&str; 5] = ["prefer", "favor", "favour", "enjoy", "avoid"];

/// Verbs after which *to do* and *doing* are the same.
const OF_DOING: [&str; 4] = ["prefer", "like", "love", "hate"];

/// Words between the parts of what is preferred.
const BETWEEN: [&str; 33] = [
    "on", "in", "at", "for", "with", "without", "over", "to", "of", "from", "by", "during", "when", "while",
    "than", "and", "or", "but", "as", "after", "before", "near", "about", "instead", "rather", "because",
    "if", "that", "which", "who", "where", "not", "is",
];

/// Words that say which or how many.
const DETERMINERS: [&str; 38] = [
    "the", "my", "his", "her", "their", "our", "your", "its", "this", "that", "these", "those", "some",
    "any", "all", "both", "many", "much", "most", "few", "several", "no", "every", "each", "another",
    "other", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "more", "less",
];

/// People: one of them is never all of them.
const PEOPLE: [&str; 46] = [
    "child",
    "kid",
    "baby",
    "son",
    "daughter",
    "boy",
    "girl",
    "man",
    "woman",
    "person",
    "guy",
    "friend",
    "colleague",
    "coworker",
    "neighbour",
    "neighbor",
    "boss",
    "manager",
    "teacher",
    "doctor",
    "student",
    "lawyer",
    "actor",
    "actress",
    "singer",
    "player",
    "partner",
    "wife",
    "husband",
    "brother",
    "sister",
    "cousin",
    "uncle",
    "aunt",
    "parent",
    "client",
    "customer",
    "user",
    "employee",
    "roommate",
    "teammate",
    "dentist",
    "therapist",
    "coach",
    "trainer",
    "engineer",
];

/// What may follow a verb in -ing that is not the name of a thing: *running shoes* are shoes.
const AFTER_DOING: [&str; 6] = ["a", "an", "the", "my", "alone", "outdoors"];

/// Marks a kind. No word of a statement ends like this.
const KIND: &str = "\u{2}";

/// The words that are compared where a statement says what somebody prefers; none for any other
/// statement, or if nothing in it can be said in two ways.
pub(super) fn form(clause: &Clause) -> Option<Vec<String>> {
    let place = clause.verb?;
    let verb = clause.verb_form(&clause.words[place]).pop()?;
    let of_kinds = OF_KINDS.contains(&verb.as_str());
    let of_doing = OF_DOING.contains(&verb.as_str());
    if !of_kinds && !of_doing {
        return None;
    }
    let mut form = plain(&clause.words[..place]);
    form.push(format!("{KIND}{verb}"));
    let mut rest = &clause.words[place + 1..];
    let mut is_folded = false;
    if let Some((verb, after)) = doing(rest).filter(|_| of_doing) {
        form.extend(["to".to_owned(), verb]);
        (rest, is_folded) = (after, true);
    }
    for part in parts(rest) {
        let as_kind = kind(part).filter(|_| of_kinds);
        is_folded |= as_kind.is_some();
        form.extend(as_kind.unwrap_or_else(|| plain(part)));
    }
    is_folded.then_some(form)
}

/// What is done: *to hike …*, or *hiking …*.
fn doing(rest: &[Word]) -> Option<(String, &[Word])> {
    let (first, after) = rest.split_first()?;
    if first.is("to") {
        let (verb, after) = after.split_first()?;
        return Some((verb.text.clone(), after));
    }
    let is_done = after
        .first()
        .is_none_or(|next| next.among(&BETWEEN) || next.among(&AFTER_DOING));
    let verb = plain_form(&first.text).filter(|_| is_done && !first.is_name)?;
    Some((verb, after))
}

/// Splits before and after the words between.
fn parts(words: &[Word]) -> Vec<&[Word]> {
    let mut parts = Vec::new();
    let mut start = 0;
    for (place, word) in words.iter().enumerate() {
        if word.among(&BETWEEN) {
            parts.push(&words[start..place]);
            parts.push(&words[place..=place]);
            start = place + 1;
        }
    }
    parts.push(&words[start..]);
    parts
}

fn plain(part: &[Word]) -> Vec<String> {
    part.iter().map(|word| word.text.clone()).collect()
}

/// Writes a part that names a kind as such: *a quiet hotel* and *quiet hotels*; none for others.
fn kind(part: &[Word]) -> Option<Vec<String>> {
    let (first, head) = (part.first()?, part.last()?);
    let is_one = first.among(&["a", "an"]) && 1 < part.len();
    let counts = |word: &Word| word.among(&DETERMINERS) || word.text.contains(|c: char| c.is_ascii_digit());
    if head.is_name || part.iter().any(counts) {
        return None;
    }
    let one = match is_one {
        true => head.text.clone(),
        false => singular(&head.text)?,
    };
    if PEOPLE.contains(&one.as_str()) {
        return None;
    }
    let mut written = plain(&part[usize::from(is_one)..part.len() - 1]);
    written.push(format!("{one}{KIND}"));
    Some(written)
}
