//! Models that talk, behind an endpoint: OpenAI Chat Completions and all that is compatible, OpenAI
//! Responses, Anthropic Messages.
//!
//! Every answer is streamed. A request is repeated until its answer begins, and never after: what
//! was said is said.

mod amend;
mod anthropic;
mod config;
mod extra;
mod failure;
mod listing;
mod openai;
mod provider;
mod responses;
mod streaming_reply;

use std::sync::Arc;

use async_trait::async_trait;
use recalld_memory::ports::{ChatError, ChatModel, ChatRequest, ChatStream};
use reqwest::{Client, RequestBuilder, Response, Url};
use serde_json::Value;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, timeout};

pub use config::{ChatConfig, ChatLimits, Protocol};
pub use listing::{FirstModel, named};

use crate::http::{self, InvalidEndpoint, Redirects};
use crate::model_span;
use crate::remote::breaker::Breaker;
use crate::remote::retry;
use failure::{EXCERPT_CHARS_MAX, Failure};
use provider::Provider;
use streaming_reply::StreamingReply;

/// All providers. A new one is a file that implements [`Provider`], and a line here.
const PROVIDERS: [(Protocol, &dyn Provider); 3] = [
    (Protocol::OpenAiChat, &openai::OpenAiChat),
    (Protocol::OpenAiResponses, &responses::OpenAiResponses),
    (Protocol::Anthropic, &anthropic::Anthropic),
];

impl Protocol {
    /// Reads a protocol's name.
    pub fn parse(raw: &str) -> Option<Protocol> {
        let found = PROVIDERS.iter().find(|(_, provider)| provider.name() == raw);
        found.map(|(protocol, _)| *protocol)
    }

    /// Gives the protocol's name.
    pub fn as_str(self) -> &'static str {
        self.provider().name()
    }

    fn provider(self) -> &'static dyn Provider {
        let found = PROVIDERS.iter().find(|(protocol, _)| *protocol == self);
        found.expect("every protocol is in the list").1
    }
}

/// A model behind an endpoint. Clones share its breaker and its places.
#[derive(Clone, Debug)]
pub struct RemoteChat {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    config: ChatConfig,
    url: Url,
    client: Client,
    breaker: Breaker,
    /// As many answers may be under way at a time.
    places: Arc<Semaphore>,
}

impl RemoteChat {
    /// Prepares an endpoint. Nothing is sent yet.
    pub fn new(config: ChatConfig) -> Result<RemoteChat, InvalidEndpoint> {
        let mut url = http::address(&config.base_url)?;
        let path = format!(
            "{}/{}",
            url.path().trim_end_matches('/'),
            config.protocol.provider().path()
        );
        url.set_path(&path);
        let shared = Shared {
            client: http::client(config.limits.connect_timeout, Redirects::Refused)?,
            breaker: Breaker::new(config.limits.breaker),
            places: Arc::new(Semaphore::new(config.limits.answers_at_once.max(1))),
            url,
            config,
        };
        Ok(RemoteChat {
            shared: Arc::new(shared),
        })
    }

    /// Waits for a place. What waits too long would only make the others slower.
    async fn place(&self) -> Result<OwnedSemaphorePermit, Failure> {
        let shared = &self.shared;
        let place = Arc::clone(&shared.places).acquire_owned();
        match timeout(shared.config.limits.place_timeout, place).await {
            Ok(Ok(place)) => Ok(place),
            _ => Err(Failure::passing("too many answers are under way")),
        }
    }

    /// Sends a request until an answer begins, or the attempts or the time run out.
    async fn begin(&self, request: &ChatRequest) -> Result<StreamingReply, Failure> {
        let place = self.place().await?;
        let limits = &self.shared.config.limits;
        let mut body = self.body(request);
        let mut amendments = 0;
        let deadline = Instant::now() + limits.begin_timeout;
        let mut attempt = 0;
        loop {
            let failure = match self.attempt(request, &body).await {
                Ok(answer) => return Ok(answer.holding(place)),
                Err(failure) => failure,
            };
            if let Failure::Refused {
                status: 400 | 422,
                reason,
            } = &failure
                && amendments < amend::AMENDMENTS_MAX
                && amend::amend(&mut body, reason)
            {
                amendments += 1;
                tracing::debug!(
                    reason,
                    "a model refused part of a request, which is sent without it"
                );
                continue;
            }
            let Failure::Passing { asked_pause, .. } = &failure else {
                return Err(failure);
            };
            if !limits.retry.again(&mut attempt, *asked_pause, deadline).await {
                return Err(failure);
            }
        }
    }

