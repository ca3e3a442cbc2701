//! Remembers how many tokens a text was. Counting takes some microseconds a sentence, and the same
//! memories are handed out again and again.
//!
//! Texts themselves are not kept, only keyed digests with keys of this process: what is erased
//! leaves nothing here.

use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

use parking_lot::{Mutex, MutexGuard};

use super::TokenCount;

/// Texts whose digests are alike share a row, and the newest in it are remembered.
const ROWS: usize = 1 << 12;
const IN_ROW: usize = 8;

static MEMO: LazyLock<Memo> = LazyLock::new(Memo::new);

/// Gives the count of `text`, by `count` if it is not remembered.
pub(super) fn remembered(text: &str, count: impl FnOnce(&str) -> TokenCount) -> TokenCount {
    MEMO.count(text, count)
}

struct Memo {
    row: RandomState,
    check: RandomState,
    rows: Vec<Mutex<[Known; IN_ROW]>>,
}

/// The empty text is never asked for, so a place that was not used yet is one with nothing counted.
#[derive(Clone, Copy, Default)]
struct Known {
    check: u64,
    cl100k: u32,
    o200k: u32,
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

    /// Both digests together are more than 70 bits that nobody outside knows: two texts do not
    /// meet.
    fn count(&self, text: &str, count: impl FnOnce(&str) -> TokenCount) -> TokenCount {
        let row = &self.rows[self.row.hash_one(text) as usize % ROWS];
        let check = self.check.hash_one(text);
        let known = lock(row)
            .iter()
            .find(|known| known.check == check && known.cl100k > 0)
            .copied();
        if let Some(known) = known {
            return TokenCount {
                cl100k: known.cl100k as usize,
                o200k: known.o200k as usize,
            };
        }
        let counted = count(text);
        if let (Ok(cl100k), Ok(o200k)) = (u32::try_from(counted.cl100k), u32::try_from(counted.o200k)) {
            let mut row = lock(row);
            row.rotate_right(1);
            row[0] = Known { check, cl100k, o200k };
        }
        counted
    }
}

fn lock(row: &Mutex<[Known; IN_ROW]>) -> MutexGuard<'_, [Known; IN_ROW]> {
    row.lock()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_counted_once() {
        let memo = Memo::new();
        let three = TokenCount { cl100k: 3, o200k: 2 };
        assert_eq!(memo.count("a b c", |_| three), three);
        assert_eq!(memo.count("a b c", |_| unreachable!("it is remembered")), three);
    }

    #[test]
    fn texts_that_share_a_row_do_not_share_a_count() {
        let memo = Memo::new();
        let of = |number: usize| TokenCount {
            cl100k: number + 1,
            o200k: number + 1,
        };
        for number in 0..2 * ROWS * IN_ROW {
            memo.count(&number.to_string(), |_| of(number));
        }
        for number in 0..2 * ROWS * IN_ROW {
            assert_eq!(memo.count(&number.to_string(), |_| of(number)), of(number));
        }
    }
}
