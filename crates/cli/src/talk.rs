//! From the configuration to the models that talk.

use std::sync::Arc;

use recalld_memory::ports::{ChatModel, ChatModels, ChatRole};
use recalld_models::chat::{ChatConfig, ChatLimits, Protocol, RemoteChat};
use recalld_models::remote::ApiKey;

use crate::config::{Config, Provider, TalkValues};
use crate::failure::{Failure, chain};

/// Gives the models that talk; none when no provider is set up.
pub(crate) fn models(config: &Config) -> Result<Option<ChatModels>, Failure> {
    let values = &config.values.talk;
    let Some(chat) = values.chat.clone().or_else(|| usual(values)) else {
        return Ok(None);
    };
    let mut models = ChatModels::new(parts(values, &chat).1, model(values, &chat)?);
    for (role, named) in [
        (ChatRole::Extraction, &values.extraction),
        (ChatRole::Summary, &values.summary),
    ] {
        if let Some(named) = named {
            models = models.with_role(role, model(values, named)?);
        }
    }
    let others = values.others.split(',').map(str::trim);
    for other in others.filter(|other| !other.is_empty()) {
        let Some((name, spec)) = other.split_once('=') else {
            let message = format!("chat.models: {other:?} is not of the form name=model");
            return Err(Failure::bad_input("configuration", message));
        };
        models = models.with(name.trim(), model(values, spec.trim())?);
    }
    Ok(Some(models))
}

/// The model of the provider that is set up: with a key, or with an address of its own that needs
/// none.
fn usual(values: &TalkValues) -> Option<String> {
    let is_set = |provider: &Provider| provider.key.is_some() || provider.placed;
    if is_set(&values.openai) {
        return Some(values.openai.model.clone());
    }
    is_set(&values.anthropic).then(|| format!("anthropic:{}", values.anthropic.model))
}

/// Takes a model's name apart. A colon may also be part of the name itself, as in `llama3:8b`.
/// OpenAI's own models use tools and think by Responses alone; most others know only Chat
/// Completions.
fn parts<'s>(values: &TalkValues, spec: &'s str) -> (Protocol, &'s str) {
    let prefixed = spec
        .split_once(':')
        .and_then(|(protocol, name)| Some((Protocol::parse(protocol)?, name)));
    let usual = match values.openai.url.contains("//api.openai.com/") {
        true => Protocol::OpenAiResponses,
        false => Protocol::OpenAiChat,
    };
    prefixed.unwrap_or((usual, spec))
}

/// Anthropic's own clients take the address without its version.
fn address(protocol: Protocol, url: &str) -> String {
    match protocol {
        Protocol::Anthropic if !url.ends_with("/v1") => format!("{url}/v1"),
        _ => url.to_owned(),
    }
}

fn model(values: &TalkValues, spec: &str) -> Result<Arc<dyn ChatModel>, Failure> {
    let (protocol, name) = parts(values, spec);
    let provider = match protocol {
        Protocol::OpenAiChat | Protocol::OpenAiResponses => &values.openai,
        Protocol::Anthropic => &values.anthropic,
    };
    let invalid = |error: &dyn std::error::Error| {
        Failure::bad_input("configuration", format!("the model {spec}: {}", chain(error)))
    };
    let key = provider.key.as_deref().map(ApiKey::new).transpose();
    let remote = RemoteChat::new(ChatConfig {
        protocol,
        base_url: address(protocol, &provider.url),
        key: key.map_err(|error| invalid(&error))?,
        model: name.to_owned(),
        limits: ChatLimits::default(),
    });
    Ok(Arc::new(remote.map_err(|error| invalid(&error))?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_names_the_protocol_and_a_colon_may_belong_to_the_name() {
        let mut values = TalkValues::default();
        assert_eq!(
            parts(&values, "anthropic:claude"),
            (Protocol::Anthropic, "claude")
        );
        assert_eq!(parts(&values, "openai:gpt"), (Protocol::OpenAiChat, "gpt"));
        assert_eq!(parts(&values, "gpt"), (Protocol::OpenAiResponses, "gpt"));
        values.openai.url = "http://localhost:8080/v1".to_owned();
        assert_eq!(
            parts(&values, "responses:gpt"),
            (Protocol::OpenAiResponses, "gpt")
        );
        assert_eq!(parts(&values, "llama3:8b"), (Protocol::OpenAiChat, "llama3:8b"));
    }

    #[test]
    fn a_key_or_an_address_sets_a_provider_up() {
        let mut values = TalkValues::default();
        assert_eq!(usual(&values), None);
        values.anthropic.key = Some("k".to_owned());
        assert_eq!(usual(&values).as_deref(), Some("anthropic:claude-sonnet-5-5"));
        values.openai.placed = true;
        assert_eq!(usual(&values).as_deref(), Some("gpt-6.1-terra"));
    }
}
