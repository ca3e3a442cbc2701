//! The vectors of the entries by slot, and how like each is to a query.
//!
//! A component is kept in eight bits with one scale for each vector; the query has thirteen to
//! fifteen. What an entry scores is a sum of whole numbers, so it is the same on every machine and
//! whatever way it is added up. Measured against 32-bit floats the best ten are the same but for
//! ties, so nothing else is kept and nothing is scored a second time.

mod kernel;
mod likeness;

pub use likeness::{AskedVector, Likeness};

use std::collections::BTreeSet;

use super::postings::GONE;
use crate::model::EmbeddingModel;

/// The vectors of one model.
#[derive(Debug)]
pub(super) struct Vectors {
    model: EmbeddingModel,
    /// The dimension, rounded up to whole blocks of the kernel. What is past the dimension is zero.
    stride: usize,
    codes: Vec<i8>,
    /// The scale of the codes, by slot. Zero without a vector.
    scales: Vec<f32>,
    /// How many slots have a finished vector.
    held: usize,
    /// The slots whose finished vector is still to come. What they have meanwhile stands in for it.
    waiting: BTreeSet<u32>,
}

/// A vector on its way from one slot to another.
#[derive(Debug)]
pub(super) struct Lifted {
    codes: Vec<i8>,
    scale: f32,
    is_waiting: bool,
}

/// The largest code.
const CODE_MAX: f32 = 127.0;

impl Vectors {
    /// The most components a vector may have.
    pub(super) const DIMENSION_MAX: usize = 8192;

    /// Holds vectors of `model`. None if it cannot have any.
    pub(super) fn of(model: &EmbeddingModel) -> Option<Vectors> {
        (1..=Self::DIMENSION_MAX)
            .contains(&model.dimension)
            .then(|| Vectors {
                model: model.clone(),
                stride: model.dimension.next_multiple_of(kernel::BLOCK),
                codes: Vec::new(),
                scales: Vec::new(),
                held: 0,
                waiting: BTreeSet::new(),
            })
    }

    pub(super) fn model(&self) -> &EmbeddingModel {
        &self.model
    }

    /// How many entries have a finished vector.
    pub(super) fn held(&self) -> usize {
        self.held
    }

    /// The slots whose finished vector is still to come.
    pub(super) fn waiting(&self) -> &BTreeSet<u32> {
        &self.waiting
    }

    /// Notes that the vector of a slot is still to come, and takes what stands in for it.
    pub(super) fn wait_for(&mut self, slot: u32, provisional: Option<&[f32]>) {
        match provisional {
            Some(vector) if self.put(slot, vector) => self.held -= 1,
            _ => self.forget(slot),
        }
        self.make_room(slot as usize);
        self.waiting.insert(slot);
    }

    /// Takes the vector of a slot. One that is not finite, has another dimension or no direction is
    /// not taken.
    pub(super) fn put(&mut self, slot: u32, vector: &[f32]) -> bool {
        self.forget(slot);
        let Some(scale) = scale_of(vector, self.model.dimension) else {
            return false;
        };
        let slot = slot as usize;
        self.make_room(slot);
        let row = &mut self.codes[slot * self.stride..][..self.model.dimension];
        for (code, component) in row.iter_mut().zip(vector) {
            *code = (component / scale.step).round() as i8;
        }
        self.scales[slot] = scale.step / scale.length;
        self.held += 1;
        true
    }

    pub(super) fn has(&self, slot: u32) -> bool {
        self.scales.get(slot as usize).is_some_and(|scale| *scale != 0.0)
    }

    /// Copies the vector of a slot, to lay it down in another.
    pub(super) fn lift(&self, slot: u32) -> Option<Lifted> {
        let at = slot as usize;
        (self.has(slot) || self.waiting.contains(&slot)).then(|| Lifted {
            codes: self.codes[at * self.stride..][..self.stride].to_vec(),
            scale: self.scales[at],
            is_waiting: self.waiting.contains(&slot),
        })
    }

    /// Puts a vector that was lifted from this index into a slot that has none.
    pub(super) fn lay_down(&mut self, slot: u32, vector: Lifted) {
        self.make_room(slot as usize);
        self.codes[slot as usize * self.stride..][..self.stride].copy_from_slice(&vector.codes);
        self.scales[slot as usize] = vector.scale;
        match vector.is_waiting {
            true => drop(self.waiting.insert(slot)),
            false => self.held += 1,
        }
    }

