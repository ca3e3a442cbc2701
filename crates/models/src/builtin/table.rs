//! The asset: a list of entries (words, sub-words, characters) and one int8 vector for each.
//!
//! Layout, all numbers little-endian:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | magic `RCLSTATC` |
//! | 4 × 6 | version, dimension, narrow dimension, wide rows, narrow rows, bytes of entries |
//! | 8 | fingerprint of everything after the header |
//! | 4 × dimension | f32: the centre, the direction that all texts share |
//! | 4 × rows | where each entry's text ends in the entries |
//! | entries | the texts of all entries, one after the other, UTF-8; `##` opens a sub-word that continues a word |
//! | 4 × rows | f32: what one unit of each row is worth; a row's weight in the sum is folded in |
//! | dimension × wide rows | i8 |
//! | narrow dimension × narrow rows | i8; the components beyond the narrow dimension are zero |
//!
//! The directions are ordered by how much they carry, so that rows cut to the first ones lose
//! little.

use thiserror::Error;

const MAGIC: &[u8; 8] = b"RCLSTATC";
const VERSION: u32 = 1;
const HEADER_BYTES: usize = 40;
const EMPTY: u16 = u16::MAX;
const HASH_START: u64 = 0xcbf2_9ce4_8422_2325;
const HASH_PRIME: u64 = 0x0100_0000_01b3;

/// Why bytes are not a usable table.
#[derive(Debug, Error, PartialEq, Eq)]
pub(super) enum BadTable {
    /// The bytes do not open as a table does.
    #[error("not a table of token vectors")]
    Magic,
    /// The table is of another version of the layout.
    #[error("table of version {0}, expected {VERSION}")]
    Version(u32),
    /// A count is zero or too large.
    #[error("impossible size {0} in the header")]
    Size(usize),
    /// The bytes end early, or late.
    #[error("{found} bytes, expected {expected}")]
    Length { found: usize, expected: usize },
    /// An entry's text is out of order or not UTF-8.
    #[error("the text of entry {0} is unusable")]
    Entry(usize),
}

/// The running hash of an entry's text, so that all prefixes of a word cost one pass.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextHash(u64);

impl TextHash {
    /// Opens the hash of an entry's text.
    pub(super) fn start() -> TextHash {
        TextHash(HASH_START)
    }

    /// Goes on with one more byte.
    pub(super) fn with(self, byte: u8) -> TextHash {
        TextHash((self.0 ^ u64::from(byte)).wrapping_mul(HASH_PRIME))
    }

    /// Goes on with the bytes of `text`.
    pub(super) fn with_text(self, text: &str) -> TextHash {
        text.bytes().fold(self, TextHash::with)
    }
}

/// The parsed asset: slices over the bytes of the binary, and a small hash table over the entries.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) dimension: usize,
    pub(super) fingerprint: u64,
    pub(super) centre: Box<[f32]>,
    narrow: usize,
    wide_rows: usize,
    ends: &'static [u8],
    entries: &'static str,
    scales: &'static [u8],
    vectors: &'static [u8],
    slots: Box<[u16]>,
}

impl Table {
    /// Parses `bytes`; the vectors stay where they are.
    pub(super) fn parse(bytes: &'static [u8]) -> Result<Table, BadTable> {
        if bytes.len() < HEADER_BYTES || !bytes.starts_with(MAGIC) {
            return Err(BadTable::Magic);
        }
        let field = |place: usize| number(bytes, 2 + place) as usize;
        if field(0) != VERSION as usize {
            return Err(BadTable::Version(number(bytes, 2)));
        }
        let (dimension, narrow, wide_rows, narrow_rows) = (field(1), field(2), field(3), field(4));
        if !(1..=4096).contains(&dimension) || dimension < narrow {
            return Err(BadTable::Size(dimension));
        }
        let rows = wide_rows.saturating_add(narrow_rows);
        if rows == 0 || usize::from(EMPTY) <= rows {
            return Err(BadTable::Size(rows));
        }
        let vector_bytes = dimension * wide_rows + narrow * narrow_rows;
        let expected = HEADER_BYTES + 4 * dimension + 8 * rows + field(5) + vector_bytes;
        if bytes.len() != expected {
            return Err(BadTable::Length {
                found: bytes.len(),
                expected,
            });
        }
        let (centre, rest) = bytes[HEADER_BYTES..].split_at(4 * dimension);
        let centre = (0..dimension)
            .map(|place| f32::from_bits(number(centre, place)))
            .collect();
        let (ends, rest) = rest.split_at(4 * rows);
        let (entries, rest) = rest.split_at(field(5));
        let (scales, vectors) = rest.split_at(4 * rows);
        let entries = std::str::from_utf8(entries).map_err(|_| BadTable::Entry(0))?;
        let fingerprint = u64::from(number(bytes, 8)) | u64::from(number(bytes, 9)) << 32;
        let slots = vec![EMPTY; (2 * rows).next_power_of_two()].into_boxed_slice();
        let mut table = Table {
            dimension,
            fingerprint,
            centre,
            narrow,
            wide_rows,
            ends,
            entries,
            scales,
            vectors,
            slots,
        };
        table.fill_slots(rows)?;
        Ok(table)
    }

    fn fill_slots(&mut self, rows: usize) -> Result<(), BadTable> {
        for row in 0..rows {
            let (start, end) = self.bounds(row);
            let text = self.entries.get(start..end).ok_or(BadTable::Entry(row))?;
            let mut slot = self.first_slot(TextHash::start().with_text(text));
            while self.slots[slot] != EMPTY {
                slot = (slot + 1) & (self.slots.len() - 1);
            }
            self.slots[slot] = u16::try_from(row).map_err(|_| BadTable::Size(row))?;
        }
        Ok(())
    }

    /// Finds the row of the entry `prefix` + `text`, whose hash the caller has at hand.
    pub(super) fn find(&self, hash: TextHash, prefix: &str, text: &str) -> Option<usize> {
        let mut slot = self.first_slot(hash);
        while self.slots[slot] != EMPTY {
            let row = usize::from(self.slots[slot]);
            let (start, end) = self.bounds(row);
            if self.entries[start..end].strip_prefix(prefix) == Some(text) {
                return Some(row);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        None
    }

    /// Adds a row's vector to `sum`.
    pub(super) fn add(&self, row: usize, sum: &mut [f32]) {
        let scale = f32::from_bits(number(self.scales, row));
        let (start, width) = if row < self.wide_rows {
            (row * self.dimension, self.dimension)
        } else {
            let wide = self.wide_rows * self.dimension;
            (wide + (row - self.wide_rows) * self.narrow, self.narrow)
        };
        let components = &self.vectors[start..start + width];
        for (total, byte) in sum.iter_mut().zip(components) {
            *total += scale * f32::from(byte.cast_signed());
        }
    }

    fn first_slot(&self, hash: TextHash) -> usize {
        // The low bits of FNV are its weak ones: fold the high half in.
        ((hash.0 ^ (hash.0 >> 32)) as usize) & (self.slots.len() - 1)
    }

    fn bounds(&self, row: usize) -> (usize, usize) {
        let start = if row == 0 {
            0
        } else {
            number(self.ends, row - 1) as usize
        };
        (start, number(self.ends, row) as usize)
    }
}

/// Reads the `place`th 32-bit number of `bytes`.
fn number(bytes: &[u8], place: usize) -> u32 {
    let start = 4 * place;
    u32::from_le_bytes([bytes[start], bytes[start + 1], bytes[start + 2], bytes[start + 3]])
}
