//! What an earlier process worked out of a space. It is a cache by the text of each memory, and
//! never the truth: rows come from the store, and what is not known of one is worked out.

use std::collections::HashSet;

use recalld_index::index::Snapshot;

use super::heavy_work::apart;
use super::row_index::stored_vectors;
use super::view::{SNAPSHOT_MIN, VERSION, digest_of};
use crate::change::Revision;
use crate::id::SpaceId;
use crate::memory::Memory;
use crate::ports::{Changed, Embedder, Snapshots, Store, StoreError};
use crate::vector::{Vector, VectorKind, VectorSubject};

/// What is known of the texts of a space.
pub(super) struct Kept {
    pub(super) known: Snapshot,
    /// The revision at which it was made.
    revision: Revision,
}

impl Kept {
    /// Reads what was kept of a space that was just read for the first time. None if that is
    /// nothing, of another version or of a space that was erased since, or not worth it.
    pub(super) async fn read(
        snapshots: Option<&dyn Snapshots>,
        space: &SpaceId,
        changed: &Changed,
    ) -> Option<Kept> {
        if changed.memories.len() < SNAPSHOT_MIN {
            return None;
        }
        let bytes = snapshots?.read(space).await?;
        let kept = apart(|| Kept::of(bytes))?;
        (!changed.revision.restarted_since(kept.revision)).then_some(kept)
    }

    fn of(mut bytes: Vec<u8>) -> Option<Kept> {
        let end = bytes.len().checked_sub(size_of::<u64>())?;
        let revision = u64::from_le_bytes(bytes[end..].try_into().ok()?);
        bytes.truncate(end);
        Some(Kept {
            known: Snapshot::read(bytes, VERSION)?,
            revision: Revision(revision),
        })
    }

    /// Reads the vectors that a model which takes its time made since. None if vectors are missing
    /// nevertheless, so that all have to be read.
    pub(super) async fn newer_vectors(
        &mut self,
        store: &dyn Store,
        space: &SpaceId,
        embedder: Option<&dyn Embedder>,
        changed: &Changed,
    ) -> Result<Option<Vec<Vector>>, StoreError> {
        if self.known.model() != embedder.map(Embedder::model) {
            return Ok(None);
        }
        let newer = stored_vectors(store, space, embedder, VectorKind::Memory, self.revision).await?;
        let is_whole = apart(|| self.has_all_but(&newer, &changed.memories));
        Ok(is_whole.then_some(newer))
    }

    fn has_all_but(&mut self, newer: &[Vector], memories: &[Memory]) -> bool {
        let newer: HashSet<&VectorSubject> = newer.iter().map(|vector| &vector.subject).collect();
        memories.iter().filter(|memory| memory.is_active()).all(|memory| {
            let key = *memory.id.as_uuid().as_bytes();
            self.known.has_vector(&key, &digest_of(memory))
                || newer.contains(&VectorSubject::Memory(memory.id))
        })
    }
}
