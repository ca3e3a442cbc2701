//! How many bytes a part of a space holds, as its share of what this process holds.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A share of a sum, taken back when it is dropped.
#[derive(Debug)]
pub(super) struct ByteShare {
    bytes: AtomicUsize,
    sum: Arc<AtomicUsize>,
}

impl ByteShare {
    /// A share of nothing yet.
    pub(super) fn new(sum: Arc<AtomicUsize>) -> ByteShare {
        ByteShare {
            bytes: AtomicUsize::new(0),
            sum,
        }
    }

    /// Makes the share `bytes`.
    pub(super) fn set(&self, bytes: usize) {
        let before = self.bytes.swap(bytes, Ordering::Relaxed);
        self.sum.fetch_add(bytes, Ordering::Relaxed);
        self.sum.fetch_sub(before, Ordering::Relaxed);
    }
}

impl Drop for ByteShare {
    fn drop(&mut self) {
        self.set(0);
    }
}
