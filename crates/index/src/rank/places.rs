//! The places of entries in the order of each arm.

use std::collections::HashMap;

/// Where the entries stand in each arm's own order, from 1.
pub(super) struct Places {
    pub(super) words: HashMap<u32, usize>,
    pub(super) meaning: HashMap<u32, usize>,
}

impl Places {
    pub(super) fn of(in_order: Vec<(u32, f32)>) -> HashMap<u32, usize> {
        let placed = in_order.into_iter().enumerate();
        placed.map(|(place, (slot, _))| (slot, place + 1)).collect()
    }
}
