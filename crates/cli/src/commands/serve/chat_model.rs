//! Names the chat model of a server. If none is configured and Ollama runs on this machine, says
//! how to use it; it is never used unasked.

use std::time::Duration;

use recalld_memory::ports::{ChatModel, ChatRole};
use recalld_models::chat::{ChatConfig, ChatLimits, Protocol, RemoteChat, named};

use crate::config::platform;
use crate::engine::Engine;
use crate::output::Output;

/// A program on this machine answers at once.
const PATIENCE: Duration = Duration::from_millis(1_500);

/// Writes a note about the chat model. Nothing waits for it.
pub(super) async fn name(output: Output, engine: Engine) {
    if let Some(first) = &engine.first_model {
        match first.choose().await {
            Ok(chosen) => output.note(&format!(
                "chat uses {}, the first model that the endpoint lists; name another with OPENAI_MODEL",
                chosen.name()
            )),
            Err(error) => tracing::warn!(%error, "the chat model cannot be asked for its name"),
        }
        return;
    }
    if let Some(models) = &engine.agent.models {
        output.note(&format!("chat uses {}", models.of(ChatRole::Chat).name()));
        return;
    }
    let url = platform::ollama_url();
    if let Some(models) = models_at(&url).await {
        output.note(&format!(
            "chat is off: no model is configured. Ollama runs here with {}; to use it, start with \
             OPENAI_BASE_URL={url}",
            named(&models)
        ));
    }
}

/// Returns the models of an endpoint on this machine, if it has any.
async fn models_at(url: &str) -> Option<Vec<String>> {
    let endpoint = RemoteChat::new(ChatConfig {
        protocol: Protocol::OpenAiChat,
        base_url: url.to_owned(),
        key: None,
        model: "any".to_owned(),
        limits: ChatLimits {
            connect_timeout: PATIENCE,
            ..ChatLimits::default()
        },
    });
    let listed = tokio::time::timeout(PATIENCE, async { endpoint.ok()?.models().await.ok() });
    listed.await.ok()?.filter(|models| !models.is_empty())
}
