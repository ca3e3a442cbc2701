//! How an item is stored.

use std::sync::Arc;

use jiff::Timestamp;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::{Item, NewItem};
use crate::id::MemoryId;
use crate::item_links::MEMORY;
use crate::memory::Memory;
use crate::record::{Record, RecordKind};
use crate::scope::Scope;
use crate::space::SpaceView;

/// How many bytes of earlier values are kept, so that the item can follow its memory back.
const PAST_BYTES_MAX: usize = 400_000;
const PAST_MAX: usize = 8;

/// Reads an item; none if it is hidden.
pub(super) fn read(record: &Record, view: &SpaceView, now: Timestamp) -> Option<Item> {
    let stored = &record.value;
    let time = |name: &str| {
        stored[name]
            .as_str()
            .and_then(|raw| raw.parse::<Timestamp>().ok())
    };
    let expires_at = time("expires_at");
    if expires_at.is_some_and(|end| end <= now) {
        return None;
    }
    let id = stored[MEMORY].as_str().and_then(|id| MemoryId::parse(id).ok());
    let memory = id.and_then(|id| view.memory(id));
    if memory.is_some_and(|memory| !memory.is_current(now)) {
        return None;
    }
    let (_, name) = record.name.split_once('/')?;
    Some(Item {
        name: name.to_owned(),
        path: stored["path"].clone(),
        value: value_of(stored, memory.map(|memory| &**memory)),
        memory: memory.cloned(),
        created_at: time("created_at").unwrap_or(record.written_at),
        updated_at: record
            .written_at
            .max(memory.map_or(record.written_at, |memory| memory.revised_at)),
        expires_at,
        ttl_s: stored["ttl_s"].as_i64(),
    })
}

/// Gives the value that belongs to what the memory says now.
fn value_of(stored: &Value, memory: Option<&Memory>) -> Value {
    let value = &stored["value"];
    let Some(memory) = memory else {
        return value.clone();
    };
    let said = digest(memory.content.as_str());
    if stored["said"] == *said {
        return value.clone();
    }
    let past = stored["past"].as_array().into_iter().flatten();
    if let Some(past) = past.rev().find(|past| past["said"] == *said) {
        return past["value"].clone();
    }
    // Somebody corrected the memory.
    let mut value = value.clone();
    if let Some(text) = stored["pointer"].as_str().and_then(|at| value.pointer_mut(at)) {
        *text = json!(memory.content.as_str());
    }
    value
}

/// Writes an item that rests on `memory`, in place of what `known` is.
pub(super) fn write(
    scope: &Scope,
    name: String,
    new: &NewItem,
    memory: Option<&Memory>,
    known: Option<(&Arc<Record>, &Item)>,
) -> Record {
    let mut stored = Map::new();
    stored.insert("path".to_owned(), new.path.clone());
    stored.insert("value".to_owned(), new.value.clone());
    if let Some(memory) = memory {
        stored.insert(MEMORY.to_owned(), json!(memory.id.to_string()));
        stored.insert("said".to_owned(), json!(digest(memory.content.as_str())));
        stored.insert(
            "past".to_owned(),
            json!(past(memory, known.map(|(record, _)| &**record))),
        );
        let pointer = new.text.as_ref().and_then(|text| text.pointer.as_ref());
        stored.insert("pointer".to_owned(), json!(pointer));
    }
    let created_at = known.map_or(scope.now, |(_, item)| item.created_at);
    stored.insert("created_at".to_owned(), json!(created_at.to_string()));
    if let Some(ttl) = new.ttl_s {
        stored.insert("ttl_s".to_owned(), json!(ttl));
        let end = expiry(scope, ttl).map(|end| end.to_string());
        stored.insert("expires_at".to_owned(), json!(end));
    }
    Record {
        kind: RecordKind::Item,
        name,
        value: Value::Object(stored),
        version: known.map_or(1, |(record, _)| record.version + 1),
        written_at: scope.now,
    }
}

/// When something ends that lasts for so many seconds from now.
pub(super) fn expiry(scope: &Scope, ttl_s: i64) -> Option<Timestamp> {
    scope.now.checked_add(jiff::SignedDuration::from_secs(ttl_s)).ok()
}

/// The values that belong to what the memory said before, the oldest first.
fn past(memory: &Memory, known: Option<&Record>) -> Vec<Value> {
    let Some(Record { value: known, .. }) = known else {
        return Vec::new();
    };
    if known[MEMORY] != *memory.id.to_string() {
        return Vec::new();
    }
    let mut past: Vec<Value> = known["past"].as_array().cloned().unwrap_or_default();
    past.retain(|past| past["said"] != known["said"]);
    past.push(json!({ "said": known["said"], "value": known["value"] }));
    let mut bytes = 0;
    let fits = |past: &Value| {
        bytes += past.to_string().len();
        bytes <= PAST_BYTES_MAX
    };
    let kept = past.iter().rev().take(PAST_MAX).map_while({
        let mut fits = fits;
        move |past| fits(past).then(|| past.clone())
    });
    let mut kept: Vec<Value> = kept.collect();
    kept.reverse();
    kept
}

fn digest(text: &str) -> String {
    let digest = Sha256::digest(text);
    digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
