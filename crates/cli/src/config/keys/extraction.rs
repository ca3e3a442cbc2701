//! Settings of extraction and summaries.

use std::time::Duration;

use recalld_agent::settings::Method;
use serde_json::json;

use super::super::key::Key;
use super::super::{parse, schedule};

pub(super) const KEYS: &[Key] = &[
    Key {
        name: "extraction.method",
        about: "how facts are extracted: auto (a model if one is configured), rules or off",
        set: |values, text, _| {
            values.agent.extraction.method = match text.trim() {
                "auto" => Method::Auto,
                "rules" => Method::Rules,
                "off" => Method::Off,
                _ => return Err("must be auto, rules or off".to_owned()),
            };
            Ok(())
        },
        get: |values| {
            json!(match values.agent.extraction.method {
                Method::Auto => "auto",
                Method::Rules => "rules",
                Method::Off => "off",
            })
        },
    },
    Key {
        name: "extraction.model",
        about: "model that extracts facts; default: the chat model",
        set: |values, text, _| {
            values.chat.extraction = parse::optional(text);
            Ok(())
        },
        get: |values| json!(values.chat.extraction.as_deref().unwrap_or("")),
    },
    Key {
        name: "extraction.buffer_tokens",
        about: "a user's messages are processed once they reach this many tokens",
        set: |values, text, _| {
            parse::within(text, 0, 1_000_000).map(|n| values.agent.extraction.buffer_tokens = n)
        },
        get: |values| json!(values.agent.extraction.buffer_tokens),
    },
    Key {
        name: "extraction.buffer_idle_ms",
        about: "or once the user has been silent for this many milliseconds",
        set: |values, text, _| {
            parse::within(text, 0, 86_400_000)
                .map(|ms| values.agent.extraction.buffer_idle = Duration::from_millis(ms))
        },
        get: |values| json!(values.agent.extraction.buffer_idle.as_millis() as u64),
    },
    Key {
        name: "extraction.schedule",
        about: "cron expression of the daily run, in UTC; off disables it",
        set: |values, text, _| {
            schedule::parse(text)?;
            text.trim().clone_into(&mut values.schedule);
            Ok(())
        },
        get: |values| json!(values.schedule),
    },
    Key {
        name: "extraction.daily_tokens_max",
        about: "maximum number of tokens that one daily run spends on a user; the next run continues from there",
        set: |values, text, _| {
            parse::within(text, 1_000, 100_000_000).map(|n| values.agent.extraction.daily_tokens_max = n)
        },
        get: |values| json!(values.agent.extraction.daily_tokens_max),
    },
    Key {
        name: "summary.model",
        about: "model that summarises long conversations; default: the chat model",
        set: |values, text, _| {
            values.chat.summary = parse::optional(text);
            Ok(())
        },
        get: |values| json!(values.chat.summary.as_deref().unwrap_or("")),
    },
];
