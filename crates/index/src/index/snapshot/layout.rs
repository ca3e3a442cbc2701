//! Where in the bytes everything is. Numbers are little endian; sections follow each other without
//! gaps, so that a length that does not fit shows damage.

use std::ops::Range;
use std::str;

use crate::model::EmbeddingModel;

/// Number of the term, units, whether it is the word itself.
pub(super) const OCCURRENCE_BYTES: usize = 8;

const KEY_BYTES: usize = 16;

#[derive(Debug, Default)]
pub(super) struct Layout {
    pub(super) model: Option<EmbeddingModel>,
    pub(super) terms: usize,
    pub(super) entries: usize,
    dimension: usize,
    term_ends: Range<usize>,
    term_text: Range<usize>,
    keys: Range<usize>,
    digests: Range<usize>,
    notes: Range<usize>,
    lengths: Range<usize>,
    occurrence_ends: Range<usize>,
    occurrences: Range<usize>,
    scales: Range<usize>,
    codes: Range<usize>,
}

impl Layout {
    /// Finds all sections. None if they do not fit, or another version wrote them.
    pub(super) fn read(bytes: &[u8], version: &str) -> Option<Layout> {
        let mut reader = Reader { bytes, at: 0 };
        if reader.text()? != version {
            return None;
        }
        let name = reader.text()?.to_owned();
        let dimension = reader.number()?;
        let (terms, term_bytes) = (reader.number()?, reader.number()?);
        let (entries, occurrences) = (reader.number()?, reader.number()?);
        let vectors = match dimension {
            0 => 0,
            _ => entries,
        };
        let layout = Layout {
            model: (dimension != 0).then_some(EmbeddingModel { name, dimension }),
            terms,
            entries,
            dimension,
            term_ends: reader.section(terms, 4)?,
            term_text: reader.section(term_bytes, 1)?,
            keys: reader.section(entries, KEY_BYTES)?,
            digests: reader.section(entries, KEY_BYTES)?,
            notes: reader.section(entries, 8)?,
            lengths: reader.section(entries, 4)?,
            occurrence_ends: reader.section(entries, 4)?,
            occurrences: reader.section(occurrences, OCCURRENCE_BYTES)?,
            scales: reader.section(vectors, 4)?,
            codes: reader.section(vectors, dimension)?,
        };
        let is_whole = reader.at == bytes.len();
        let is_text = str::from_utf8(&bytes[layout.term_text.clone()]).is_ok();
        (is_whole && is_text).then_some(layout)
    }

    pub(super) fn key<'b>(&self, bytes: &'b [u8], at: usize) -> &'b [u8] {
        &bytes[self.keys.start + at * KEY_BYTES..][..KEY_BYTES]
    }

    pub(super) fn digest<'b>(&self, bytes: &'b [u8], at: usize) -> &'b [u8] {
        &bytes[self.digests.start + at * KEY_BYTES..][..KEY_BYTES]
    }

    /// Finds a key; they are sorted.
    pub(super) fn position(&self, bytes: &[u8], key: &[u8; KEY_BYTES]) -> Option<usize> {
        let (mut low, mut high) = (0, self.entries);
        while low < high {
            let middle = (low + high) / 2;
            match self.key(bytes, middle).cmp(key) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some(middle),
            }
        }
        None
    }

    pub(super) fn note(&self, bytes: &[u8], at: usize) -> u64 {
        let note = &bytes[self.notes.start + at * 8..][..8];
        u64::from_le_bytes(note.try_into().expect("eight bytes were taken"))
    }

    pub(super) fn length(&self, bytes: &[u8], at: usize) -> u32 {
        number_at(bytes, self.lengths.start + at * 4)
    }

    /// The bytes of the occurrences of an entry.
    pub(super) fn occurrences<'b>(&self, bytes: &'b [u8], at: usize) -> Option<&'b [u8]> {
        let range = ends(bytes, &self.occurrence_ends, at);
        let all = &bytes[self.occurrences.clone()];
        all.get(range.start.checked_mul(OCCURRENCE_BYTES)?..range.end.checked_mul(OCCURRENCE_BYTES)?)
    }

    /// The text of a term.
    pub(super) fn term<'b>(&self, bytes: &'b [u8], term: usize) -> Option<&'b str> {
        let range = ends(bytes, &self.term_ends, term);
        str::from_utf8(bytes[self.term_text.clone()].get(range)?).ok()
    }

    /// The scale of an entry's vector; zero without one.
    pub(super) fn scale(&self, bytes: &[u8], at: usize) -> f32 {
        match self.dimension {
            0 => 0.0,
            _ => f32::from_bits(number_at(bytes, self.scales.start + at * 4)),
        }
    }

    pub(super) fn codes<'b>(&self, bytes: &'b [u8], at: usize) -> &'b [u8] {
        &bytes[self.codes.start + at * self.dimension..][..self.dimension]
    }
}

/// Takes the occurrences of an entry apart.
pub(super) fn each_occurrence(written: &[u8]) -> impl Iterator<Item = (usize, u16, bool)> {
    let (each, _) = written.as_chunks::<OCCURRENCE_BYTES>();
    each.iter().map(|&[a, b, c, d, e, f, whole, _]| {
        let term = u32::from_le_bytes([a, b, c, d]) as usize;
        (term, u16::from_le_bytes([e, f]), whole != 0)
    })
}

/// From where the one before ends to where this one does.
fn ends(bytes: &[u8], section: &Range<usize>, at: usize) -> Range<usize> {
    let end = |at: usize| number_at(bytes, section.start + at * 4) as usize;
    at.checked_sub(1).map_or(0, end)..end(at)
}

fn number_at(bytes: &[u8], at: usize) -> u32 {
    let four = &bytes[at..][..4];
    u32::from_le_bytes(four.try_into().expect("four bytes were taken"))
}

struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Reader<'b> {
    fn number(&mut self) -> Option<usize> {
        let four = self.bytes.get(self.at..self.at.checked_add(4)?)?;
        self.at += 4;
        Some(u32::from_le_bytes(four.try_into().ok()?) as usize)
    }

    fn text(&mut self) -> Option<&'b str> {
        let length = self.number()?;
        let range = self.section(length, 1)?;
        str::from_utf8(&self.bytes[range]).ok()
    }

    fn section(&mut self, count: usize, each: usize) -> Option<Range<usize>> {
        let end = self.at.checked_add(count.checked_mul(each)?)?;
        let range = self.at..end;
        self.at = end;
        (end <= self.bytes.len()).then_some(range)
    }
}
