//! Embeddings from any endpoint that speaks OpenAI's `/v1/embeddings`.

use std::time::Duration;

use async_trait::async_trait;
use futures::{StreamExt, TryStreamExt, stream};
use recalld_index::model::EmbeddingModel;
use recalld_memory::ports::{EmbedError, Embedder, TextRole};
use reqwest::header::AUTHORIZATION;
use reqwest::{Client, Response, Url};
use tokio::time::{Instant, timeout, timeout_at};

use crate::http::{self, BodyError, Redirects};
use crate::model_span;
use crate::transformer::Prefixes;

pub(crate) mod breaker;
mod config;
pub(crate) mod retry;
mod wire;

pub use crate::http::{ApiKey, InvalidEndpoint};
pub use breaker::BreakerLimits;
pub use config::{Dimension, RemoteConfig, RemoteLimits};
pub use retry::RetryLimits;

use breaker::Breaker;
use wire::Expected;

/// More components than any model gives.
const DIMENSION_MAX: usize = 1 << 16;
/// A component in JSON takes about 22 bytes; this leaves room for generous spacing.
const BYTES_PER_COMPONENT_MAX: usize = 64;
/// How much of a refusal is repeated.
const EXCERPT_CHARS_MAX: usize = 200;

/// A model behind an endpoint.
#[derive(Debug)]
pub struct RemoteEmbedder {
    model: EmbeddingModel,
    config: RemoteConfig,
    url: Url,
    client: Client,
    expected: Expected,
    breaker: Breaker,
}

/// Why a request failed, and so what to do about it.
enum Failure {
    /// It may work later.
    Passing {
        reason: String,
        asked_pause: Option<Duration>,
    },
    /// It will not work, though the endpoint is alive.
    Refused { reason: String },
    /// It worked, and gave nonsense.
    BadAnswer { reason: String },
}

impl RemoteEmbedder {
    /// Prepares an endpoint. Nothing is sent yet.
    pub fn new(config: RemoteConfig) -> Result<RemoteEmbedder, InvalidEndpoint> {
        let count = config.dimension.count();
        if !(1..=DIMENSION_MAX).contains(&count) {
            let (min, max) = (1, DIMENSION_MAX);
            return Err(InvalidEndpoint::Number {
                name: "dimension",
                value: count,
                min,
                max,
            });
        }
        RemoteEmbedder::expecting(config, Expected::Exactly(count))
    }

    /// Asks an endpoint once how many components its vectors have. The dimension in `config` is
    /// ignored unless it is one to ask for.
    pub async fn measure(config: RemoteConfig) -> Result<usize, MeasureError> {
        let probe = RemoteEmbedder::expecting(config, Expected::Equal)?;
        let vectors = probe.embed(&["dimension"], TextRole::Query).await?;
        Ok(vectors.first().map_or(0, Vec::len))
    }

    fn expecting(config: RemoteConfig, expected: Expected) -> Result<RemoteEmbedder, InvalidEndpoint> {
        let mut url = http::address(&config.base_url)?;
        let path = format!("{}/embeddings", url.path().trim_end_matches('/'));
        url.set_path(&path);
        let client = http::client(config.limits.connect_timeout, Redirects::Refused)?;
        let mut name = config.model.clone();
        if config.prefixes != Prefixes::default() {
            name = format!("{name} [{}|{}]", config.prefixes.query, config.prefixes.passage);
        }
        let model = EmbeddingModel {
            name,
            dimension: config.dimension.count(),
        };
        let breaker = Breaker::new(config.limits.breaker);
        Ok(RemoteEmbedder {
            model,
            config,
            url,
            client,
            expected,
            breaker,
        })
    }

    /// Sends texts until an answer comes, or the attempts or the time run out.
    async fn request(&self, texts: Vec<String>) -> Result<Vec<Vec<f32>>, Failure> {
        let limits = &self.config.limits;
        let deadline = Instant::now() + limits.total_timeout;
        let mut attempt = 0;
        loop {
            let tried = timeout_at(deadline, timeout(limits.attempt_timeout, self.attempt(&texts)));
            let failure = match tried.await {
                Ok(Ok(Ok(vectors))) => return Ok(vectors),
                Ok(Ok(Err(failure))) => failure,
                Ok(Err(_)) => passing(format!("no answer within {:?}", limits.attempt_timeout)),
                Err(_) => passing(format!("no answer within {:?}", limits.total_timeout)),
            };
            let Failure::Passing { asked_pause, .. } = &failure else {
                return Err(failure);
            };
            if !limits.retry.again(&mut attempt, *asked_pause, deadline).await {
                return Err(failure);
            }
        }
    }

