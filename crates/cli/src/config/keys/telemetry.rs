//! Settings of traces.

use serde_json::json;

use super::super::key::{Key, hidden};
use super::super::parse;
use super::super::server::telemetry::pairs;

pub(super) const KEYS: &[Key] = &[
    Key {
        name: "telemetry.endpoint",
        about: "OpenTelemetry collector that gets traces over HTTP, such as http://127.0.0.1:4318; empty: none",
        set: |values, text, _| {
            values.telemetry.endpoint = parse::optional(text)
                .map(|text| parse::web_address(&text))
                .transpose()?;
            Ok(())
        },
        get: |values| json!(values.telemetry.endpoint.as_deref().unwrap_or("")),
    },
    Key {
        name: "telemetry.headers",
        about: "headers for the collector, such as its key: name=value, separated by commas",
        set: |values, text, _| {
            pairs(text)?;
            values.telemetry.headers = parse::optional(text);
            Ok(())
        },
        get: |values| hidden(&values.telemetry.headers),
    },
    Key {
        name: "telemetry.service",
        about: "name of this server in traces",
        set: |values, text, _| {
            values.telemetry.service = parse::optional(text).ok_or("is blank")?;
            Ok(())
        },
        get: |values| json!(values.telemetry.service),
    },
    Key {
        name: "telemetry.sampled_share",
        about: "share of requests that are traced, from 0 to 1; a caller's traceparent decides for its requests",
        set: |values, text, _| {
            parse::within(text, 0.0, 1.0).map(|share| values.telemetry.sampled_share = share)
        },
        get: |values| json!(values.telemetry.sampled_share),
    },
    Key {
        name: "telemetry.content",
        about: "shows questions and memories in traces",
        set: |values, text, _| parse::truth(text).map(|shown| values.telemetry.shows_content = shown),
        get: |values| json!(values.telemetry.shows_content),
    },
    Key {
        name: "telemetry.users",
        about: "names users in traces",
        set: |values, text, _| parse::truth(text).map(|shown| values.telemetry.shows_users = shown),
        get: |values| json!(values.telemetry.shows_users),
    },
];
