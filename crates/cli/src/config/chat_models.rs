//! The configured chat models and their providers.

use std::fmt;

/// Which chat models are used, and where they are.
#[derive(Clone)]
pub(crate) struct ChatModelValues {
    pub(crate) openai: Provider,
    pub(crate) anthropic: Provider,
    /// `[openai:|responses:|anthropic:]NAME`; default: the model of the configured provider.
    pub(crate) chat: Option<String>,
    pub(crate) extraction: Option<String>,
    pub(crate) summary: Option<String>,
    pub(crate) judge: Option<String>,
    /// Further models, as `name=model`, separated by commas.
    pub(crate) others: String,
}

/// A provider of chat models.
#[derive(Clone)]
pub(crate) struct Provider {
    pub(crate) url: String,
    pub(crate) key: Option<String>,
    pub(crate) model: String,
    /// Whether the URL is not the default.
    pub(crate) has_own_url: bool,
    /// Whether the model was named.
    pub(crate) has_own_model: bool,
}

impl fmt::Debug for ChatModelValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Keys stay out of logs.
        f.debug_struct("ChatModelValues")
            .field("chat", &self.chat)
            .finish_non_exhaustive()
    }
}

impl Default for ChatModelValues {
    fn default() -> ChatModelValues {
        let provider = |url: &str, model: &str| Provider {
            url: url.to_owned(),
            key: None,
            model: model.to_owned(),
            has_own_url: false,
            has_own_model: false,
        };
        ChatModelValues {
            openai: provider("https://api.openai.com/v1", "gpt-6.1-terra"),
            anthropic: provider("https://api.anthropic.com/v1", "claude-sonnet-5-5"),
            chat: None,
            extraction: None,
            summary: None,
            judge: None,
            others: String::new(),
        }
    }
}
