//! The models that an endpoint has: to choose one where none is named, and to name them where a
//! wrong one is.

use std::time::Duration;

use async_trait::async_trait;
use recalld_memory::ports::{ChatError, ChatModel, ChatRequest, ChatStream};
use serde::Deserialize;
use tokio::sync::OnceCell;
use tokio::time::timeout;

use super::failure::Failure;
use super::{ChatConfig, RemoteChat};
use crate::http::{self, InvalidEndpoint};

/// How long a list of models may take: it is short, and somebody waits for it.
const LIST_TIMEOUT: Duration = Duration::from_secs(5);

/// The most bytes of a list of models.
const LIST_BYTES_MAX: usize = 4 * 1024 * 1024;

/// How many models a message names.
const NAMED_MAX: usize = 12;

/// Parts of the names of models that do not talk.
const SILENT: [&str; 7] = ["embed", "rerank", "whisper", "tts", "bge-", "minilm", "dall-e"];

#[derive(Deserialize)]
struct Listed {
    data: Vec<ListedModel>,
}

#[derive(Deserialize)]
struct ListedModel {
    id: String,
}

impl RemoteChat {
    /// Asks the endpoint which models it has.
    pub async fn models(&self) -> Result<Vec<String>, ChatError> {
        let listed = timeout(LIST_TIMEOUT, self.listed()).await;
        let listed = listed.unwrap_or_else(|_| {
            Err(Failure::passing(format!(
                "no list of models within {LIST_TIMEOUT:?}"
            )))
        });
        listed.map_err(|failure| self.shared.error(failure))
    }

    async fn listed(&self) -> Result<Vec<String>, Failure> {
        let mut url = self.shared.url.clone();
        let chat = self.shared.config.protocol.provider().path();
        let base = url.path().strip_suffix(chat).unwrap_or("/").to_owned();
        url.set_path(&format!("{base}models"));
        let sent = self.with_key(self.shared.client.get(url)).send().await;
        let response = sent.map_err(|error| Failure::passing(http::reason(error)))?;
        if !response.status().is_success() {
            return Err(self.refusal(response).await);
        }
        let body = http::read_body(response, LIST_BYTES_MAX).await;
        let body = body.map_err(|_| Failure::passing("the list of models ended early"))?;
        let listed: Listed = serde_json::from_slice(&body).map_err(|error| Failure::BadAnswer {
            reason: format!("not a list of models: {error}"),
        })?;
        Ok(listed.data.into_iter().map(|model| model.id).collect())
    }

    /// Explains a refusal by the model's name, if the endpoint does not have it.
    pub(super) async fn explained(&self, failure: Failure) -> Failure {
        let Failure::Refused { status, .. } = &failure else {
            return failure;
        };
        let status = *status;
        if !matches!(status, 400 | 404 | 422) {
            return failure;
        }
        match self.models().await {
            Ok(models) if !models.is_empty() && !models.contains(&self.shared.config.model) => {
                let named = named(&models);
                let reason = format!("it has no model of that name; it has {named}");
                Failure::Refused { status, reason }
            }
            _ => failure,
        }
    }
}

/// Names the first models of a list.
pub fn named(models: &[String]) -> String {
    let shown: Vec<&str> = models.iter().take(NAMED_MAX).map(String::as_str).collect();
    match models.len() - shown.len() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// The model of an endpoint for which nobody has named one: the first that it lists and that talks.
/// It is asked for once, at the first use.
#[derive(Debug)]
pub struct FirstModel {
    config: ChatConfig,
    endpoint: RemoteChat,
    found: OnceCell<RemoteChat>,
}

impl FirstModel {
    /// Prepares an endpoint. Nothing is sent yet. The model of `config` names it until then.
    pub fn new(config: ChatConfig) -> Result<FirstModel, InvalidEndpoint> {
        Ok(FirstModel {
            endpoint: RemoteChat::new(config.clone())?,
            config,
            found: OnceCell::new(),
        })
    }

    /// Chooses the model, if that has not happened yet.
    pub async fn choose(&self) -> Result<&RemoteChat, ChatError> {
        self.found.get_or_try_init(|| self.asked()).await
    }

    async fn asked(&self) -> Result<RemoteChat, ChatError> {
        let models = self.endpoint.models().await?;
        let talks = |id: &&String| !SILENT.iter().any(|part| id.to_lowercase().contains(part));
        let Some(model) = models.iter().find(talks).or(models.first()) else {
            return Err(ChatError::Refused {
                model: self.config.model.clone(),
                status: 404,
                reason: "the endpoint has no models".to_owned(),
            });
        };
        let config = ChatConfig {
            model: model.clone(),
            ..self.config.clone()
        };
        tracing::info!(model, "chose the model of the endpoint");
        RemoteChat::new(config).map_err(|error| ChatError::Refused {
            model: model.clone(),
            status: 400,
            reason: error.to_string(),
        })
    }
}

#[async_trait]
impl ChatModel for FirstModel {
    fn name(&self) -> &str {
        match self.found.get() {
            Some(found) => found.name(),
            None => &self.config.model,
        }
    }

    async fn stream(&self, request: &ChatRequest) -> Result<ChatStream, ChatError> {
        self.choose().await?.stream(request).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_is_cut() {
        let models: Vec<String> = (0..20).map(|number| format!("m{number}")).collect();
        assert!(named(&models).ends_with("m11 and 8 more"));
        assert_eq!(named(&models[..2]), "m0, m1");
    }
}
