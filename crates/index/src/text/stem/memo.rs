//! Remembers the stems of words. Taking an ending off takes microseconds, texts are made of the
//! same words again and again, and a question may be read in several languages.
//!
//! Words themselves are not kept, only keyed digests with keys of this process, and what is put in
//! place of an ending: what is erased leaves nothing here.

use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

use parking_lot::Mutex;
use rust_stemmers::{Algorithm, Stemmer};

/// Words whose digests are alike share a row, and the newest in it are remembered.
const ROWS: usize = 1 << 12;
const IN_ROW: usize = 4;
/// An ending that is replaced by more is taken off anew each time.
const TAIL_BYTES_MAX: usize = 6;

static MEMO: LazyLock<Memo> = LazyLock::new(Memo::new);

/// Gives the stem of a word by the rules of Snowball.
pub(super) fn stemmed(algorithm: Algorithm, word: &str) -> String {
    MEMO.stem(algorithm, word, |word| {
        Stemmer::create(algorithm).stem(word).into_owned()
    })
}

struct Memo {
    row: RandomState,
    check: RandomState,
    rows: Vec<Mutex<[Known; IN_ROW]>>,
}

/// The empty word is never asked for: a place that was not used yet leaves nothing of any word.
#[derive(Clone, Copy, Default)]
struct Known {
    check: u64,
    /// How much of the word is left, and how long the tail is that follows.
    kept: u8,
    tail_bytes: u8,
    tail: [u8; TAIL_BYTES_MAX],
}

impl Known {
    fn of(check: u64, word: &str, stem: &str) -> Option<Known> {
        let same = |(a, b): &(char, char)| a == b;
        let common = word.chars().zip(stem.chars()).take_while(same);
        let kept = common.map(|(c, _)| c.len_utf8()).sum::<usize>();
        let rest = &stem.as_bytes()[kept..];
        let mut tail = [0; TAIL_BYTES_MAX];
        tail.get_mut(..rest.len())?.copy_from_slice(rest);
        Some(Known {
            check,
            kept: u8::try_from(kept).ok()?,
            tail_bytes: rest.len() as u8,
            tail,
        })
    }

    fn is_used(self) -> bool {
        0 < self.kept + self.tail_bytes
    }

    fn stem(self, word: &str) -> Option<String> {
        let tail = std::str::from_utf8(&self.tail[..usize::from(self.tail_bytes)]).ok()?;
        let mut stem = String::with_capacity(usize::from(self.kept) + tail.len());
        stem.push_str(word.get(..usize::from(self.kept))?);
        stem.push_str(tail);
        Some(stem)
    }
}

impl Memo {
    fn new() -> Memo {
        let mut rows = Vec::new();
        rows.resize_with(ROWS, Mutex::default);
        Memo {
            row: RandomState::new(),
            check: RandomState::new(),
            rows,
        }
    }

    /// Both digests together are more than 70 bits that nobody outside knows: two words do not
    /// meet.
    fn stem(&self, algorithm: Algorithm, word: &str, stem: impl FnOnce(&str) -> String) -> String {
        let asked = (algorithm as u8, word);
        let row = &self.rows[self.row.hash_one(asked) as usize % ROWS];
        let check = self.check.hash_one(asked);
        let known = row
            .lock()
            .iter()
            .find(|known| known.check == check && known.is_used())
            .copied();
        if let Some(stem) = known.and_then(|known| known.stem(word)) {
            return stem;
        }
        let stem = stem(word);
        if let Some(known) = Known::of(check, word, &stem) {
            let mut row = row.lock();
            row.rotate_right(1);
            row[0] = known;
        }
        stem
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_word_is_stemmed_once_in_each_language() {
        let memo = Memo::new();
        let english = memo.stem(Algorithm::English, "running", |_| "run".to_owned());
        let german = memo.stem(Algorithm::German, "running", |_| "running".to_owned());
        assert_eq!((english.as_str(), german.as_str()), ("run", "running"));
        let again = memo.stem(Algorithm::English, "running", |_| {
            unreachable!("it is remembered")
        });
        assert_eq!(again, "run");
        let again = memo.stem(Algorithm::German, "running", |_| unreachable!("it is remembered"));
        assert_eq!(again, "running");
    }

    #[test]
    fn a_stem_that_has_little_to_do_with_its_word_is_not_kept() {
        let memo = Memo::new();
        for stem in ["seventh", "of a word"] {
            assert_eq!(memo.stem(Algorithm::English, "a", |_| stem.to_owned()), stem);
        }
    }

    proptest! {
        #[test]
        fn a_remembered_stem_is_the_stem(words in prop::collection::vec("[a-zа-яäöüßéñ]{1,14}", 1..40)) {
            for algorithm in [Algorithm::English, Algorithm::French, Algorithm::Russian] {
                for word in words.iter().chain(&words) {
                    let plain = Stemmer::create(algorithm).stem(word).into_owned();
                    prop_assert_eq!(stemmed(algorithm, word), plain);
                }
            }
        }
    }
}
