//! The second arm of the index: entries by how like their vectors are to that of a query.

use super::Index;
use super::vectors::{AskedVector, Lifted, Likeness, Vectors};
use crate::model::EmbeddingModel;

impl Index {
    /// Takes vectors of `model` from now on, or none. Vectors of another model are dropped.
    pub fn use_model(&mut self, model: Option<&EmbeddingModel>) {
        if self.model() != model {
            self.vectors = model.and_then(Vectors::of);
        }
    }

    /// The model whose vectors are taken.
    pub fn model(&self) -> Option<&EmbeddingModel> {
        self.vectors.as_ref().map(Vectors::model)
    }

    /// Takes the vector of an entry, and tells whether it did. It goes with the entry, and when the
    /// entry is replaced. A vector of another model, of the wrong dimension, without direction or
    /// with anything but finite numbers is not taken.
    pub fn put_vector(&mut self, id: &str, model: &EmbeddingModel, vector: &[f32]) -> bool {
        match (&mut self.vectors, self.entries.slot(id)) {
            (Some(vectors), Some(slot)) if vectors.model() == model => vectors.put(slot, vector),
            _ => false,
        }
    }

    /// Notes that the vector of an entry is still to come, and takes what stands in for it.
    pub fn wait_for_vector(&mut self, id: &str, model: &EmbeddingModel, provisional: Option<&[f32]>) {
        if let (Some(vectors), Some(slot)) = (&mut self.vectors, self.entries.slot(id))
            && vectors.model() == model
        {
            vectors.wait_for(slot, provisional);
        }
    }

    /// The entries whose vector is still to come.
    pub fn waiting(&self) -> impl Iterator<Item = &str> {
        let slots = self.vectors.iter().flat_map(|vectors| vectors.waiting());
        slots.filter_map(|slot| self.id(*slot).map(AsRef::as_ref))
    }

    /// Tells whether an entry has a finished vector.
    pub fn has_vector(&self, id: &str) -> bool {
        let slot = self.entries.slot(id);
        self.vectors
            .as_ref()
            .zip(slot)
            .is_some_and(|(vectors, slot)| vectors.has(slot) && !vectors.waiting().contains(&slot))
    }

    /// Tells whether the vector of a slot is still to come.
    pub(crate) fn is_waiting(&self, slot: u32) -> bool {
        self.vectors
            .as_ref()
            .is_some_and(|vectors| vectors.waiting().contains(&slot))
    }

    pub(super) fn lift_vector(&self, id: &str) -> Option<Lifted> {
        self.vectors.as_ref()?.lift(self.entries.slot(id)?)
    }

    /// How many entries have a finished vector.
    pub fn vectors(&self) -> usize {
        self.vectors.as_ref().map_or(0, Vectors::held)
    }

    /// Compares `vector` with those of all entries, whatever their facets, and hands the cosines to
    /// `read`. None if no entry has a vector, or `vector` is not one that could be compared.
    pub fn likeness<R>(&self, vector: AskedVector<'_>, read: impl FnOnce(&Likeness) -> R) -> Option<R> {
        let any = |vectors: &&Vectors| vectors.held() > 0 || !vectors.waiting().is_empty();
        let vectors = self.vectors.as_ref().filter(any)?;
        Likeness::with(vectors, self.entries.slots(), vector, read)
    }
}
