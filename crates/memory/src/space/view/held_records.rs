//! The records that are held with a view.

use std::sync::Arc;

use super::SpaceView;
use crate::record::{Record, RecordKind};

impl SpaceView {
    pub(super) fn put_record(&mut self, record: Record) {
        if record.kind.is_held() {
            self.erase_record(record.kind, &record.name);
            self.text_bytes += weight(&record.value);
            self.records
                .insert((record.kind, record.name.clone()), Arc::new(record));
        }
    }

    pub(super) fn erase_record(&mut self, kind: RecordKind, name: &str) {
        if let Some(known) = self.records.remove(&(kind, name.to_owned())) {
            self.text_bytes -= weight(&known.value);
        }
    }
}

/// Estimates the bytes of a JSON value in memory.
fn weight(value: &serde_json::Value) -> usize {
    use serde_json::Value;
    let inside = match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(weight).sum(),
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| name.len() + weight(value))
            .sum(),
        _ => 0,
    };
    size_of::<Value>() + inside
}
