//! A classifier: how much a sentence resembles instructions, policies and claims about permissions,
//! rather than facts about a person.
//!
//! Rules know the words of attacks that were seen before. The classifier generalises: it weighs the
//! sentence encoder's vector, which says what a sentence means in 16 languages, together with the
//! words and parts of words, and compares the vector with examples. `tools/screening/train.py`
//! makes the weights.

use std::sync::{Arc, LazyLock, OnceLock};

use super::examples::{Examples, numbers};
use super::{disguise, segments};
use crate::screening::invisible::visible;

/// Reads sentences for the classifier.
pub trait SentenceReader: Send + Sync {
    /// Gives the vector of a sentence, [`VECTOR`] components; zeros if it is not understood.
    fn vector(&self, sentence: &str) -> Vec<f32>;
}

/// The components of a sentence's vector.
pub const VECTOR: usize = 512;

/// The number of buckets that words and their parts are hashed into.
pub const BUCKETS: usize = 1 << 15;

/// Words of a sentence that are looked at.
const WORDS_MAX: usize = 120;

/// From this score on a text is quarantined.
const SUSPICIOUS_MIN: f32 = 2.5;

/// The same for a part of a longer text, of which there are many.
const SUSPICIOUS_PART_MIN: f32 = 2.8;

/// Below this score a text is a fact even if a rule takes it for an instruction.
const FACT_MAX: f32 = -2.3;

static READER: OnceLock<Arc<dyn SentenceReader>> = OnceLock::new();

/// Gives the classifier its reader, once for the whole process. Until then rules decide alone.
pub fn install(reader: Arc<dyn SentenceReader>) {
    let _ = READER.set(reader);
}

/// What the classifier takes a text for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Resemblance {
    /// A fact about somebody, whatever a rule says.
    Fact,
    /// Neither.
    Unclear,
    Instruction,
}

/// Judges a text; none without a reader.
pub(super) fn judge(text: &str) -> Option<Resemblance> {
    let reader = READER.get()?;
    let parts = parts(text);
    if parts.is_empty() {
        return None;
    }
    let least = match parts.len() {
        1 => SUSPICIOUS_MIN,
        _ => SUSPICIOUS_PART_MIN,
    };
    let scores = parts.iter().map(|part| score(&**reader, part));
    let highest = scores.fold(f32::MIN, f32::max);
    Some(match highest {
        highest if least <= highest => Resemblance::Instruction,
        highest if highest < FACT_MAX => Resemblance::Fact,
        _ => Resemblance::Unclear,
    })
}

/// Gives the parts of a text that are judged one by one, the whole of a short text first. Letters
/// that were swapped for look-alikes are undone in one more part.
pub fn parts(text: &str) -> Vec<String> {
    let text = visible(text);
    if text.trim().is_empty() {
        return Vec::new();
    }
    let plain = disguise::without_swaps(&text);
    segments::of(&text).into_iter().chain(plain).collect()
}

fn score(reader: &dyn SentenceReader, sentence: &str) -> f32 {
    let weights = &*WEIGHTS;
    let vector = reader.vector(sentence);
    let meaning: f32 = vector.iter().zip(&weights.vector).map(|(x, w)| x * w).sum();
    let grams = grams(sentence);
    let words: f32 = grams.iter().map(|gram| weights.gram(*gram)).sum();
    let length = (grams.len().max(1) as f32).sqrt();
    weights.bias + meaning + words / length + weights.examples.likeness(&vector)
}

/// The weights of [`score`].
struct Weights {
    bias: f32,
    vector: Vec<f32>,
    /// Of a bucket, in steps.
    grams: &'static [u8],
    step: f32,
    examples: Examples,
}

impl Weights {
    fn gram(&self, bucket: u32) -> f32 {
        let steps = self
            .grams
            .get(bucket as usize)
            .map_or(0, |byte| byte.cast_signed());
        f32::from(steps) * self.step
    }
}

static WEIGHTS: LazyLock<Weights> = LazyLock::new(|| {
    const FILE: &[u8] = include_bytes!("classifier.bin");
    const HEAD: usize = 4 * (2 + VECTOR);
    let (head, rest) = FILE.split_at(HEAD);
    let (grams, examples) = rest.split_at(BUCKETS);
    let numbers = numbers(head);
    Weights {
        bias: numbers[0],
        step: numbers[1],
        vector: numbers[2..].to_vec(),
        grams,
        examples: Examples::parse(examples, VECTOR),
    }
});

/// Gives the buckets of a sentence's words, pairs of words and parts of words, each once.
pub fn grams(sentence: &str) -> Vec<u32> {
    let folded = disguise::folded(sentence);
    let words = words(&folded);
    let mut buckets = Vec::new();
    let mut put = |kind: char, first: &str, second: &str| buckets.push(bucket(kind, first, second));
    for (at, word) in words.iter().enumerate() {
        put('w', word, "");
        if let Some(next) = words.get(at + 1) {
            put('b', word, next);
        }
        let characters: Vec<char> = match word.chars().any(is_unspaced) {
            true => word.chars().collect(),
            false => format!("^{word}$").chars().collect(),
        };
        let lengths = if word.chars().any(is_unspaced) {
            1..=3
        } else {
            3..=4
        };
        for length in lengths {
            for part in characters.windows(length) {
                put('c', &part.iter().collect::<String>(), "");
            }
        }
    }
    if let (Some(first), Some(last)) = (words.first(), words.last()) {
        put('f', first, "");
        put('l', last, "");
        put('g', first, words.get(1).map_or("", String::as_str));
    }
    buckets.sort_unstable();
    buckets.dedup();
    buckets
}

/// Cuts folded text into words and single signs. All digits are one.
fn words(folded: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut is_open = false;
    for c in folded.chars() {
        let c = if c.is_numeric() { '0' } else { c };
        let is_part = is_word_part(c);
        match words.last_mut() {
            Some(word) if is_open && is_part => word.push(c),
            _ if c.is_whitespace() => {}
            _ => words.push(c.to_string()),
        }
        is_open = is_part;
    }
    words.truncate(WORDS_MAX);
    words
}

/// Letters, digits, and the marks that stand on letters.
fn is_word_part(c: char) -> bool {
    c.is_alphanumeric()
        || matches!(c, '_' | '\u{300}'..='\u{36f}' | '\u{64b}'..='\u{65f}' | '\u{900}'..='\u{dff}' | '\u{e00}'..='\u{e7f}')
}

/// Whether a script writes words without spaces between them.
fn is_unspaced(c: char) -> bool {
    matches!(c, '\u{e00}'..='\u{eff}') || '\u{2e00}' < c
}

/// Hashes (FNV-1a) into a bucket.
fn bucket(kind: char, first: &str, second: &str) -> u32 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut take = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    take(kind as u8);
    first.bytes().for_each(&mut take);
    take(b' ');
    second.bytes().for_each(&mut take);
    ((hash ^ (hash >> 32)) % BUCKETS as u64) as u32
}
