//! Looks words up: whole, else in sub-words (WordPiece), and Chinese or Japanese by longest match.

use super::table::{Table, TextHash};
use super::words::{Stretch, each_stretch};

/// The most characters of a word; longer ones are not words of any language.
const WORD_BYTES_MAX: usize = 100;
/// The longest entry of ideographs and kana.
const RUN_ENTRY_CHARS_MAX: usize = 8;
/// What a sub-word tells of a word that is not known whole, when it is long enough to mean
/// something.
const PIECE_CREDIT: f32 = 0.5;
const PIECE_BYTES_MEANINGFUL: usize = 3;

/// What came of reading a text.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Reading {
    /// How many rows were visited.
    pub(super) rows: usize,
    /// How many letters, digits and ideographs the text has.
    pub(super) chars: usize,
    /// How many of them are in words that are known; a known sub-word counts in part.
    pub(super) understood: f32,
}

impl Reading {
    /// How much of the text is understood, from 0 to 1.
    pub(super) fn share(self) -> f32 {
        match self.rows {
            0 => 0.0,
            _ => (self.understood / self.chars as f32).clamp(0.0, 1.0),
        }
    }
}

/// Visits the row of each known token of `text`, at most `rows_max` and a word's worth more.
pub(super) fn read(table: &Table, text: &str, rows_max: usize, mut visit: impl FnMut(usize)) -> Reading {
    let mut reading = Reading::default();
    each_stretch(text, |stretch| {
        let mut take = |row| {
            reading.rows += 1;
            visit(row);
        };
        let (chars, understood) = match stretch {
            Stretch::Word { written, folded } => read_word(table, written, folded, &mut take),
            Stretch::Run(run) => read_run(table, run, rows_max, &mut take),
        };
        reading.chars += chars;
        reading.understood += understood;
        reading.rows < rows_max
    });
    reading
}

/// Looks one word up. Tells how many characters it has and how many are understood.
fn read_word(table: &Table, written: &str, folded: &str, take: &mut impl FnMut(usize)) -> (usize, f32) {
    let chars = written.chars().count();
    if WORD_BYTES_MAX < written.len() || WORD_BYTES_MAX < folded.len() {
        return (chars, 0.0);
    }
    let whole = |text: &str| table.find(TextHash::start().with_text(text), "", text);
    // As written first: `für` is not the English `fur`.
    let accented = if written == folded { None } else { whole(written) };
    if let Some(row) = accented.or_else(|| whole(folded)) {
        take(row);
        return (chars, chars as f32);
    }
    match split(table, folded) {
        Some(pieces) => {
            let meaningful = pieces
                .iter()
                .filter(|piece| PIECE_BYTES_MEANINGFUL <= piece.bytes);
            let known: usize = meaningful.map(|piece| piece.bytes).sum();
            pieces.iter().for_each(|piece| take(piece.row));
            (chars, PIECE_CREDIT * known.min(chars) as f32)
        }
        None => (chars, 0.0),
    }
}

struct Piece {
    row: usize,
    bytes: usize,
}

/// Splits a word into the longest known pieces from the left. `None` when some part is not known at
/// all.
fn split(table: &Table, word: &str) -> Option<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut start = 0;
    while start < word.len() {
        let prefix = if start == 0 { "" } else { "##" };
        let rest = &word[start..];
        let mut hash = TextHash::start().with_text(prefix);
        let mut hashes = [hash; WORD_BYTES_MAX + 1];
        for (place, byte) in rest.bytes().enumerate() {
            hash = hash.with(byte);
            hashes[place + 1] = hash;
        }
        let piece = (1..=rest.len())
            .rev()
            .filter(|&end| rest.is_char_boundary(end))
            .find_map(|end| {
                let row = table.find(hashes[end], prefix, &rest[..end])?;
                Some(Piece { row, bytes: end })
            })?;
        start += piece.bytes;
        pieces.push(piece);
    }
    Some(pieces)
}

/// How well an entry of ideographs and kana is understood. These entries come from a second teacher
/// through a map between two spaces: with a full vote they make a search in Chinese worse than
/// words alone do (measured).
const RUN_WORTH: f32 = 0.4;

/// Looks a run of ideographs and kana up by longest match. What is not known is passed over.
fn read_run(table: &Table, run: &str, rows_max: usize, take: &mut impl FnMut(usize)) -> (usize, f32) {
    let (mut chars, mut understood, mut rows) = (0, 0.0, 0);
    let mut rest = run;
    while !rest.is_empty() && rows < rows_max {
        let mut hash = TextHash::start();
        let mut longest = None;
        let mut first_bytes = rest.len();
        for (place, (at, c)) in rest.char_indices().take(RUN_ENTRY_CHARS_MAX).enumerate() {
            let end = at + c.len_utf8();
            if place == 0 {
                first_bytes = end;
            }
            hash = hash.with_text(&rest[at..end]);
            if let Some(row) = table.find(hash, "", &rest[..end]) {
                longest = Some((row, end, place + 1));
            }
        }
        match longest {
            Some((row, end, count)) => {
                take(row);
                rows += 1;
                chars += count;
                understood += RUN_WORTH * count as f32;
                rest = &rest[end..];
            }
            None => {
                chars += 1;
                rest = &rest[first_bytes..];
            }
        }
    }
    (chars, understood)
}
