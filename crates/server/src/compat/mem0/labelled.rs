//! Memories with the labels that mem0 gives them.

use std::collections::HashMap;
use std::sync::Arc;

use recalld_memory::id::MemoryId;
use recalld_memory::items::{Item, Items};
use recalld_memory::memory::Memory;
use recalld_memory::scope::Scope;
use recalld_memory::space::SpaceView;
use recalld_memory::wiring::Ports;
use serde_json::{Map, Value, json};

use super::COLLECTION;
use crate::error::ApiError;

/// The ids that mem0 files memories under.
pub(super) const ENTITIES: [&str; 4] = ["user_id", "agent_id", "app_id", "run_id"];

/// A memory with its labels.
#[derive(Clone, Debug)]
pub(super) struct Labelled {
    pub(super) memory: Arc<Memory>,
    /// What was stored with it; none for a memory that came another way.
    pub(super) item: Option<Item>,
}

impl Labelled {
    /// Gives a label.
    pub(super) fn label(&self, name: &str) -> Option<&str> {
        self.item.as_ref()?.value[name].as_str()
    }

    pub(super) fn metadata(&self) -> Option<&Map<String, Value>> {
        self.item.as_ref()?.value["metadata"].as_object()
    }

    /// Shows it as mem0's clients read it. What has no user of its own is the acting user's.
    pub(super) fn shown(&self, scope: &Scope, score: Option<f32>) -> Value {
        let memory = &self.memory;
        let mut shown = json!({
            "id": memory.id.to_string(), "memory": self.text(), "hash": null,
            "user_id": self.label("user_id").unwrap_or(scope.user().as_str()),
            "metadata": self.metadata(), "categories": [memory.category.as_str()],
            "created_at": memory.learned_at.to_string(), "updated_at": memory.revised_at.to_string(),
            "expiration_date": memory.expires_at.map(|end| end.to_string()),
        });
        for name in ["agent_id", "app_id", "run_id", "actor_id", "role"] {
            if let Some(label) = self.label(name) {
                shown[name] = json!(label);
            }
        }
        if let Some(score) = score {
            shown["score"] = json!(score.clamp(0.0, 1.0));
        }
        shown
    }

    /// What was given to be remembered, to the letter.
    fn text(&self) -> &str {
        let given = self.item.as_ref().and_then(|item| item.value["memory"].as_str());
        given.unwrap_or(self.memory.content.as_str())
    }
}

/// Reads all memories that are shown now, the newest first, with their labels.
pub(super) async fn all(ports: &Ports, scope: &Scope) -> Result<Vec<Labelled>, ApiError> {
    let look = |view: &SpaceView| {
        let items = Items::new(view, COLLECTION, scope.now).all().into_iter();
        let by_memory = items.filter_map(|item| Some((item.memory.as_ref()?.id, item)));
        let mut by_memory: HashMap<MemoryId, Item> = by_memory.collect();
        let labelled = |memory: &Arc<Memory>| Labelled {
            memory: Arc::clone(memory),
            item: by_memory.remove(&memory.id),
        };
        view.current(scope.lens()).rev().map(labelled).collect()
    };
    Ok(ports.spaces.read(scope.space(), look).await?)
}

/// Finds one by its id.
pub(super) async fn one(ports: &Ports, scope: &Scope, id: &str) -> Result<Labelled, ApiError> {
    let missing = || ApiError::not_found("memory");
    let id = MemoryId::parse(id).map_err(|_| missing())?;
    let all = all(ports, scope).await?;
    all.into_iter()
        .find(|one| one.memory.id == id)
        .ok_or_else(missing)
}
