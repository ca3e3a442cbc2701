//! What becomes of a record: replaced, merged or cleared, at a version and within its schema.

use std::sync::Arc;

use serde_json::{Map, Value};
use thiserror::Error;

use crate::change::Effect;
use crate::record::{Record, RecordKind};
use crate::schema::{self, SchemaError};
use crate::scope::Scope;
use crate::space::SpaceView;

/// What should become of a record.
#[derive(Clone, Debug, PartialEq)]
pub enum Update {
    /// This and nothing else.
    Replace(Value),
    /// A JSON merge patch (RFC 7396).
    Merge(Value),
    /// Nothing is stored.
    Clear,
}

/// Why a record cannot become that.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum UpdateError {
    /// Larger than it may be.
    #[error("the value would be {bytes} bytes, over the limit of {limit}")]
    TooLong { bytes: usize, limit: usize },
    /// It does not fit its schema.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// It is no longer what the writer saw.
    #[error("the value has changed since; it is at version {at} now")]
    Stale { at: u32 },
}

/// What a writer saw of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExpectedVersion {
    /// The version; 0: there was none.
    pub version: u32,
    /// When it was written, to the millisecond. It tells a record from one that was cleared and
    /// made anew since, whose versions begin again.
    pub written_ms: Option<i64>,
}

impl ExpectedVersion {
    /// Nothing was stored.
    pub const ABSENT: ExpectedVersion = ExpectedVersion {
        version: 0,
        written_ms: None,
    };

    /// What a reader of this record sees.
    pub fn of(record: &Record) -> ExpectedVersion {
        ExpectedVersion {
            version: record.version,
            written_ms: Some(record.written_at.as_millisecond()),
        }
    }

    fn still_holds(self, known: Option<&Record>) -> bool {
        let now = known.map_or(ExpectedVersion::ABSENT, ExpectedVersion::of);
        self.version == now.version && (self.written_ms.is_none() || self.written_ms == now.written_ms)
    }
}

/// Which record is meant, and what holds for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Updating<'a> {
    pub(crate) kind: RecordKind,
    pub(crate) name: &'a str,
    pub(crate) schema: Option<&'a Value>,
    pub(crate) bytes_max: usize,
    /// Only if the record is still the one that was seen.
    pub(crate) seen: Option<ExpectedVersion>,
}

/// The effect, if anything changes, and the record as it then stands.
pub(crate) type Decided = (Option<Effect>, Option<Arc<Record>>);

/// Decides what becomes of a record. A merge may bring the padding nulls of models in strict mode:
/// where the schema says that a field is optional and does not allow null, a null leaves it as it
/// is.
pub(crate) fn decide_update(
    view: &SpaceView,
    scope: &Scope,
    which: Updating<'_>,
    update: &Update,
) -> Result<Decided, UpdateError> {
    let Updating {
        kind, name, schema, ..
    } = which;
    let known = view.record(kind, name);
    let at = known.map_or(0, |known| known.version);
    if which
        .seen
        .is_some_and(|seen| !seen.still_holds(known.map(|known| &**known)))
    {
        return Err(UpdateError::Stale { at });
    }
    let value = match update {
        Update::Clear => {
            let erase = known.map(|_| Effect::EraseRecord {
                kind,
                name: name.to_owned(),
            });
            return Ok((erase, None));
        }
        Update::Replace(value) => value.clone(),
        Update::Merge(patch) => {
            let mut value = known.map_or(Value::Object(Map::new()), |known| known.value.clone());
            merge(&mut value, &schema::without_padding(patch, schema));
            value
        }
    };
    let bytes = value.to_string().len();
    if which.bytes_max < bytes {
        let limit = which.bytes_max;
        return Err(UpdateError::TooLong { bytes, limit });
    }
    schema.map_or(Ok(()), |schema| schema::check(&value, schema))?;
    if known.is_some_and(|known| known.value == value) {
        return Ok((None, known.cloned()));
    }
    let record = Record {
        kind,
        name: name.to_owned(),
        value,
        version: at + 1,
        written_at: scope.now,
    };
    Ok((Some(Effect::Record(record.clone())), Some(Arc::new(record))))
}

/// Applies a JSON merge patch (RFC 7396) to `target`.
pub fn merge(target: &mut Value, patch: &Value) {
    let Value::Object(patch) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    let Some(fields) = target.as_object_mut() else {
        return;
    };
    for (name, value) in patch {
        match value {
            Value::Null => {
                fields.shift_remove(name);
            }
            value => merge(fields.entry(name.clone()).or_insert(Value::Null), value),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The examples of RFC 7396, appendix A.
    #[test]
    fn merging_follows_the_rfc() {
        for (target, patch, expected) in [
            (json!({"a": "b"}), json!({"a": "c"}), json!({"a": "c"})),
            (json!({"a": "b"}), json!({"b": "c"}), json!({"a": "b", "b": "c"})),
            (json!({"a": "b"}), json!({"a": null}), json!({})),
            (json!({"a": "b", "b": "c"}), json!({"a": null}), json!({"b": "c"})),
            (json!({"a": ["b"]}), json!({"a": "c"}), json!({"a": "c"})),
            (json!({"a": "c"}), json!({"a": ["b"]}), json!({"a": ["b"]})),
            (
                json!({"a": {"b": "c"}}),
                json!({"a": {"b": "d", "c": null}}),
                json!({"a": {"b": "d"}}),
            ),
            (json!({"a": [{"b": "c"}]}), json!({"a": [1]}), json!({"a": [1]})),
            (json!(["a", "b"]), json!(["c", "d"]), json!(["c", "d"])),
            (json!({"a": "b"}), json!(["c"]), json!(["c"])),
            (json!({"a": "foo"}), json!(null), json!(null)),
            (json!({"a": "foo"}), json!("bar"), json!("bar")),
            (json!({"e": null}), json!({"a": 1}), json!({"e": null, "a": 1})),
            (json!([1, 2]), json!({"a": "b", "c": null}), json!({"a": "b"})),
            (
                json!({}),
                json!({"a": {"bb": {"ccc": null}}}),
                json!({"a": {"bb": {}}}),
            ),
        ] {
            let mut merged = target.clone();
            merge(&mut merged, &patch);
            assert_eq!(merged, expected, "{target} with {patch}");
        }
    }
}
