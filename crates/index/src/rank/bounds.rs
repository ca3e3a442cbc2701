//! The bounds of all entries, in a buffer that every thread keeps for the next search.

use std::cell::RefCell;

thread_local! {
    static BUFFER: RefCell<Vec<f32>> = RefCell::default();
}

/// Lets `fill` an empty buffer, and `read` what is in it.
pub(super) fn with<R>(fill: impl FnOnce(&mut Vec<f32>), read: impl FnOnce(&[f32]) -> R) -> R {
    // Taken out and put back, so that a search inside a search has a buffer of its own.
    let mut bounds = BUFFER.with(RefCell::take);
    bounds.clear();
    fill(&mut bounds);
    let result = read(&bounds);
    BUFFER.set(bounds);
    result
}

/// Tells what an arm has evidence for.
#[derive(Clone, Copy)]
pub(super) struct Evident {
    pub(super) likeness_min: f32,
}

impl Evident {
    /// Gives the bound of an entry that a word or its meaning speaks for, and of any other one that
    /// is below all.
    #[inline]
    pub(super) fn or_never(self, bound: f32, words: f32, cosine: f32) -> f32 {
        let has_evidence = (0.0 < words) | (self.likeness_min <= cosine);
        if has_evidence { bound } else { f32::NEG_INFINITY }
    }
}
