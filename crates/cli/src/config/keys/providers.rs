//! Settings of the providers of chat models.

use serde_json::json;

use super::super::chat_models::Provider;
use super::super::key::{Key, hidden};
use super::super::parse;
use crate::failure::shortened;

pub(super) const KEYS: &[Key] = &[
    Key {
        name: "openai.key",
        about: "API key for OpenAI or a compatible endpoint; OPENAI_API_KEY also sets it",
        set: |values, text, _| {
            values.chat.openai.key = parse::optional(text);
            Ok(())
        },
        get: |values| hidden(&values.chat.openai.key),
    },
    Key {
        name: "openai.url",
        about: "base URL of OpenAI or a compatible endpoint, including its version",
        set: |values, text, _| set_url(&mut values.chat.openai, text),
        get: |values| json!(values.chat.openai.url),
    },
    Key {
        name: "openai.model",
        about: "default model at the OpenAI endpoint; at another endpoint, the first that it lists",
        set: |values, text, _| {
            values.chat.openai.model = parse::optional(text).ok_or("is blank")?;
            values.chat.openai.has_own_model = true;
            Ok(())
        },
        get: |values| json!(values.chat.openai.model),
    },
    Key {
        name: "anthropic.key",
        about: "API key for Anthropic or a compatible endpoint; ANTHROPIC_API_KEY also sets it",
        set: |values, text, _| {
            values.chat.anthropic.key = parse::optional(text);
            Ok(())
        },
        get: |values| hidden(&values.chat.anthropic.key),
    },
    Key {
        name: "anthropic.url",
        about: "base URL of Anthropic or a compatible endpoint, including its version",
        set: |values, text, _| set_url(&mut values.chat.anthropic, text),
        get: |values| json!(values.chat.anthropic.url),
    },
    Key {
        name: "anthropic.model",
        about: "default model at the Anthropic endpoint",
        set: |values, text, _| {
            values.chat.anthropic.model = parse::optional(text).ok_or("is blank")?;
            values.chat.anthropic.has_own_model = true;
            Ok(())
        },
        get: |values| json!(values.chat.anthropic.model),
    },
];

fn set_url(provider: &mut Provider, text: &str) -> Result<(), String> {
    let url = text.trim().trim_end_matches('/');
    match url.starts_with("http://") || url.starts_with("https://") {
        true => {
            provider.has_own_url |= provider.url != url;
            url.clone_into(&mut provider.url);
            Ok(())
        }
        false => Err(format!("is {:?}, which is not an http(s) URL", shortened(text))),
    }
}
