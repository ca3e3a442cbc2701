//! When two statements are the same.
//!
//! A write is refused only when nothing would be lost by it: the same words in the same order,
//! whatever their case, white space, punctuation and articles, with a phrase at the front or at the
//! end, and with inflections that carry no meaning. Numbers, negations, names, tense, mood and the
//! order of words tell statements apart, and likeness of meaning alone never refuses a write; it is
//! only shown to the writer.

mod generic;
mod inflection;
mod normal_form;
mod words;

use std::collections::BTreeSet;

use recalld_index::text::content_words;
use sha2::{Digest, Sha256};

use crate::memory::Project;

use normal_form::Clause;

/// What two statements have in common when they say the same: a digest, since every memory in a
/// space has one and only sameness is asked of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint([u8; 16]);

impl Fingerprint {
    /// Takes the fingerprint of `statement`.
    pub fn of(statement: &str) -> Fingerprint {
        Fingerprint::digest(&Clause::read(statement).normal_form())
    }

    /// Takes all fingerprints of `statement`: those that share one say the same. A statement of
    /// what somebody prefers has a second one, in which *a window seat* and *window seats* are the
    /// same. It is apart from the first, in which *a chicken* and *chicken* are: otherwise
    /// *chickens* and *chicken* would be the same as well.
    pub fn all(statement: &str) -> impl Iterator<Item = Fingerprint> {
        let clause = Clause::read(statement);
        let first = Fingerprint::digest(&clause.normal_form());
        let second = generic::form(&clause).map(|form| Fingerprint::digest(&form));
        [Some(first), second].into_iter().flatten()
    }

    /// The fingerprint of the same statement in a project: what is said in one is not said in
    /// another.
    pub fn within(self, project: Option<&Project>) -> Fingerprint {
        let Some(project) = project else { return self };
        let other = Sha256::digest(project.as_str());
        Fingerprint(std::array::from_fn(|place| self.0[place] ^ other[place]))
    }

    fn digest(words: &[String]) -> Fingerprint {
        let digest = Sha256::digest(words.join(" "));
        Fingerprint(std::array::from_fn(|place| digest[place]))
    }
}

/// From this cosine on a writer should see the other statement, whatever words they share. `recalld
/// eval sts` measures how many that shows of the same meaning, and how many of another.
pub const COSINE_MIN: f32 = 0.8;

/// Tells whether two statements share so much that a writer should see the other one. It refuses
/// nothing.
pub fn alike(a: &str, b: &str) -> bool {
    let (a, b) = (content_words(a), content_words(b));
    let shared = a.iter().filter(|word| b.contains(word)).count();
    let fewer = a.len().min(b.len());
    0 < fewer && fewer <= 2 * shared
}

/// Tells whether two statements that sound alike differ in what they say: in a number, in a
/// negation, or in a name.
pub fn differ_in_substance(a: &str, b: &str) -> bool {
    let (words_a, words_b) = (content_words(a), content_words(b));
    let numbers = |words: &[String]| -> BTreeSet<String> {
        words
            .iter()
            .filter(|word| word.contains(|c: char| c.is_ascii_digit()))
            .cloned()
            .collect()
    };
    let negations = |words: &[String]| words.iter().filter(|word| is_negation(word)).count() % 2;
    let names = |text: &str, other: &[String]| names(text).iter().any(|name| !other.contains(name));
    numbers(&words_a) != numbers(&words_b)
        || negations(&words_a) != negations(&words_b)
        || (names(a, &words_b) && names(b, &words_a))
}

/// Tells whether a word denies what it stands with.
pub(crate) fn is_negation(word: &str) -> bool {
    matches!(
        word,
        "not"
            | "no"
            | "never"
            | "none"
            | "nobody"
            | "nothing"
            | "without"
            | "neither"
            | "nor"
            | "不"
            | "没"
            | "无"
    )
}

/// The words written with a capital that do not begin a sentence, as they are compared.
fn names(statement: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut begins = true;
    for word in statement.split_whitespace() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        let capital = bare.starts_with(char::is_uppercase);
        if capital && !begins {
            names.extend(content_words(bare));
        }
        begins = word.ends_with(['.', '!', '?', ':']);
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(a: &str, b: &str) -> bool {
        Fingerprint::of(a) == Fingerprint::of(b)
    }

    #[test]
    fn the_same_words_are_the_same_statement() {
        for (a, b) in [
            ("I prefer window seats", "  i PREFER\twindow   seats!! "),
            ("Staff engineer at Acme", "staff engineer, at Acme."),
            ("doesn't eat pork", "doesn’t eat pork"),
            ("has a dog called Rex", "have the dog called Rex"),
            ("User prefers window seats", "I prefer window seats"),
            ("我喜欢喝茶。", "我喜欢喝茶"),
            ("\"quoted\" — and (bracketed)", "quoted and bracketed"),
            ("ｆｕｌｌ ｗｉｄｔｈ", "full width"),
        ] {
            assert!(
                same(a, b),
                "{a:?} and {b:?}: {:?} {:?}",
                Fingerprint::of(a),
                Fingerprint::of(b)
            );
        }
    }

    #[test]
    fn what_differs_in_substance_is_kept_apart() {
        for (a, b) in [
            ("prefers tea over coffee", "prefers coffee over tea"),
            ("flight at 9:40", "flight at 19:40"),
            ("is vegetarian", "is not vegetarian"),
            ("likes C", "likes C++"),
            ("likes C#", "likes C"),
            ("budget is 1.5 million", "budget is 15 million"),
            ("it was 5 degrees", "it was -5 degrees"),
            ("owns .5 of it", "owns 5 of it"),
            ("50% off", "50 off"),
            ("allergic to nuts", "allergic to peanuts"),
            ("met Ana", "met Anna"),
            ("papa", "papá"),
            ("flies to Rome", "flies from Rome"),
            ("lives in Paris", "lived in Paris"),
            ("I", "the user"),
        ] {
            assert!(!same(a, b), "{a:?} and {b:?}");
        }
    }

    #[test]
    fn statements_that_sound_alike_may_differ_in_substance() {
        for (a, b) in [
            ("the flight is at 9:40", "the flight is at 19:40"),
            ("she eats meat", "she never eats meat"),
            ("lunch with Ana on the pier", "lunch with Eva on the pier"),
        ] {
            assert!(differ_in_substance(a, b), "{a:?} and {b:?}");
        }
        for (a, b) in [
            ("I have 2 cats", "owns 2 cats"),
            ("lives in Lisbon", "has a home in Lisbon"),
            ("the sea is calm", "The water is calm"),
            ("", ""),
        ] {
            assert!(!differ_in_substance(a, b), "{a:?} and {b:?}");
        }
    }
}
