//! Settings of the hooks in coding agents.

use serde_json::json;

use super::super::key::Key;
use super::super::parse;

pub(super) const KEYS: &[Key] = &[
    Key {
        name: "hooks.answer_ms_max",
        about: "how long a hook that the user waits for may take, in milliseconds; after that it says nothing",
        set: |values, text, _| parse::within(text, 20, 10_000).map(|ms| values.hooks_answer_ms_max = ms),
        get: |values| json!(values.hooks_answer_ms_max),
    },
    Key {
        name: "hooks.model",
        about: "whether hooks learn with the chat model, beside the rules; it costs what the model costs, up to \
                `extraction.daily_tokens_max`",
        set: |values, text, _| parse::truth(text).map(|on| values.hooks_model = on),
        get: |values| json!(values.hooks_model),
    },
];
