//! mem0: the answer of `get_all`, with or without its envelope.

use serde_json::Value;

use super::draft::{Draft, Foreign, time};
use crate::archive::ArchiveError;

/// The fields whose lists hold memories.
pub(super) const LISTS: [&str; 2] = ["results", "memories"];

pub(super) fn row(number: usize, item: &Value, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let place = format!("memory {number}");
    let Some(content) = item["memory"].as_str().or(item["text"].as_str()) else {
        draft.fault(&place, "it has no field memory");
        return Ok(());
    };
    let category = item["categories"][0]
        .as_str()
        .or(item["metadata"]["category"].as_str());
    draft.statement(&Foreign {
        place,
        id: item["id"].as_str().unwrap_or_default(),
        content,
        category,
        at: time(&item["created_at"]),
        ..Foreign::default()
    })
}
