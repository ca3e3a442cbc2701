//! One encoding: how a text is cut, and how the bytes of a piece are merged into tokens.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::LazyLock;

use super::pieces::{Pieces, Rules};
use super::vocabulary::Vocabulary;

/// A published encoding.
pub(super) struct Encoding {
    rules: Rules,
    vocabulary: Vocabulary,
}

/// The encoding of the models of 2023.
pub(super) static CL100K: LazyLock<Encoding> = LazyLock::new(|| Encoding {
    rules: Rules::Cl100k,
    vocabulary: Vocabulary::of(include_bytes!("../../../assets/cl100k.tokens")),
});

/// The encoding of the models after them.
pub(super) static O200K: LazyLock<Encoding> = LazyLock::new(|| Encoding {
    rules: Rules::O200k,
    vocabulary: Vocabulary::of(include_bytes!("../../../assets/o200k.tokens")),
});

impl Encoding {
    /// Counts the tokens of `text`.
    pub(super) fn count(&self, text: &str) -> usize {
        let mut merging = Merging::default();
        Pieces::of(text, self.rules)
            .map(|piece| match self.vocabulary.rank(piece.as_bytes()) {
                Some(_) => 1,
                None => merging.count(&self.vocabulary, piece.as_bytes()),
            })
            .sum()
    }
}

/// The parts of one piece while they are merged: two that follow each other become one as long as
/// that is a token, the earliest made token first. Kept between pieces for its room.
#[derive(Default)]
struct Merging {
    /// Where the part that begins here ends; where none begins, zero.
    ends: Vec<usize>,
    /// Where the part before the one that begins or began here begins.
    before: Vec<usize>,
    /// What could be merged, with the rank of what it would be. A pair of which one part was merged
    /// otherwise stays, and is passed over.
    pairs: BinaryHeap<Reverse<(u32, usize, usize)>>,
}

impl Merging {
    fn count(&mut self, vocabulary: &Vocabulary, piece: &[u8]) -> usize {
        self.ends.clear();
        self.ends.extend(1..=piece.len());
        self.before.clear();
        self.before
            .extend((0..piece.len()).map(|at| at.saturating_sub(1)));
        self.pairs.clear();
        for (start, pair) in piece.windows(2).enumerate() {
            let rank = vocabulary.rank(pair);
            self.pairs
                .extend(rank.map(|rank| Reverse((rank, start, start + 2))));
        }
        let mut parts = piece.len();
        while let Some(Reverse((_, start, end))) = self.pairs.pop() {
            let middle = self.ends[start];
            // Zero where the first part is gone, the end where both are one already.
            if middle == 0 || end <= middle || self.ends[middle] != end {
                continue;
            }
            self.ends[start] = end;
            self.ends[middle] = 0;
            parts -= 1;
            if 0 < start {
                self.offer(vocabulary, piece, self.before[start], end);
            }
            if end < piece.len() {
                self.before[end] = start;
                self.offer(vocabulary, piece, start, self.ends[end]);
            }
        }
        parts
    }

    fn offer(&mut self, vocabulary: &Vocabulary, piece: &[u8], start: usize, end: usize) {
        let rank = vocabulary.rank(&piece[start..end]);
        self.pairs.extend(rank.map(|rank| Reverse((rank, start, end))));
    }
}

#[cfg(test)]
mod tests {
    use tiktoken_rs::CoreBPE;

    /// A place in the look-up table has 18 bits for the number of a token.
    const TOKENS_MAX: u32 = 1 << 18;

    /// Each token in the order of their ranks: its length in one byte, and its bytes.
    fn list(encoding: &CoreBPE) -> Vec<u8> {
        // Between the tokens and the special ones after them is a gap.
        let known = (0..TOKENS_MAX).map_while(|rank| encoding.decode_bytes(&[rank]).ok());
        let mut list = Vec::new();
        for token in known {
            list.push(u8::try_from(token.len()).unwrap());
            list.extend(token);
        }
        list
    }

    /// The lists are kept in the tree, because making them took a tokenizer and half a minute of
    /// every build. To make them anew, write what `list` returns.
    #[test]
    fn the_lists_in_the_tree_are_the_published_ones() {
        let own: [(&str, &[u8], &CoreBPE); 2] = [
            (
                "cl100k",
                include_bytes!("../../../assets/cl100k.tokens"),
                tiktoken_rs::cl100k_base_singleton(),
            ),
            (
                "o200k",
                include_bytes!("../../../assets/o200k.tokens"),
                tiktoken_rs::o200k_base_singleton(),
            ),
        ];
        for (name, kept, published) in own {
            assert!(kept == list(published), "{name} differs");
        }
    }
}
