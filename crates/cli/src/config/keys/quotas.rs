//! Settings of how much one user may store and do.

use serde::Serialize;
use serde_json::{Value, json};

use super::super::key::Key;
use super::super::parse;

/// More is no bound at all.
const MEMORIES_MAX: usize = 1_000_000_000;

/// More is no bound at all.
const TOKENS_MAX: u64 = 1_000_000_000_000;

pub(super) const KEYS: &[Key] = &[
    Key {
        name: "quotas.memories_max",
        about: "maximum number of memories of one user, hidden ones included; empty: unlimited",
        set: |values, text, _| {
            values.memory.quota.memories_max = parse::optional(text)
                .map(|text| parse::within(&text, 1, MEMORIES_MAX))
                .transpose()?;
            Ok(())
        },
        get: |values| shown(values.memory.quota.memories_max),
    },
    Key {
        name: "quotas.bytes_max",
        about: "maximum size of the memories of one user, such as 10 MiB; empty: unlimited",
        set: |values, text, _| {
            values.memory.quota.bytes_max = parse::optional(text)
                .map(|text| parse::bytes(&text))
                .transpose()?;
            Ok(())
        },
        get: |values| shown(values.memory.quota.bytes_max),
    },
    Key {
        name: "quotas.model_tokens_per_day_max",
        about: "maximum number of tokens that models may spend for one user on a day (UTC); empty: unlimited",
        set: |values, text, _| {
            values.memory.model_tokens_per_day_max = parse::optional(text)
                .map(|text| parse::within(&text, 1, TOKENS_MAX))
                .transpose()?;
            Ok(())
        },
        get: |values| shown(values.memory.model_tokens_per_day_max),
    },
    Key {
        name: "quotas.writes_per_minute_max",
        about: "maximum number of writes of one user in a minute, over all doors; empty: unlimited",
        set: |values, text, _| {
            values.server.writes_per_minute_max = parse::optional(text)
                .map(|text| parse::within(&text, 1, 1_000_000))
                .transpose()?;
            Ok(())
        },
        get: |values| shown(values.server.writes_per_minute_max),
    },
];

/// Shows a bound; nothing if there is none.
fn shown(bound: Option<impl Serialize>) -> Value {
    bound.map_or_else(|| json!(""), |bound| json!(bound))
}
