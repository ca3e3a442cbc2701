//! Cuts normalised text into the pieces of the vocabulary, the likeliest way (unigram Viterbi).

use std::collections::HashMap;
use std::ops::Range;

use super::format::{BadAsset, number};

/// The piece of a character that is not known.
pub(super) const UNKNOWN: u32 = 0;
/// The longest piece, in characters.
const PIECE_CHARS_MAX: usize = 16;

/// The vocabulary in the order of its bytes. Control pieces are not in it, so that no content
/// reaches them.
#[derive(Debug)]
pub(super) struct Pieces {
    texts: &'static str,
    /// Where each text ends.
    ends: Vec<u32>,
    ids: &'static [u8],
    scores: &'static [u8],
    unknown: f32,
    /// The pieces that open with each character.
    by_first: HashMap<char, Range<u32>>,
}

/// The best way to a place in the text.
#[derive(Clone, Copy)]
struct Step {
    score: f64,
    start: usize,
    id: u32,
}

impl Pieces {
    pub(super) fn parse(
        texts: &'static [u8],
        lengths: &'static [u8],
        ids: &'static [u8],
        scores: &'static [u8],
        unknown: f32,
        rows: usize,
    ) -> Result<Pieces, BadAsset> {
        let texts = std::str::from_utf8(texts).map_err(|_| BadAsset::Pieces)?;
        let mut pieces = Pieces {
            texts,
            ends: Vec::with_capacity(lengths.len()),
            ids,
            scores,
            unknown,
            by_first: HashMap::new(),
        };
        let mut start = 0;
        for (place, length) in lengths.iter().enumerate() {
            let end = start + usize::from(*length);
            let first = texts.get(start..end).and_then(|text| text.chars().next());
            let first = first.ok_or(BadAsset::Pieces)?;
            if rows <= number(ids, place) as usize {
                return Err(BadAsset::Pieces);
            }
            pieces.ends.push(end as u32);
            let place = place as u32;
            let range = pieces.by_first.entry(first).or_insert(place..place);
            range.end = place + 1;
            start = end;
        }
        Ok(pieces)
    }

    fn text(&self, place: u32) -> &'static str {
        let start = match place {
            0 => 0,
            place => self.ends[place as usize - 1] as usize,
        };
        &self.texts[start..self.ends[place as usize] as usize]
    }

    /// The ids of the pieces of a normalised text.
    pub(super) fn cut(&self, text: &str) -> Vec<u32> {
        let unreached = Step {
            score: f64::NEG_INFINITY,
            start: 0,
            id: UNKNOWN,
        };
        let mut steps = vec![unreached; text.len() + 1];
        steps[0].score = 0.0;
        for (start, first) in text.char_indices() {
            let score = steps[start].score;
            let mut reach = |end: usize, id: u32, worth: f32| {
                let score = score + f64::from(worth);
                if steps[end].score < score {
                    steps[end] = Step { score, start, id };
                }
            };
            let one = start + first.len_utf8();
            let mut is_known = false;
            self.each_prefix(&text[start..], first, |bytes, place| {
                is_known |= start + bytes == one;
                let (id, worth) = (number(self.ids, place), number(self.scores, place));
                reach(start + bytes, id, f32::from_bits(worth));
            });
            if !is_known {
                reach(one, UNKNOWN, self.unknown);
            }
        }
        let mut ids = Vec::new();
        let mut at = text.len();
        while 0 < at {
            ids.push(steps[at].id);
            at = steps[at].start;
        }
        ids.reverse();
        ids
    }

    /// Visits the pieces that `text` opens with, the shortest first: how many bytes, and the place.
    fn each_prefix(&self, text: &str, first: char, mut visit: impl FnMut(usize, usize)) {
        let Some(Range { mut start, mut end }) = self.by_first.get(&first).cloned() else {
            return;
        };
        for (at, c) in text.char_indices().take(PIECE_CHARS_MAX) {
            let prefix = &text[..at + c.len_utf8()];
            // What opens with the prefix stands together, and the prefix itself first.
            start = partition(start, end, |place| self.text(place) < prefix);
            end = partition(start, end, |place| self.text(place).starts_with(prefix));
            if start == end {
                return;
            }
            if self.text(start).len() == prefix.len() {
                visit(prefix.len(), start as usize);
            }
        }
    }
}

/// The first place from `start` to `end` for which `is_before` does not hold.
fn partition(mut start: u32, mut end: u32, is_before: impl Fn(u32) -> bool) -> u32 {
    while start < end {
        let middle = start + (end - start) / 2;
        match is_before(middle) {
            true => start = middle + 1,
            false => end = middle,
        }
    }
    start
}
