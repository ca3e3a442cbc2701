//! Texts grouped so that each run is long enough to be efficient and short enough to let others in.

use super::encoder::Batch;
use crate::tokenizer::Tokens;

/// A run of so many tokens takes some 90 ms on one core with a MiniLM; a query that comes meanwhile
/// waits about so long. The products take as long a token at 64 tokens as at 256, so longer runs
/// promise little.
const TOKENS_PER_RUN: usize = 256;

/// Some of the texts of a call, and where their vectors belong.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) batch: Batch,
    pub(crate) indices: Vec<usize>,
}

impl Batch {
    /// Makes a batch of one text.
    pub(crate) fn of(tokens: Tokens) -> Batch {
        Batch {
            lengths: vec![tokens.ids.len()],
            tokens: tokens.ids,
            types: tokens.types,
        }
    }

    fn append(&mut self, other: Batch) {
        self.tokens.extend(other.tokens);
        self.types.extend(other.types);
        self.lengths.extend(other.lengths);
    }
}

/// Groups texts into runs, the longest texts first, so that the threads end at about the same time.
pub(crate) fn split(texts: Vec<Batch>) -> Vec<Part> {
    let mut order: Vec<(usize, Batch)> = texts.into_iter().enumerate().collect();
    order.sort_by_key(|(_, text)| std::cmp::Reverse(text.tokens.len()));
    let mut parts: Vec<Part> = Vec::new();
    for (index, text) in order {
        match parts.last_mut() {
            Some(part) if part.batch.tokens.len() + text.tokens.len() <= TOKENS_PER_RUN => {
                part.batch.append(text);
                part.indices.push(index);
            }
            _ => parts.push(Part {
                batch: text,
                indices: vec![index],
            }),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(length: usize) -> Batch {
        Batch {
            tokens: vec![7; length],
            types: vec![0; length],
            lengths: vec![length],
        }
    }

    #[test]
    fn runs_are_bounded_and_no_text_is_lost() {
        let parts = split(Vec::from([100, 3, 500, 150, 20].map(text)));
        let found: Vec<_> = parts
            .iter()
            .map(|part| (part.batch.lengths.clone(), part.indices.clone()))
            .collect();
        assert_eq!(
            found,
            [
                (vec![500], vec![2]),
                (vec![150, 100,], vec![3, 0]),
                (vec![20, 3], vec![4, 1])
            ]
        );
    }

    #[test]
    fn nothing_makes_no_run() {
        assert!(split(Vec::new()).is_empty());
    }
}
