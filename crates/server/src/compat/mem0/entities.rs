//! Entities: the users, agents, apps and runs under which memories are filed.

use std::collections::BTreeMap;

use axum::extract::State;
use jiff::Timestamp;
use recalld_memory::id::MemoryId;
use recalld_memory::retire_many::retire_many;
use recalld_memory::wiring::Ports;
use serde_json::{Map, Value, json};

use super::filters::Filters;
use super::find::kept;
use super::labelled::{self, ENTITIES};
use super::scope_of;
use crate::auth::Caller;
use crate::error::ApiError;
use crate::extract::Path;

/// Lists the entities of the caller's own space.
pub(super) async fn list(State(ports): State<Ports>, caller: Caller) -> Result<axum::Json<Value>, ApiError> {
    let scope = caller.scope()?;
    let mut counts: BTreeMap<(&str, String), (usize, Timestamp, Timestamp)> = BTreeMap::new();
    for one in labelled::all(&ports, &scope).await? {
        let own = (one.label("user_id").is_none()).then(|| scope.user().as_str().to_owned());
        let labels = ENTITIES.iter().filter_map(|name| {
            let label = one.label(name).map(str::to_owned);
            Some((*name, label?))
        });
        for (name, id) in labels.chain(own.map(|own| ("user_id", own))) {
            let memory = &one.memory;
            let entry = counts
                .entry((name, id))
                .or_insert((0, memory.learned_at, memory.revised_at));
            entry.0 += 1;
            entry.1 = entry.1.min(memory.learned_at);
            entry.2 = entry.2.max(memory.revised_at);
        }
    }
    let shown = |((name, id), (count, first, last)): ((&str, String), (usize, Timestamp, Timestamp))| {
        json!({
            "id": id, "name": id, "type": name.trim_end_matches("_id"), "total_memories": count,
            "created_at": first.to_string(), "updated_at": last.to_string(),
        })
    };
    let results: Vec<Value> = counts.into_iter().map(shown).collect();
    Ok(axum::Json(json!({
        "count": results.len(), "total": results.len(), "next": null, "previous": null, "results": results,
    })))
}

/// Forgets all memories of an entity.
pub(super) async fn delete(
    State(ports): State<Ports>,
    caller: Caller,
    Path((kind, id)): Path<(String, String)>,
) -> Result<axum::Json<Value>, ApiError> {
    let label = format!("{kind}_id");
    if !ENTITIES.contains(&label.as_str()) {
        return Err(ApiError::not_found("kind of entity"));
    }
    let is_user = label == "user_id";
    let scope = scope_of(&caller, is_user.then_some(id.as_str()))?;
    let filters = Filters::of_labels(&Map::from_iter([(label.clone(), json!(id))]));
    let mut found = kept(&ports, &scope, &filters).await?;
    // What has no label is the acting user's alone.
    let is_own = is_user && id == scope.user().as_str();
    found.retain(|one| is_own || one.label(&label).is_some());
    if found.is_empty() {
        return Err(ApiError::not_found("entity"));
    }
    let ids: Vec<MemoryId> = found.iter().map(|one| one.memory.id).collect();
    retire_many(&ports, &scope, ids).await?;
    Ok(axum::Json(json!({ "message": "Entity deleted successfully!" })))
}
