//! How like each entry is to one query, in buffers that every thread keeps for the next search.

use std::cell::RefCell;

use super::{Vectors, kernel, scale_of};
use crate::simd::within;

/// The cosines of one query with the vectors of an index, by slot.
#[derive(Debug, Default)]
pub struct Likeness {
    query: Vec<i16>,
    dots: Vec<i32>,
    /// The cosine of each slot, or [`UNKNOWN`].
    cosines: Vec<f32>,
}

/// The vectors that a model made of a question.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AskedVector<'a> {
    /// What finished vectors are compared with.
    pub components: &'a [f32],
    /// What provisional vectors are compared with. None: they say nothing.
    pub provisional: Option<&'a [f32]>,
    /// What the cosine with a finished vector is multiplied by: where vectors have several parts,
    /// the length of the question's depends on how much each part counts.
    pub gain: f32,
}

impl<'a> From<&'a [f32]> for AskedVector<'a> {
    fn from(components: &'a [f32]) -> AskedVector<'a> {
        AskedVector {
            components,
            provisional: None,
            gain: 1.0,
        }
    }
}

/// Stands for the cosine of a slot that has no vector. Below every cosine, so that it is passed
/// over without being asked for.
const UNKNOWN: f32 = f32::NEG_INFINITY;

thread_local! {
    static BUFFER: RefCell<Likeness> = RefCell::default();
}

/// The finest steps that a component of a query is told in.
const QUERY_MAX: f32 = 16_383.0;

/// How finely cosines are added up.
const STEPS: f32 = (1 << 20) as f32;

/// So many steps of 20 bits each do not overflow 32 bits.
const ADDED_AT_A_TIME: usize = 1024;

impl Likeness {
    /// The cosine of a slot, if it has a vector.
    pub fn get(&self, slot: u32) -> Option<f32> {
        let cosine = self.cosines.get(slot as usize).copied();
        cosine.filter(|cosine| *cosine != UNKNOWN)
    }

    /// The cosines of all slots of the index in their order; minus infinity where there is no
    /// vector.
    pub fn by_slot(&self) -> &[f32] {
        &self.cosines
    }

    /// The slots that have a vector, in their order, with their cosines.
    pub fn iter(&self) -> impl Iterator<Item = (u32, f32)> + '_ {
        let all = self.cosines.iter().copied().enumerate();
        all.filter(|(_, cosine)| *cosine != UNKNOWN)
            .map(|(slot, cosine)| (slot as u32, cosine))
    }

    /// The mean cosine of all entries that have a vector.
    pub fn mean(&self) -> f32 {
        // Whole numbers, so that the order of slots leaves no trace in the sum; as many at a time
        // as 32 bits have room for.
        let (mut sum, mut count) = (0_i64, 0_u32);
        for some in self.cosines.chunks(ADDED_AT_A_TIME) {
            let (mut steps, mut known) = (0_i32, 0_u32);
            for &cosine in some {
                let is_known = cosine != UNKNOWN;
                steps += if is_known { (cosine * STEPS) as i32 } else { 0 };
                known += u32::from(is_known);
            }
            sum += i64::from(steps);
            count += known;
        }
        (sum as f64 / f64::from(count.max(1)) / f64::from(STEPS)) as f32
    }

    /// Compares `vector` with all of `vectors`, which are of that many slots. None if it is no
    /// vector of that model.
    pub(in crate::index) fn with<R>(
        vectors: &Vectors,
        slots: u32,
        vector: AskedVector<'_>,
        read: impl FnOnce(&Likeness) -> R,
    ) -> Option<R> {
        scale_of(vector.components, vectors.model.dimension)?;
        // Taken out and put back, so that a search inside a search has buffers of its own.
        let mut likeness = BUFFER.with(RefCell::take);
        if let Some(worth) = likeness.ask(vectors, vector.components) {
            likeness.compare(vectors, worth * vector.gain);
        }
        likeness.compare_provisional(vectors, vector.provisional);
        likeness.cosines.resize(slots as usize, UNKNOWN);
        let result = read(&likeness);
        BUFFER.set(likeness);
        Some(result)
    }

    /// Prepares the codes of a question. Gives what a step of a dot product is worth.
    fn ask(&mut self, vectors: &Vectors, vector: &[f32]) -> Option<f32> {
        let dimension = vectors.model.dimension;
        let length = scale_of(vector, dimension)?.length;
        let largest = vector.iter().fold(0.0f32, |largest, x| largest.max(x.abs()));
        // A row of the largest codes must not be more than 31 bits can hold.
        let steps = QUERY_MAX.min((i32::MAX / (128 * dimension as i32)) as f32);
        let step = largest / steps;
        self.query.clear();
        self.query
            .extend(vector.iter().map(|component| nearest(component / step) as i16));
        self.query.resize(vectors.stride, 0);
        Some(step / length)
    }

    /// Compares what is provisional with what was made for it.
    fn compare_provisional(&mut self, vectors: &Vectors, vector: Option<&[f32]>) {
        if vectors.waiting.is_empty() {
            return;
        }
        let worth = vector.and_then(|vector| self.ask(vectors, vector));
        for &slot in &vectors.waiting {
            let slot = slot as usize;
            let known = worth.filter(|_| vectors.scales[slot] != 0.0);
            let cosine = known.map(|worth| {
                let row = &vectors.codes[slot * vectors.stride..][..vectors.stride];
                let mut dot = [0];
                kernel::dots(&self.query, row, &mut dot);
                within(dot[0] as f32 * vectors.scales[slot] * worth, -1.0, 1.0)
            });
            self.cosines[slot] = cosine.unwrap_or(UNKNOWN);
        }
    }

    fn compare(&mut self, vectors: &Vectors, worth: f32) {
        self.dots.resize(vectors.scales.len(), 0);
        kernel::dots(&self.query, &vectors.codes, &mut self.dots);
        self.cosines.clear();
        // Without a branch, so that several are worked out at a time.
        let cosine = move |(dot, scale): (&i32, &f32)| {
            let cosine = within(*dot as f32 * scale * worth, -1.0, 1.0);
            if *scale == 0.0 { UNKNOWN } else { cosine }
        };
        let pairs = self.dots.iter().zip(&vectors.scales);
        self.cosines.extend(pairs.map(cosine));
    }
}

/// Rounds to the nearest whole number, for what is small enough. Adding this number leaves no room
/// for fractions; `f32::round` is a call for each component where the processor is not known.
#[inline]
fn nearest(x: f32) -> f32 {
    const NO_FRACTIONS: f32 = (3 << 22) as f32;
    (x + NO_FRACTIONS) - NO_FRACTIONS
}
