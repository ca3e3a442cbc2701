//! What a file said when it and the store last agreed: without it nobody could tell who changed a
//! line.

use std::collections::BTreeMap;

use recalld_memory::id::MemoryId;
use recalld_memory::memory::Category;
use serde_json::{Map, Value, json};

use super::name::FileName;

/// Where a memory's line stands, and what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) file: FileName,
    pub(super) category: Category,
    pub(super) body: String,
}

/// The lines of one file.
pub(super) type Base = BTreeMap<MemoryId, (Category, String)>;

/// Writes a base as it is kept.
pub(super) fn to_value(base: &Base) -> Value {
    let line = |(id, (category, body)): (&MemoryId, &(Category, String))| {
        (id.to_string(), json!([category.as_str(), body]))
    };
    json!({ "lines": base.iter().map(line).collect::<Map<String, Value>>() })
}

/// Reads a base. What cannot be read counts as never agreed upon: then both sides are kept.
pub(super) fn from_value(value: &Value) -> Base {
    let Some(lines) = value["lines"].as_object() else {
        return Base::new();
    };
    let line = |(id, line): (&String, &Value)| {
        let category = Category::new(line[0].as_str()?).ok()?;
        Some((
            MemoryId::parse(id).ok()?,
            (category, line[1].as_str()?.to_owned()),
        ))
    };
    lines.iter().filter_map(line).collect()
}
