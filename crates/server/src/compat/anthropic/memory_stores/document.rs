//! Documents: how they are stored, found and shown.

use recalld_memory::items::{self, Item, ItemChange, ItemText, Items, NewItem};
use recalld_memory::memory::{Origin, Source};
use recalld_memory::scope::Scope;
use recalld_memory::wiring::Ports;
use serde_json::{Value, json};

use super::super::super::json_body::{Fields, invalid};
use super::DOCUMENTS;
use super::versions::{Operation, version};
use super::view::{View, sha256};
use crate::error::{ApiError, Code};

/// The most bytes of a document.
const BYTES_MAX: usize = 102_400;

/// Shows a document.
pub(super) fn shown(item: &Item, view: View) -> Value {
    let content = item.value["content"].as_str().unwrap_or_default();
    json!({
        "id": item.name, "type": "memory", "memory_store_id": item.path["store"], "path": item.path["path"],
        "content": (view == View::Full).then_some(content), "content_sha256": sha256(content),
        "content_size_bytes": content.len(), "memory_version_id": item.value["version"],
        "created_at": item.created_at.to_string(), "updated_at": item.updated_at.to_string(),
    })
}

/// Reads the content of a request.
pub(super) fn content(body: &mut Fields) -> Result<Option<String>, ApiError> {
    let content = body.text("content")?;
    match content.as_ref().is_none_or(|content| content.len() <= BYTES_MAX) {
        true => Ok(content),
        false => Err(invalid(format!("content is over the limit of {BYTES_MAX} bytes"))),
    }
}

/// Where a document is, and what it says.
pub(super) struct Draft {
    pub(super) store: String,
    pub(super) memory: String,
    pub(super) path: String,
    pub(super) content: String,
    pub(super) version: String,
}

impl Draft {
    pub(super) fn put(&self, scope: &Scope, operation: Operation) -> ItemChange {
        let Draft {
            store, path, content, ..
        } = self;
        let entry = version(
            scope,
            &self.version,
            store,
            &self.memory,
            operation,
            path,
            Some(content),
        );
        let new = NewItem {
            path: json!({ "store": store, "path": path }),
            value: json!({ "content": content, "version": self.version }),
            text: Some(ItemText {
                text: content.clone(),
                pointer: Some("/content".to_owned()),
            }),
            rests_on: None,
            ttl_s: None,
            origin: Origin::Assistant,
            source: Source::new(&format!("memory_store:{path}")).ok(),
            version: Some((format!("{store}/{}", self.version), entry)),
        };
        ItemChange::put(self.memory.clone(), new)
    }
}

pub(super) fn is_taken(items: &Items<'_>, store: &str, path: &str, but: Option<&str>) -> bool {
    items.all().iter().any(|item| {
        item.path["store"] == *store && item.path["path"] == *path && Some(item.name.as_str()) != but
    })
}

pub(super) fn path_conflict(path: &str) -> ApiError {
    ApiError::new(
        Code::MemoryPathConflict,
        format!("there is a memory at {path} already"),
    )
}

pub(super) async fn find(ports: &Ports, scope: &Scope, store: &str, memory: &str) -> Result<Item, ApiError> {
    let item = items::read(ports, scope, DOCUMENTS, |items| items.get(memory)).await?;
    item.filter(|item| item.path["store"] == *store)
        .ok_or_else(|| ApiError::not_found("memory"))
}
