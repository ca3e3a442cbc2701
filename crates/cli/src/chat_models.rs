//! Creates the configured chat models.

use std::sync::Arc;

use recalld_memory::ports::{ChatModel, ChatModels, ChatRole};
use recalld_models::chat::{ChatConfig, ChatLimits, FirstModel, Protocol, RemoteChat};
use recalld_models::remote::ApiKey;

use crate::config::{ChatModelValues, Config, Provider};
use crate::failure::{Failure, chain};

/// The configured chat models.
#[derive(Clone, Debug)]
pub(crate) struct Configured {
    pub(crate) models: ChatModels,
    /// The model that the endpoint has to be asked for, since nobody has named one.
    pub(crate) first: Option<Arc<FirstModel>>,
}

/// The name of a model that nobody has named, until the endpoint has.
const UNNAMED: &str = "default";

/// Returns the chat models; `None` if no provider is configured.
pub(crate) fn configured(config: &Config) -> Result<Option<Configured>, Failure> {
    let values = &config.values.chat;
    let Some(chat) = values.chat.clone().or_else(|| default_model(values)) else {
        return Ok(None);
    };
    let mut first = None;
    let mut models = if is_unnamed(values) {
        let config = chat_config(values, Protocol::OpenAiChat, UNNAMED, UNNAMED)?;
        let model = FirstModel::new(config).map_err(|error| invalid(UNNAMED, &error))?;
        let model = first.insert(Arc::new(model));
        ChatModels::new(UNNAMED, Arc::clone(model) as Arc<dyn ChatModel>)
    } else {
        ChatModels::new(split(values, &chat).1, model(values, &chat)?)
    };
    for (role, named) in [
        (ChatRole::Extraction, &values.extraction),
        (ChatRole::Summary, &values.summary),
        (ChatRole::Judge, &values.judge),
    ] {
        if let Some(named) = named {
            models = models.with_role(role, model(values, named)?);
        }
    }
    let others = values.others.split(',').map(str::trim);
    for other in others.filter(|other| !other.is_empty()) {
        let Some((name, spec)) = other.split_once('=') else {
            let message = format!("chat.models: {other:?} does not have the form NAME=MODEL");
            return Err(Failure::bad_input("configuration", message));
        };
        models = models.with(name.trim(), model(values, spec.trim())?);
    }
    Ok(Some(Configured { models, first }))
}

/// Whether an endpoint of the user's own is configured, and no model.
fn is_unnamed(values: &ChatModelValues) -> bool {
    values.chat.is_none() && values.openai.has_own_url && !values.openai.has_own_model
}

/// Returns the model of the configured provider: one with a key, or with a URL of its own, which
/// may need no key.
fn default_model(values: &ChatModelValues) -> Option<String> {
    let is_configured = |provider: &Provider| provider.key.is_some() || provider.has_own_url;
    if is_configured(&values.openai) {
        return Some(values.openai.model.clone());
    }
    is_configured(&values.anthropic).then(|| format!("anthropic:{}", values.anthropic.model))
}

/// Splits a model's name into protocol and name. A colon may also be part of the name, as in
/// `llama3:8b`. OpenAI's own models support tools and reasoning only with the Responses API; most
/// others support only Chat Completions.
fn split<'s>(values: &ChatModelValues, spec: &'s str) -> (Protocol, &'s str) {
    let prefixed = spec
        .split_once(':')
        .and_then(|(protocol, name)| Some((Protocol::parse(protocol)?, name)));
    let default = match values.openai.url.contains("//api.openai.com/") {
        true => Protocol::OpenAiResponses,
        false => Protocol::OpenAiChat,
    };
    prefixed.unwrap_or((default, spec))
}

/// Anthropic's own clients expect the URL without its version.
fn base_url(protocol: Protocol, url: &str) -> String {
    match protocol {
        Protocol::Anthropic if !url.ends_with("/v1") => format!("{url}/v1"),
        _ => url.to_owned(),
    }
}

fn invalid(spec: &str, error: &dyn std::error::Error) -> Failure {
    Failure::bad_input("configuration", format!("the model {spec}: {}", chain(error)))
}

fn chat_config(
    values: &ChatModelValues,
    protocol: Protocol,
    spec: &str,
    name: &str,
) -> Result<ChatConfig, Failure> {
    let provider = match protocol {
        Protocol::OpenAiChat | Protocol::OpenAiResponses => &values.openai,
        Protocol::Anthropic => &values.anthropic,
    };
    let key = provider.key.as_deref().map(ApiKey::new).transpose();
    Ok(ChatConfig {
        protocol,
        base_url: base_url(protocol, &provider.url),
        key: key.map_err(|error| invalid(spec, &error))?,
        model: name.to_owned(),
        limits: ChatLimits::default(),
    })
}

fn model(values: &ChatModelValues, spec: &str) -> Result<Arc<dyn ChatModel>, Failure> {
    let (protocol, name) = split(values, spec);
    let remote = RemoteChat::new(chat_config(values, protocol, spec, name)?);
    Ok(Arc::new(remote.map_err(|error| invalid(spec, &error))?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_names_the_protocol_and_a_colon_may_belong_to_the_name() {
        let mut values = ChatModelValues::default();
        assert_eq!(
            split(&values, "anthropic:claude"),
            (Protocol::Anthropic, "claude")
        );
        assert_eq!(split(&values, "openai:gpt"), (Protocol::OpenAiChat, "gpt"));
        assert_eq!(split(&values, "gpt"), (Protocol::OpenAiResponses, "gpt"));
        values.openai.url = "http://localhost:8080/v1".to_owned();
        assert_eq!(
            split(&values, "responses:gpt"),
            (Protocol::OpenAiResponses, "gpt")
        );
        assert_eq!(split(&values, "llama3:8b"), (Protocol::OpenAiChat, "llama3:8b"));
    }

    #[test]
    fn a_key_or_a_url_configures_a_provider() {
        let mut values = ChatModelValues::default();
        assert_eq!(default_model(&values), None);
        values.anthropic.key = Some("k".to_owned());
        assert_eq!(
            default_model(&values).as_deref(),
            Some("anthropic:claude-sonnet-5-5")
        );
        values.openai.has_own_url = true;
        assert_eq!(default_model(&values).as_deref(), Some("gpt-6.1-terra"));
        assert!(is_unnamed(&values));
        values.openai.has_own_model = true;
        assert!(!is_unnamed(&values));
    }
}
