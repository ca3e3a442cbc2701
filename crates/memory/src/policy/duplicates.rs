//! When two statements are the same.
//!
//! A write is refused only when nothing would be lost by it: the same words in the same order,
//! whatever their case, white space and punctuation. Numbers, negations, names and the order of
//! words tell statements apart, and likeness of meaning alone never refuses a write; it is only
//! shown to the writer.

use std::borrow::Cow;
use std::collections::BTreeSet;

use recalld_index::text::content_words;
use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization;

/// What two statements have in common when they say the same in the same words: a digest, since
/// every memory in a space has one and only sameness is asked of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint([u8; 16]);

/// Words that introduce the one whom every memory is about, and carry nothing else.
const SUBJECTS: [&[&str]; 4] = [&["the", "user"], &["user"], &["i"], &["the", "customer"]];

impl Fingerprint {
    /// Takes the fingerprint of `statement`.
    pub fn of(statement: &str) -> Fingerprint {
        let folded = folded(statement);
        let words = words(&folded);
        let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
        let words = without_subject(&words);
        let said: Vec<&str> = words
            .iter()
            .map(|word| verb_of_speech(word))
            .filter(|word| !is_article(word))
            .collect();
        // A statement of nothing but articles is still a statement.
        let said = if said.is_empty() { words.to_vec() } else { said };
        let digest = Sha256::digest(said.join(" "));
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

fn is_negation(word: &str) -> bool {
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

/// Takes away the differences of case and of writing the same character.
fn folded(statement: &str) -> String {
    if statement.is_ascii() {
        // Has one way of writing only.
        return statement.to_ascii_lowercase();
    }
    statement.nfkc().flat_map(char::to_lowercase).nfkc().collect()
}

/// Splits what was folded into words; signs that are part of what a word says (`c++`, `-5`, `9:40`,
/// `50%`, `node.js`) stay.
fn words(folded: &str) -> Vec<Cow<'_, str>> {
    let chunks = folded.split(|c: char| c.is_whitespace() || is_separator(c));
    let words = chunks.map(trim_punctuation).filter(|word| !word.is_empty());
    words
        .map(|word| match word.contains(is_apostrophe) {
            true => word.replace(is_apostrophe, "").into(),
            false => word.into(),
        })
        .collect()
}

/// Characters between words, wherever they stand.
fn is_separator(c: char) -> bool {
    matches!(
        c,
        ';' | '!' | '?' | '"' | '“' | '”' | '„' | '«' | '»' | '(' | ')' | '[' | ']' | '{' | '}' | '…'
    ) || matches!(
        c,
        '—' | '–' | '、' | '。' | '「' | '」' | '『' | '』' | '《' | '》' | '*' | '`' | '|'
    )
}

/// Articles say nothing of their own; prepositions, tenses and quantities do.
fn is_article(word: &str) -> bool {
    matches!(word, "a" | "an" | "the")
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | '‘' | 'ʼ')
}

/// Takes off the punctuation around a word, but not the signs that change what it says.
fn trim_punctuation(chunk: &str) -> &str {
    let loose =
        |c: char| matches!(c, '.' | ',' | ':' | '/' | '\\' | '_' | '~' | '·' | '•') || is_apostrophe(c);
    let chunk = chunk.trim_end_matches(|c: char| loose(c) || c == '-');
    // A sign before a number is part of it (`-5`, `.5`); before a word it is decoration.
    let start = chunk.trim_start_matches(|c: char| loose(c) || c == '-');
    let signed = start.starts_with(|c: char| c.is_ascii_digit()) && start.len() < chunk.len();
    match signed {
        true if chunk[..chunk.len() - start.len()].ends_with(['-', '.']) => {
            &chunk[chunk.len() - start.len() - 1..]
        }
        _ => start,
    }
}

fn without_subject<'w>(words: &'w [&'w str]) -> &'w [&'w str] {
    // "I" alone, or "user" alone, is all there is.
    let rest = |subject: &'static [&'static str]| words.strip_prefix(subject).filter(|rest| !rest.is_empty());
    SUBJECTS.into_iter().find_map(rest).unwrap_or(words)
}

/// Folds the third person that models write (`prefers`) onto the first that users do (`prefer`).
fn verb_of_speech(word: &str) -> &str {
    const PAIRS: [(&str, &str); 14] = [
        ("prefers", "prefer"),
        ("likes", "like"),
        ("loves", "love"),
        ("hates", "hate"),
        ("dislikes", "dislike"),
        ("lives", "live"),
        ("works", "work"),
        ("wants", "want"),
        ("needs", "need"),
        ("uses", "use"),
        ("has", "have"),
        ("is", "be"),
        ("am", "be"),
        ("im", "be"),
    ];
    PAIRS
        .iter()
        .find(|(form, _)| *form == word)
        .map_or(word, |(_, verb)| verb)
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
