//! Reads early what other servers wrote, for spaces that are held. Whoever reads next finds it
//! done; whoever reads before does it as always.

use std::sync::Arc;

use super::error::SpaceError;
use super::slot::Slot;
use super::spaces::Spaces;
use crate::id::SpaceId;

impl Spaces {
    /// Brings forward those of the held spaces that `is_concerned` names. What is not held is not
    /// loaded.
    pub async fn prefetch(&self, is_concerned: impl Fn(&SpaceId) -> bool) {
        let held: Vec<SpaceId> = self.slots.lock().keys().cloned().collect();
        for space in held.into_iter().filter(is_concerned) {
            let slot = self.slots.lock().get(&space).map(Arc::clone);
            let Some(slot) = slot else { continue };
            if let Err(error) = self.prefetch_one(&slot).await {
                tracing::debug!(%error, "could not prefetch a space");
            }
        }
    }

    async fn prefetch_one(&self, slot: &Slot) -> Result<(), SpaceError> {
        if slot.is_loaded() {
            slot.refresh(&*self.store, &self.settings).await?;
        }
        slot.messages
            .prefetch(&*self.store, &slot.space, &self.settings)
            .await?;
        slot.knowledge
            .prefetch(&*self.store, &slot.space, &self.settings)
            .await?;
        Ok(())
    }
}
