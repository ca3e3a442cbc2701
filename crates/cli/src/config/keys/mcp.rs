//! Settings of `recalld mcp`.

use serde_json::json;

use super::super::key::{Key, hidden};
use super::super::parse;

pub(super) const KEYS: &[Key] = &[
    Key {
        name: "mcp.url",
        about: "server that `recalld mcp` forwards all requests to; default: the data directory",
        set: |values, text, _| {
            values.remote.url = parse::optional(text);
            Ok(())
        },
        get: |values| json!(values.remote.url.as_deref().unwrap_or("")),
    },
    Key {
        name: "mcp.key",
        about: "API key for that server; set it in the environment rather than in a file",
        set: |values, text, _| {
            values.remote.key = parse::optional(text);
            Ok(())
        },
        get: |values| hidden(&values.remote.key),
    },
];
