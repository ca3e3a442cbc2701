//! The vectors of the memories of a view.

use std::sync::Arc;

use super::SpaceView;
use crate::id::MemoryId;
use crate::memory::Memory;
use crate::ports::TextRole;
use crate::vector::{Vector, VectorSubject};

impl SpaceView {
    /// Takes what a model that takes its time made of a memory. Of another model, or of an older
    /// text, it is not taken.
    pub fn put_vector(&mut self, vector: &Vector) {
        let VectorSubject::Memory(id) = &vector.subject else {
            return;
        };
        let known = self.memories.get(id);
        if known.is_some_and(|memory| Vector::digest_of(memory.content.as_str()) == vector.text_digest) {
            self.index
                .put_vector(&id.to_string(), &vector.model, &vector.components);
            self.count_work();
        }
    }

    /// Gives active memories that the model has still to make a vector of.
    pub fn without_vector(&self) -> impl Iterator<Item = &Arc<Memory>> {
        let ids = self.index.waiting().filter_map(|id| MemoryId::parse(id).ok());
        let waiting = ids.filter_map(|id| self.memories.get(&id));
        waiting.filter(|memory| memory.is_active())
    }

    /// Lets a model make the vector of a memory that it has at once, finished or provisional.
    pub(super) fn embed(&mut self, id: MemoryId) {
        let (Some(embedder), Some(memory)) = (&self.embedder, self.memories.get(&id)) else {
            return;
        };
        let name = id.to_string();
        if !memory.is_active() || self.index.has_vector(&name) {
            return;
        }
        let text = memory.content.as_str();
        if let Some(vector) = embedder.embed_now(text, TextRole::Passage) {
            self.index.put_vector(&name, embedder.model(), &vector);
        } else if !embedder.answers_at_once() {
            let provisional = embedder.provisional(text);
            self.index
                .wait_for_vector(&name, embedder.model(), provisional.as_deref());
        }
    }
}
