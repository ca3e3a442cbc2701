//! Whether a memory bears on a prompt. In a session about code nearly every prompt has some word in
//! common with some memory ("file", "add", "test"), and a small space cannot tell from its own
//! counts which words say something. So it is told: words of every session count little, words of
//! one topic speak for each other, and nearness of meaning decides the rest.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use recalld_index::text::{Term, TermKind, analyse, analyse_query};

/// Words that every session has.
static EVERYDAY: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let words = include_str!("bearing/everyday.txt").split_whitespace();
    words.flat_map(forms).collect()
});

/// The topics of a word, a bit each. A line of the file is a topic.
static TOPICS: LazyLock<HashMap<String, u64>> = LazyLock::new(|| {
    let mut topics = HashMap::new();
    for (number, line) in include_str!("bearing/topics.txt").lines().enumerate() {
        for form in line.split_whitespace().flat_map(forms) {
            *topics.entry(form).or_default() |= 1 << (number % 64);
        }
    }
    topics
});

fn forms(word: &str) -> impl Iterator<Item = String> {
    let terms = analyse(word).into_iter();
    terms
        .filter(|term| term.kind != TermKind::Part)
        .map(|term| term.text)
}

/// What the signs weigh, fitted on eighty memories with a prompt for each and eighty other prompts.
mod weight {
    /// A word in common that is not an everyday one.
    pub(super) const TELLING: f32 = 4.7;
    pub(super) const TELLING_MAX: f32 = 3.0;
    pub(super) const EVERYDAY: f32 = 1.4;
    pub(super) const EVERYDAY_MAX: f32 = 2.0;
    /// A topic in common, of different words.
    pub(super) const TOPIC: f32 = 3.1;
    pub(super) const TOPIC_MAX: f32 = 2.0;
    pub(super) const COSINE: f32 = 4.8;
    /// What all of them must exceed.
    pub(super) const NEEDED: f32 = 3.7;
    /// A character of Chinese or Japanese beside a word.
    pub(super) const GRAM: f32 = 0.5;
}

/// Long texts have words in common by chance: from this many telling words on, each counts less.
const TELLING_WORDS: f32 = 9.0;

/// A text as far as it matters here.
#[derive(Debug)]
pub(crate) struct Reading {
    words: Vec<Word>,
    /// How many words are no everyday ones.
    telling: f32,
}

#[derive(Debug, Default)]
struct Word {
    /// Each with whether it is an everyday word: of `vendor/bar.go` only `vendor` tells something.
    forms: Vec<(String, bool)>,
    is_gram: bool,
    topics: u64,
}

impl Reading {
    /// Reads what the user typed.
    pub(crate) fn prompt(text: &str) -> Reading {
        Reading::of(analyse_query(text))
    }

    /// What a text must hold, in lower case, to have a telling word in common: the beginnings of
    /// the words, since stems end otherwise.
    pub(crate) fn beginnings(&self) -> Vec<String> {
        const CHARS: usize = 4;
        let forms = self.words.iter().flat_map(|word| &word.forms);
        let telling = forms.filter(|(_, is_everyday)| !is_everyday);
        telling
            .map(|(form, _)| form.chars().take(CHARS).collect())
            .collect()
    }

    fn memory(text: &str) -> Reading {
        Reading::of(analyse(text))
    }

    fn of(terms: Vec<Term>) -> Reading {
        let mut words: Vec<Word> = Vec::new();
        let mut at = None;
        for term in terms {
            if matches!(term.kind, TermKind::Stop | TermKind::Weak) {
                continue;
            }
            if at != Some(term.word) {
                at = Some(term.word);
                words.push(Word::default());
            }
            let Some(word) = words.last_mut() else { continue };
            let is_number = term.text.chars().all(|c| !c.is_alphabetic());
            let is_everyday = is_number || EVERYDAY.contains(&term.text);
            word.is_gram |= term.kind == TermKind::Gram;
            word.topics |= TOPICS.get(&term.text).copied().unwrap_or_default();
            word.forms.push((term.text, is_everyday));
        }
        let telling = words
            .iter()
            .filter(|word| word.forms.iter().any(|(_, is_everyday)| !is_everyday))
            .map(Word::share)
            .sum();
        Reading { words, telling }
    }
}

