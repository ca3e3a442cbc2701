//! A buffer for the bounds of all entries, which every thread keeps for the next search.

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