    fn body(&self, request: &ChatRequest) -> Value {
        let config = &self.shared.config;
        let provider = config.protocol.provider();
        let mut body = provider.body(config, request);
        let extra = provider.extra(&request.extra);
        if let Some(fields) = body.as_object_mut() {
            for (name, value) in extra {
                fields.entry(name).or_insert(value);
            }
        }
        body
    }

    async fn attempt(&self, request: &ChatRequest, body: &Value) -> Result<StreamingReply, Failure> {
        let shared = &self.shared;
        let limits = &shared.config.limits;
        let sending = self
            .with_key(http::traced(shared.client.post(shared.url.clone())))
            .json(body)
            .send();
        let response = timeout(limits.head_timeout, sending)
            .await
            .map_err(|_| Failure::passing(format!("no answer within {:?}", limits.head_timeout)))?
            .map_err(|error| Failure::passing(http::reason(error)))?;
        if !response.status().is_success() {
            return Err(self.refusal(response).await);
        }
        let reader = shared.config.protocol.provider().reader(request);
        let mut answer = StreamingReply::new(response, reader, limits);
        answer.begin().await?;
        Ok(answer)
    }

    fn with_key(&self, request: RequestBuilder) -> RequestBuilder {
        let config = &self.shared.config;
        match &config.key {
            Some(key) => config.protocol.provider().with_key(request, key),
            None => request,
        }
    }

    /// Makes a failure of an answer that is not a success.
    async fn refusal(&self, response: Response) -> Failure {
        let status = response.status();
        let asked_pause = retry::asked_pause(response.headers());
        let reading = http::read_body(response, 1 << 16);
        let body = timeout(self.shared.config.limits.stall_timeout, reading).await;
        let body = body.ok().and_then(Result::ok).unwrap_or_default();
        let text = String::from_utf8_lossy(&body);
        let text = match &self.shared.config.key {
            Some(key) => key.redact(&text),
            None => text.into_owned(),
        };
        let excerpt: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let excerpt: String = excerpt.chars().take(EXCERPT_CHARS_MAX).collect();
        let reason = format!("it answered {status}: {excerpt}");
        // 529 is how Anthropic says that it has too much to do, and a server error to everybody
        // else.
        match retry::is_passing(status) {
            true => Failure::Passing { reason, asked_pause },
            false => Failure::Refused {
                status: status.as_u16(),
                reason,
            },
        }
    }
}

impl Shared {
    fn error(&self, failure: Failure) -> ChatError {
        let model = self.config.model.clone();
        match failure {
            Failure::Passing { reason, asked_pause } => ChatError::Unavailable {
                model,
                reason,
                retry_after: asked_pause,
            },
            Failure::Refused { status, reason } => ChatError::Refused {
                model,
                status,
                reason,
            },
            Failure::BadAnswer { reason } => ChatError::BadAnswer { model, reason },
        }
    }
}

#[async_trait]
impl ChatModel for RemoteChat {
    fn name(&self) -> &str {
        &self.shared.config.model
    }

    async fn stream(&self, request: &ChatRequest) -> Result<ChatStream, ChatError> {
        let shared = &self.shared;
        let pass = shared.breaker.enter().map_err(|wait| {
            shared.error(Failure::Passing {
                reason: format!("it failed often lately and is asked again in {wait:.0?}"),
                asked_pause: Some(wait),
            })
        })?;
        let mut span = model_span::begin("chat", &shared.config.model, &shared.url);
        match span.around(self.begin(request)).await {
            Ok(answer) => {
                pass.answered();
                let shared = Arc::clone(shared);
                let events = answer.into_stream(move |failure| {
                    if matches!(failure, Failure::Passing { .. }) {
                        shared.breaker.count_failure();
                    }
                    shared.error(failure)
                });
                Ok(model_span::until_answered(span, events))
            }
            Err(failure) => {
                span.fail("unavailable");
                // Only silence opens the breaker: an endpoint that refuses one request may take the
                // next.
                match &failure {
                    Failure::Passing { .. } => pass.failed(),
                    Failure::Refused { .. } | Failure::BadAnswer { .. } => pass.answered(),
                }
                Err(shared.error(self.explained(failure).await))
            }
        }
    }
}