impl Word {
    fn share(&self) -> f32 {
        match self.is_gram {
            true => weight::GRAM,
            false => 1.0,
        }
    }
}

/// Tells whether a memory bears on a prompt; `cosine` says how near they are in meaning.
pub(crate) fn bears_on(memory: &str, prompt: &Reading, cosine: f32) -> bool {
    0.0 <= strength(memory, prompt, cosine)
}

/// How much more speaks for it than is needed; less than 0 if it does not bear on the prompt.
pub(crate) fn strength(memory: &str, prompt: &Reading, cosine: f32) -> f32 {
    let memory = Reading::memory(memory);
    let forms: HashSet<&str> = memory
        .words
        .iter()
        .flat_map(|word| &word.forms)
        .map(|(form, _)| form.as_str())
        .collect();
    let mut met = HashSet::new();
    let (mut telling, mut everyday, mut topics) = (0.0, 0.0, 0);
    for word in &prompt.words {
        let shared = word
            .forms
            .iter()
            .filter(|(form, _)| forms.contains(form.as_str()));
        let shared: Vec<&(String, bool)> = shared.collect();
        // What is said twice is one sign.
        let is_new = shared
            .iter()
            .fold(false, |new, (form, _)| met.insert(form.as_str()) || new);
        match shared.iter().all(|(_, is_everyday)| *is_everyday) {
            _ if shared.is_empty() => topics |= word.topics,
            _ if !is_new => {}
            true => everyday += word.share(),
            false => telling += word.share(),
        }
    }
    let other = memory
        .words
        .iter()
        .filter(|word| !word.forms.iter().any(|(form, _)| met.contains(form.as_str())));
    let topics = (topics & other.fold(0, |all, word| all | word.topics)).count_ones() as f32;
    let by_chance = (prompt.telling / TELLING_WORDS).max(1.0) * (memory.telling / TELLING_WORDS).max(1.0);
    let signs = weight::TELLING * telling.min(weight::TELLING_MAX)
        + weight::EVERYDAY * everyday.min(weight::EVERYDAY_MAX)
        + weight::TOPIC * topics.min(weight::TOPIC_MAX);
    signs / by_chance + weight::COSINE * cosine - weight::NEEDED
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn telling_words_and_topics_bear_and_everyday_words_do_not() {
        let memory = "Passwords are hashed with argon2id";
        for (prompt, memory, bears) in [
            ("implement the change of a password", memory, true),
            (
                "show me the file again",
                "Protobuf files are compiled with buf generate",
                false,
            ),
            (
                "users are logged out too often",
                "Auth tokens expire after 15 minutes",
                true,
            ),
            (
                "what is 15% of 240?",
                "Auth tokens expire after 15 minutes",
                false,
            ),
            ("go on", memory, false),
            ("patch vendor/a/bar.go", "Never commit to the vendor folder", true),
        ] {
            assert_eq!(
                bears_on(memory, &Reading::prompt(prompt), 0.16),
                bears,
                "{prompt}"
            );
        }
    }

    #[test]
    fn one_word_in_a_long_text_says_little() {
        let long = "The harbour, granite cliffs, violin concert, orchard, lantern, marble statue, copper kettle, \
                    velvet curtain, pepper, walnut, saffron, thunder, meadow and the password";
        assert!(!bears_on(
            "Passwords are hashed with argon2id",
            &Reading::prompt(long),
            0.1
        ));
    }

    #[test]
    fn there_is_a_bit_for_each_topic() {
        assert!(include_str!("bearing/topics.txt").lines().count() <= 64);
    }
}
