//! Which entries hold a term: one list per term, in the order of slots.

mod run;

use std::collections::HashMap;

use run::Run;

/// One entry that holds a term.
#[derive(Clone, Copy, Debug)]
pub(super) struct Posting {
    pub(super) slot: u32,
    /// How often, in [`super::params::UNIT`]s.
    pub(super) units: u16,
    /// Whether it holds the word itself, and not only a name that the word is a part of.
    pub(super) whole: bool,
}

/// How a term occurs in the current entry.
#[derive(Clone, Copy, Debug)]
pub(super) struct Occurrence {
    pub(super) term: u32,
    pub(super) units: u16,
    pub(super) whole: bool,
}

#[derive(Debug, Default)]
struct List {
    /// Postings of entries that are gone stay until holes are closed.
    postings: Run,
    /// How many of them are of live entries.
    live: u32,
}

#[derive(Debug, Default)]
pub(super) struct Postings {
    numbers: HashMap<Box<str>, u32>,
    lists: Vec<List>,
    bytes: usize,
}

/// A slot or term that no longer exists.
pub(super) const GONE: u32 = u32::MAX;

impl Postings {
    /// The number of a term, a new one if it was never seen.
    pub(super) fn intern(&mut self, text: &str) -> u32 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = u32::try_from(self.lists.len())
            .expect("an index holds fewer terms than its memory bound has bytes");
        self.numbers.insert(Box::from(text), number);
        self.lists.push(List::default());
        self.bytes += term_bytes(text);
        number
    }

    /// The number of a term and how many live entries hold it, if any does.
    pub(super) fn find(&self, text: &str) -> Option<(u32, u32)> {
        let number = *self.numbers.get(text)?;
        let live = self.lists[number as usize].live;
        (live > 0).then_some((number, live))
    }

    /// The entries that hold a term, those that are gone included.
    pub(super) fn of(&self, term: u32) -> &[Posting] {
        self.lists[term as usize].postings.as_slice()
    }

    /// All terms in the order of their numbers, with the entries that hold them, those that are
    /// gone included.
    pub(super) fn each(&self) -> impl Iterator<Item = (&str, &[Posting])> {
        let mut texts = vec![""; self.lists.len()];
        for (text, number) in &self.numbers {
            texts[*number as usize] = text;
        }
        let lists = self.lists.iter().map(|list| list.postings.as_slice());
        texts.into_iter().zip(lists)
    }

    /// Adds the terms of a slot higher than all before it.
    pub(super) fn append(&mut self, slot: u32, occurrences: &[Occurrence]) {
        for &Occurrence { term, units, whole } in occurrences {
            let list = &mut self.lists[term as usize];
            let before = list.postings.bytes();
            list.postings.push(Posting { slot, units, whole });
            list.live += 1;
            self.bytes += list.postings.bytes() - before;
        }
    }

    /// Takes an entry that is gone out of the statistics.
    pub(super) fn forget(&mut self, terms: &[u32]) {
        for term in terms {
            self.lists[*term as usize].live -= 1;
        }
    }

    /// Drops postings of slots that are gone and renames the others; returns where each term went.
    pub(super) fn close_holes(&mut self, moved: &[u32]) -> Vec<u32> {
        let mut renamed = vec![GONE; self.lists.len()];
        let lists = std::mem::take(&mut self.lists);
        for (term, mut list) in lists.into_iter().enumerate() {
            if list.live == 0 {
                continue;
            }
            list.postings = list.postings.moved(moved);
            renamed[term] = self.lists.len() as u32;
            self.lists.push(list);
        }
        self.numbers.retain(|_, number| {
            *number = renamed[*number as usize];
            *number != GONE
        });
        self.numbers.shrink_to_fit();
        self.lists.shrink_to_fit();
        let lists: usize = self.lists.iter().map(|list| list.postings.bytes()).sum();
        self.bytes = lists + self.numbers.keys().map(|text| term_bytes(text)).sum::<usize>();
        renamed
    }

    /// The lists themselves grow by half, and have little to give.
    pub(super) fn shrink(&mut self) {
        self.numbers.shrink_to_fit();
        self.lists.shrink_to_fit();
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}

/// A term costs its text, its place in the map (kept at most seven eighths full, so up to twice the
/// pair) and its list's head.
fn term_bytes(text: &str) -> usize {
    text.len() + 16 + 3 * size_of::<(Box<str>, u32)>() / 2 + 3 * size_of::<List>() / 2
}
