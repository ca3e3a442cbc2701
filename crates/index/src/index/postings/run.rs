//! The postings of one term. Most terms of a space stand in one entry alone, and its posting needs
//! no room of its own.

use super::{GONE, Posting};

#[derive(Debug)]
pub(super) enum Run {
    One([Posting; 1]),
    Any(Vec<Posting>),
}

impl Default for Run {
    fn default() -> Run {
        Run::Any(Vec::new())
    }
}

impl Run {
    pub(super) fn as_slice(&self) -> &[Posting] {
        match self {
            Run::One(posting) => posting,
            Run::Any(postings) => postings,
        }
    }

    /// Adds a posting of a slot higher than all before it.
    pub(super) fn push(&mut self, posting: Posting) {
        match self {
            Run::One([first]) => *self = Run::Any(vec![*first, posting]),
            Run::Any(postings) if postings.is_empty() => *self = Run::One([posting]),
            Run::Any(postings) => {
                if postings.capacity() == postings.len() {
                    // Doubling would leave the many short lists half empty.
                    postings.reserve_exact(postings.len() / 2);
                }
                postings.push(posting);
            }
        }
    }

    /// Drops postings of slots that are gone, and gives the others the slots that they have `moved`
    /// to.
    pub(super) fn moved(self, moved: &[u32]) -> Run {
        let slots = self.as_slice().iter().map(|posting| Posting {
            slot: moved[posting.slot as usize],
            ..*posting
        });
        let mut kept: Vec<Posting> = slots.filter(|posting| posting.slot != GONE).collect();
        kept.shrink_to_fit();
        match kept[..] {
            [posting] => Run::One([posting]),
            _ => Run::Any(kept),
        }
    }

    /// How much room of its own it has.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Run::One(_) => 0,
            Run::Any(postings) => postings.capacity() * size_of::<Posting>(),
        }
    }
}
