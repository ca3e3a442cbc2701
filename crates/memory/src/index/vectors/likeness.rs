//! How like each entry is to one query, in buffers that every thread keeps for the next search.

use std::cell::RefCell;

use super::{Vectors, kernel, scale_of};

/// The cosines of one query with the vectors of an index, by slot.
#[derive(Debug, Default)]
pub struct Likeness {
    query: Vec<i16>,
    dots: Vec<i32>,
    /// The cosine of each slot; of no meaning where there is no vector.
    cosines: Vec<f32>,
    /// Whether each slot has a vector.
    known: Vec<bool>,
}

thread_local! {
    static BUFFER: RefCell<Likeness> = RefCell::default();
}

/// The finest steps that a component of a query is told in.
const QUERY_MAX: f32 = 16_383.0;

/// How finely cosines are added up.
const STEPS: f32 = (1 << 20) as f32;

impl Likeness {
    /// The cosine of a slot, if it has a vector.
    pub fn get(&self, slot: u32) -> Option<f32> {
        let slot = slot as usize;
        self.known.get(slot)?.then(|| self.cosines[slot])
    }

    /// The slots that have a vector, in their order, with their cosines.
    pub fn iter(&self) -> impl Iterator<Item = (u32, f32)> + '_ {
        let all = self.cosines.iter().zip(&self.known).enumerate();
        all.filter(|(_, (_, known))| **known)
            .map(|(slot, (cosine, _))| (slot as u32, *cosine))
    }

    /// The mean cosine of all entries that have a vector.
    pub fn mean(&self) -> f32 {
        // Whole numbers, so that the order of slots leaves no trace in the sum.
        let (sum, count) = self.iter().fold((0i64, 0u32), |(sum, count), (_, cosine)| {
            (sum + i64::from((cosine * STEPS) as i32), count + 1)
        });
        (sum as f64 / f64::from(count.max(1)) / f64::from(STEPS)) as f32
    }

    /// Compares `vector` with all of `vectors`. None if it is no vector of that model.
    pub(in crate::index) fn with<R>(
        vectors: &Vectors,
        vector: &[f32],
        read: impl FnOnce(&Likeness) -> R,
    ) -> Option<R> {
        let dimension = vectors.model.dimension;
        let length = scale_of(vector, dimension)?.length;
        let largest = vector.iter().fold(0.0f32, |largest, x| largest.max(x.abs()));
        // A row of the largest codes must not be more than 31 bits can hold.
        let steps = QUERY_MAX.min((i32::MAX / (128 * dimension as i32)) as f32);
        let step = largest / steps;
        // Taken out and put back, so that a search inside a search has buffers of its own.
        let mut likeness = BUFFER.with(RefCell::take);
        likeness.query.clear();
        likeness
            .query
            .extend(vector.iter().map(|component| (component / step).round() as i16));
        likeness.query.resize(vectors.stride, 0);
        likeness.compare(vectors, step / length);
        let result = read(&likeness);
        BUFFER.set(likeness);
        Some(result)
    }

    fn compare(&mut self, vectors: &Vectors, worth: f32) {
        let slots = vectors.scales.len();
        self.dots.resize(slots, 0);
        kernel::dots(&self.query, &vectors.codes, &mut self.dots);
        self.cosines.clear();
        self.cosines.extend(
            self.dots
                .iter()
                .zip(&vectors.scales)
                .map(|(dot, scale)| (*dot as f32 * scale * worth).clamp(-1.0, 1.0)),
        );
        self.known.clear();
        self.known
            .extend(vectors.scales.iter().map(|scale| *scale != 0.0));
    }
}
