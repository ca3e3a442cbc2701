//! General settings: where memories are, whose they are, the log and the search models.

use recalld_memory::id::UserId;
use serde_json::json;

use super::super::key::Key;
use super::super::parse;
use crate::failure::shortened;

pub(super) const KEYS: &[Key] = &[
    Key {
        name: "data",
        about: "directory that stores the memories",
        set: |values, text, base| {
            values.data = Some(base.join(parse::path(text)?));
            Ok(())
        },
        get: |values| json!(values.data.as_ref().map(|path| path.display().to_string())),
    },
    Key {
        name: "data_wait_ms",
        about: "how long a command waits for another process that holds the data directory, in milliseconds",
        set: |values, text, _| parse::within(text, 0, 600_000).map(|n| values.data_wait_ms = n),
        get: |values| json!(values.data_wait_ms),
    },
    Key {
        name: "user",
        about: "user whose memories the commands read and write",
        set: |values, text, _| {
            let user = UserId::named(text).map_err(|error| format!("cannot be used: {error}"))?;
            values.user = user.as_str().to_owned();
            Ok(())
        },
        get: |values| json!(values.user),
    },
    Key {
        name: "log",
        about: "log level: error, warn, info, debug, trace, or TARGET=LEVEL,…",
        set: |values, text, _| match parse::is_log_level(text) {
            true => {
                values.log = text.to_owned();
                Ok(())
            }
            false => Err(format!("is {:?}, which is not a log level", shortened(text))),
        },
        get: |values| json!(values.log),
    },
    Key {
        name: "model",
        about: "embedding model for semantic search: builtin, none, endpoint, or the name of an installed model",
        set: |values, text, _| parse::model_name(text).map(|name| values.model = name),
        get: |values| json!(values.model),
    },
    Key {
        name: "reranker",
        about: "model that reranks the best results: none, or the name of an installed cross-encoder",
        set: |values, text, _| parse::model_name(text).map(|name| values.reranker = name),
        get: |values| json!(values.reranker),
    },
];
