//! Writes what an index has worked out.

use super::super::Index;
use super::super::postings::GONE;
use super::{Mark, OCCURRENCE_BYTES};

impl Index {
    /// Writes what was worked out of the entries that `mark` names, for [`super::Snapshot::read`]
    /// of the same version. None if there is more than the form has numbers for.
    pub fn snapshot(&self, version: &str, mark: impl Fn(&str) -> Option<Mark>) -> Option<Vec<u8>> {
        let mut marked: Vec<(Mark, u32)> = Vec::with_capacity(self.len());
        for slot in 0..self.slots() {
            let mark = self.entries.get(slot).and_then(|entry| mark(&entry.id));
            marked.extend(mark.map(|mark| (mark, slot)));
        }
        marked.sort_unstable_by_key(|(mark, _)| mark.key);
        let occurrences = Occurrences::of(self, &marked)?;
        let mut bytes = Bytes(Vec::new());
        bytes.text(version)?;
        let dimension = self.model().map_or(0, |model| model.dimension);
        bytes.text(self.model().map_or("", |model| &model.name))?;
        bytes.number(dimension)?;
        bytes.number(occurrences.term_ends.len())?;
        bytes.number(occurrences.term_text.len())?;
        bytes.number(marked.len())?;
        bytes.number(occurrences.all.len() / OCCURRENCE_BYTES)?;
        bytes.numbers(&occurrences.term_ends);
        bytes.0.extend_from_slice(occurrences.term_text.as_bytes());
        let marks = || marked.iter().map(|(mark, _)| mark);
        marks().for_each(|mark| bytes.0.extend_from_slice(&mark.key));
        marks().for_each(|mark| bytes.0.extend_from_slice(&mark.digest));
        marks().for_each(|mark| bytes.0.extend_from_slice(&mark.note.to_le_bytes()));
        for (_, slot) in &marked {
            bytes
                .0
                .extend_from_slice(&self.entries.length(*slot).to_le_bytes());
        }
        bytes.numbers(&occurrences.ends);
        bytes.0.extend_from_slice(&occurrences.all);
        if let Some(vectors) = &self.vectors {
            for (_, slot) in &marked {
                bytes
                    .0
                    .extend_from_slice(&vectors.finished_scale(*slot).to_le_bytes());
            }
            for (_, slot) in &marked {
                vectors.write_codes(*slot, &mut bytes.0);
            }
        }
        Some(bytes.0)
    }
}

/// The occurrences of all entries, one entry after the other, and the terms.
struct Occurrences {
    term_ends: Vec<u32>,
    term_text: String,
    ends: Vec<u32>,
    all: Vec<u8>,
}

impl Occurrences {
    fn of(index: &Index, marked: &[(Mark, u32)]) -> Option<Occurrences> {
        // Where the occurrences of each slot go; the postings are read term by term.
        let mut next = vec![GONE; index.slots() as usize];
        let mut ends = Vec::with_capacity(marked.len());
        let mut end = 0u32;
        for (_, slot) in marked {
            next[*slot as usize] = end;
            let terms = index.entries.get(*slot).map_or(0, |entry| entry.terms.len());
            end = end.checked_add(u32::try_from(terms).ok()?)?;
            ends.push(end);
        }
        let mut written = Occurrences {
            term_ends: Vec::new(),
            term_text: String::new(),
            ends,
            all: vec![0; end as usize * OCCURRENCE_BYTES],
        };
        for (text, postings) in index.postings.each() {
            let number = u32::try_from(written.term_ends.len()).ok()?;
            let mut is_used = false;
            for posting in postings {
                let Some(place) = next
                    .get_mut(posting.slot as usize)
                    .filter(|place| **place != GONE)
                else {
                    continue;
                };
                let at = *place as usize * OCCURRENCE_BYTES;
                *place += 1;
                is_used = true;
                let one = written.all.get_mut(at..at + OCCURRENCE_BYTES)?;
                one[..4].copy_from_slice(&number.to_le_bytes());
                one[4..6].copy_from_slice(&posting.units.to_le_bytes());
                one[6] = u8::from(posting.whole);
            }
            if is_used {
                written.term_text.push_str(text);
                written
                    .term_ends
                    .push(u32::try_from(written.term_text.len()).ok()?);
            }
        }
        Some(written)
    }
}

struct Bytes(Vec<u8>);

impl Bytes {
    fn number(&mut self, number: usize) -> Option<()> {
        self.0
            .extend_from_slice(&u32::try_from(number).ok()?.to_le_bytes());
        Some(())
    }

    fn text(&mut self, text: &str) -> Option<()> {
        self.number(text.len())?;
        self.0.extend_from_slice(text.as_bytes());
        Some(())
    }

    fn numbers(&mut self, numbers: &[u32]) {
        numbers
            .iter()
            .for_each(|number| self.0.extend_from_slice(&number.to_le_bytes()));
    }
}
