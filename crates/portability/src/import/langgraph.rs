//! Items of a LangGraph store, as its search gives them.

use serde_json::Value;

use super::draft::{Draft, Foreign, time};
use crate::archive::ArchiveError;

/// The fields of a value that hold what is remembered, the most likely first.
const TEXTS: [&str; 7] = ["content", "text", "memory", "data", "fact", "value", "statement"];

/// The field whose list holds the items.
pub(super) const LISTS: [&str; 1] = ["items"];

pub(super) fn row(number: usize, item: &Value, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let place = format!("item {number}");
    let stored = &item["value"];
    if stored.is_null() {
        draft.fault(&place, "it has no value");
        return Ok(());
    }
    let found = TEXTS
        .iter()
        .find_map(|field| stored[*field].as_str())
        .or(stored.as_str());
    let content = found.map_or_else(|| stored.to_string(), str::to_owned);
    let names: Vec<&str> = item["namespace"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let key = item["key"].as_str();
    // Random ids do not make useful keys.
    let is_name = |key: &&str| uuid::Uuid::try_parse(key).is_err();
    draft.statement(&Foreign {
        place,
        id: &format!("{}\n{}", names.join("."), key.unwrap_or_default()),
        content: &content,
        key: key.filter(is_name),
        category: names.last().copied(),
        at: time(&item["created_at"]),
        ..Foreign::default()
    })
}
