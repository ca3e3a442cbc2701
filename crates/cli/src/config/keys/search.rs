//! Settings of search.

use serde_json::json;

use super::super::key::Key;
use crate::failure::shortened;

pub(super) const KEYS: &[Key] = &[Key {
    name: "search.encoder",
    about: "when the built-in sentence encoder reads a question: auto (not for a word or two), always, or never",
    set: |values, text, _| match text {
        "auto" | "always" | "never" => {
            values.encoder = text.to_owned();
            Ok(())
        }
        _ => Err(format!(
            "is {:?}, but must be auto, always or never",
            shortened(text)
        )),
    },
    get: |values| json!(values.encoder),
}];