    /// Takes a finished vector as it was held before, and tells whether it did.
    pub(super) fn put_codes(&mut self, slot: u32, codes: &[u8], scale: f32) -> bool {
        if codes.len() != self.model.dimension || !scale.is_normal() {
            return false;
        }
        self.forget(slot);
        let slot = slot as usize;
        self.make_room(slot);
        let row = &mut self.codes[slot * self.stride..][..self.model.dimension];
        for (code, byte) in row.iter_mut().zip(codes) {
            *code = *byte as i8;
        }
        self.scales[slot] = scale;
        self.held += 1;
        true
    }

    /// The scale of a slot's finished vector; zero without one.
    pub(super) fn finished_scale(&self, slot: u32) -> f32 {
        match self.waiting.contains(&slot) {
            true => 0.0,
            false => self.scales.get(slot as usize).copied().unwrap_or(0.0),
        }
    }

    /// Writes the codes of a slot's vector; zeros without one.
    pub(super) fn write_codes(&self, slot: u32, bytes: &mut Vec<u8>) {
        let dimension = self.model.dimension;
        match self.finished_scale(slot) {
            0.0 => bytes.resize(bytes.len() + dimension, 0),
            _ => {
                let row = &self.codes[slot as usize * self.stride..][..dimension];
                bytes.extend(row.iter().map(|code| *code as u8));
            }
        }
    }

    fn make_room(&mut self, slot: usize) {
        if self.scales.len() <= slot {
            reserve_a_quarter(&mut self.scales, slot + 1);
            self.scales.resize(slot + 1, 0.0);
            reserve_a_quarter(&mut self.codes, (slot + 1) * self.stride);
            self.codes.resize((slot + 1) * self.stride, 0);
        }
    }

    /// Takes the vector of a slot out.
    pub(super) fn forget(&mut self, slot: u32) {
        let was_waiting = self.waiting.remove(&slot);
        if let Some(scale) = self.scales.get_mut(slot as usize)
            && *scale != 0.0
        {
            *scale = 0.0;
            self.held -= usize::from(!was_waiting);
        }
    }

    /// Moves vectors to where their slots went.
    pub(super) fn close_holes(&mut self, moved: &[u32]) {
        let mut end = 0;
        let stays = |slot: &u32| moved.get(*slot as usize).copied().filter(|to| *to != GONE);
        self.waiting = self.waiting.iter().filter_map(stays).collect();
        // Slots keep their order, so each goes to where it is or before.
        for (from, &to) in moved.iter().enumerate().take(self.scales.len()) {
            if to == GONE {
                continue;
            }
            let to = to as usize;
            self.scales[to] = self.scales[from];
            let row = from * self.stride..(from + 1) * self.stride;
            self.codes.copy_within(row, to * self.stride);
            end = to + 1;
        }
        self.scales.truncate(end);
        self.scales.shrink_to_fit();
        self.codes.truncate(end * self.stride);
        self.codes.shrink_to_fit();
    }

    pub(super) fn shrink(&mut self) {
        self.codes.shrink_to_fit();
        self.scales.shrink_to_fit();
    }

    pub(super) fn bytes(&self) -> usize {
        self.codes.capacity() + self.scales.capacity() * size_of::<f32>()
    }
}

/// Growing by a half or more would leave a large index with much of it unused.
fn reserve_a_quarter<T>(list: &mut Vec<T>, needed: usize) {
    if list.capacity() < needed {
        let room = needed.max(list.len() + list.len() / 4);
        list.reserve_exact(room - list.len());
    }
}

/// What one code is worth before the vector is brought to unit length, and the length.
struct Scale {
    step: f32,
    length: f32,
}

fn scale_of(vector: &[f32], dimension: usize) -> Option<Scale> {
    if vector.len() != dimension || !vector.iter().all(|component| component.is_finite()) {
        return None;
    }
    let largest = vector
        .iter()
        .fold(0.0f32, |largest, component| largest.max(component.abs()));
    // In 64 bits, where squares of finite 32-bit numbers have room.
    let square: f64 = vector.iter().map(|component| f64::from(*component).powi(2)).sum();
    let scale = Scale {
        step: largest / CODE_MAX,
        length: square.sqrt() as f32,
    };
    (scale.step.is_normal() && scale.length.is_normal()).then_some(scale)
}

#[cfg(test)]
mod tests;