    async fn attempt(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, Failure> {
        let dimensions = match self.config.dimension {
            Dimension::Asked(count) => Some(count),
            Dimension::Native(_) => None,
        };
        let model = &self.config.model;
        let body = wire::Request {
            model,
            input: texts,
            dimensions,
            encoding_format: "float",
        };
        let mut request = http::traced(self.client.post(self.url.clone())).json(&body);
        if let Some(key) = &self.config.key {
            request = request.header(AUTHORIZATION, key.header());
        }
        let response = request
            .send()
            .await
            .map_err(|error| passing(http::reason(error)))?;
        if !response.status().is_success() {
            return Err(self.refusal(response).await);
        }
        let components = match self.expected {
            Expected::Exactly(dimension) => dimension,
            Expected::Equal => DIMENSION_MAX,
        };
        let bytes_max = texts.len() * components * BYTES_PER_COMPONENT_MAX + (1 << 16);
        let body = http::read_body(response, bytes_max)
            .await
            .map_err(|error| match error {
                BodyError::Broken(reason) => passing(reason),
                BodyError::TooLong { bytes_max } => Failure::BadAnswer {
                    reason: format!("an answer of more than {bytes_max} bytes"),
                },
            })?;
        wire::vectors(&body, texts.len(), self.expected).map_err(|reason| Failure::BadAnswer { reason })
    }

    /// Makes a failure of an answer that is not a success.
    async fn refusal(&self, response: Response) -> Failure {
        let status = response.status();
        let asked_pause = retry::asked_pause(response.headers());
        let body = http::read_body(response, 1 << 16).await.unwrap_or_default();
        let text = String::from_utf8_lossy(&body);
        let text = self
            .config
            .key
            .as_ref()
            .map_or_else(|| text.to_string(), |key| key.redact(&text));
        let excerpt: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let excerpt: String = excerpt.chars().take(EXCERPT_CHARS_MAX).collect();
        let reason = format!("it answered {status}: {excerpt}");
        match retry::is_passing(status) {
            true => Failure::Passing { reason, asked_pause },
            false => Failure::Refused { reason },
        }
    }

    fn error(&self, failure: Failure) -> EmbedError {
        let model = self.model.name.clone();
        match failure {
            Failure::Passing { reason, .. } | Failure::Refused { reason } => {
                EmbedError::Unavailable { model, reason }
            }
            Failure::BadAnswer { reason } => EmbedError::BadAnswer { model, reason },
        }
    }

    /// Groups texts into requests. The numbers tell where each vector belongs.
    fn requests(&self, texts: &[&str], role: TextRole) -> Vec<(Vec<usize>, Vec<String>)> {
        let limits = &self.config.limits;
        let prefix = self.config.prefixes.of(role);
        let mut requests: Vec<(Vec<usize>, Vec<String>)> = Vec::new();
        let mut tokens = 0;
        for (index, text) in texts.iter().enumerate() {
            let text = text.trim();
            // Endpoints refuse a blank text, and with it the whole request.
            if text.is_empty() {
                continue;
            }
            let text = format!(
                "{prefix}{}",
                &text[..text.floor_char_boundary(limits.text_bytes_max)]
            );
            // Three bytes a token is cautious for English, and about right for Chinese.
            let more = text.len().div_ceil(3);
            match requests.last_mut() {
                Some((indices, group))
                    if group.len() < limits.texts_max && tokens + more <= limits.tokens_max =>
                {
                    indices.push(index);
                    group.push(text);
                    tokens += more;
                }
                _ => {
                    requests.push((vec![index], vec![text]));
                    tokens = more;
                }
            }
        }
        requests
    }
}

/// Why an endpoint's dimension could not be found out.
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    /// The settings cannot be used.
    #[error(transparent)]
    Invalid(#[from] InvalidEndpoint),
    /// The endpoint did not answer usefully.
    #[error(transparent)]
    Failed(#[from] EmbedError),
}

#[async_trait]
impl Embedder for RemoteEmbedder {
    fn model(&self) -> &EmbeddingModel {
        &self.model
    }

    async fn embed(&self, texts: &[&str], role: TextRole) -> Result<Vec<Vec<f32>>, EmbedError> {
        let requests = self.requests(texts, role);
        let mut vectors = vec![vec![0.0; self.model.dimension]; texts.len()];
        if requests.is_empty() {
            return Ok(vectors);
        }
        let pass = self.breaker.enter().map_err(|wait| {
            self.error(passing(format!(
                "it failed often lately and is asked again in {wait:.0?}"
            )))
        })?;
        let running = requests.into_iter().map(|(indices, group)| async move {
            self.request(group).await.map(|vectors| (indices, vectors))
        });
        let at_once = self.config.limits.requests_at_once.max(1);
        let work = stream::iter(running).buffered(at_once).try_collect();
        let done: Result<Vec<_>, Failure> =
            model_span::around("embeddings", &self.config.model, &self.url, work).await;
        match done {
            Ok(groups) => {
                pass.answered();
                for (index, vector) in groups
                    .into_iter()
                    .flat_map(|(indices, group)| indices.into_iter().zip(group))
                {
                    vectors[index] = vector;
                }
                Ok(vectors)
            }
            Err(failure) => {
                // Only silence opens the breaker: an endpoint that refuses one text may take the
                // next.
                match &failure {
                    Failure::Passing { .. } => pass.failed(),
                    Failure::Refused { .. } | Failure::BadAnswer { .. } => pass.answered(),
                }
                Err(self.error(failure))
            }
        }
    }
}

fn passing(reason: String) -> Failure {
    Failure::Passing {
        reason,
        asked_pause: None,
    }
}
