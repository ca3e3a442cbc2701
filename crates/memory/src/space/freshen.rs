//! Reads early what other servers wrote, for spaces that are held. Whoever reads next finds it
//! done; whoever reads before does it as always.

use std::sync::Arc;

use super::slot::{Slot, lock};
use super::spaces::{SpaceError, Spaces};
use crate::id::SpaceId;

impl Spaces {
    /// Brings forward those of the held spaces that `is_concerned` names. What is not held is not
    /// loaded.
    pub async fn freshen(&self, is_concerned: impl Fn(&SpaceId) -> bool) {
        let held: Vec<SpaceId> = lock(&self.slots).keys().cloned().collect();
        for space in held.into_iter().filter(is_concerned) {
            let slot = lock(&self.slots).get(&space).map(Arc::clone);
            let Some(slot) = slot else { continue };
            if let Err(error) = self.freshen_one(&slot).await {
                tracing::debug!(%error, "a space could not be read early");
            }
        }
    }

    async fn freshen_one(&self, slot: &Slot) -> Result<(), SpaceError> {
        if slot.is_loaded() {
            slot.refresh(&*self.store, &self.settings).await?;
        }
        slot.messages
            .freshen(&*self.store, &slot.space, &self.settings)
            .await?;
        slot.knowledge
            .freshen(&*self.store, &slot.space, &self.settings)
            .await?;
        Ok(())
    }
}
