//! One message goes to the server, and what it answers goes to the client. Keeps the session, where
//! there is one.

use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::{Client, Response, StatusCode, Url};
use tokio::sync::mpsc::Sender;
use tokio::sync::watch;

use super::RelayConfig;
use super::answer::{self, ANSWER_BYTES_MAX};
use super::failure::Failure;
use super::message::{Kind, Message};
use crate::http::{self, InvalidEndpoint, Redirects};

const SESSION: &str = "mcp-session-id";
const REVISION: &str = "mcp-protocol-version";

/// How long connecting may take.
const CONNECT: Duration = Duration::from_secs(5);

/// How long the server may take to answer a request.
const ANSWER: Duration = Duration::from_secs(120);

/// The code of an error that is not the protocol's own.
const UNREACHABLE: i64 = -32000;

/// The way to one server.
#[derive(Debug)]
pub(super) struct Exchange {
    client: Client,
    url: Url,
    config: RelayConfig,
    session: Mutex<Session>,
    /// Held while a session is opened again, so that this is done once.
    reopening: tokio::sync::Mutex<()>,
    hung_up: watch::Sender<bool>,
}

/// What the server keeps of this client, in the revisions that have sessions.
#[derive(Clone, Debug, Default)]
struct Session {
    id: Option<HeaderValue>,
    revision: Option<HeaderValue>,
    /// How the client opened it, to open it again should the server have lost it.
    opening: Option<String>,
}

impl Exchange {
    pub(super) fn new(config: RelayConfig) -> Result<Exchange, InvalidEndpoint> {
        let mut url = http::address(&config.url)?;
        let path = url.path().trim_end_matches('/').to_owned();
        if !path.ends_with("/mcp") {
            url.set_path(&format!("{path}/mcp"));
        }
        Ok(Exchange {
            client: http::client(CONNECT, Redirects::Refused)?,
            url,
            config,
            session: Mutex::default(),
            reopening: tokio::sync::Mutex::default(),
            hung_up: watch::Sender::new(false),
        })
    }

    /// Passes a message on, and its answer back. Whatever goes wrong, a request is answered.
    pub(super) async fn pass(&self, message: &Message, answers: &Sender<Vec<u8>>) {
        // Without a session, nothing receives notifications of a client.
        if message.kind() == Kind::Notification && message.revision().is_none() && self.session().id.is_none()
        {
            return;
        }
        let passed = match message.listens() {
            true => {
                let mut hung_up = self.hung_up.subscribe();
                tokio::select! {
                    passed = self.try_pass(message, answers) => passed,
                    _ = hung_up.wait_for(|is| *is) => Ok(()),
                }
            }
            false => tokio::time::timeout(ANSWER, self.try_pass(message, answers))
                .await
                .unwrap_or_else(|_| Err(Failure::Unreachable(format!("no answer within {ANSWER:?}")))),
        };
        let Err(failure) = passed else { return };
        let answer = match &failure {
            Failure::Refused { body, .. } => message.answer(body),
            Failure::Unreachable(_) => None,
        };
        let answer = answer.or_else(|| message.refusal(UNREACHABLE, &self.explain(&failure)));
        if let Some(answer) = answer {
            // A client that is gone needs no answer.
            let _ = answers.send(answer).await;
        }
    }

    async fn try_pass(&self, message: &Message, answers: &Sender<Vec<u8>>) -> Result<(), Failure> {
        let before = self.session();
        let mut sent = self.post(message, &before).await;
        let is_lost =
            matches!(&sent, Err(Failure::Refused { status, .. }) if *status == StatusCode::NOT_FOUND);
        if is_lost && before.id.is_some() && message.revision().is_none() && message.kind() != Kind::Opening {
            let session = self.reopen(&before).await?;
            sent = self.post(message, &session).await;
        }
        let response = sent?;
        if message.kind() == Kind::Opening {
            return self.opened(message, response, answers).await;
        }
        if let Some(answer) = answer::read(message, response, answers).await? {
            let _ = answers.send(answer).await;
        }
        Ok(())
    }

    async fn opened(
        &self,
        message: &Message,
        response: Response,
        answers: &Sender<Vec<u8>>,
    ) -> Result<(), Failure> {
        let id = response.headers().get(SESSION).cloned();
        let answer = answer::read(message, response, answers)
            .await?
            .unwrap_or_default();
        let revision = serde_json::from_slice::<serde_json::Value>(&answer)
            .ok()
            .and_then(|answer| HeaderValue::from_str(answer["result"]["protocolVersion"].as_str()?).ok());
        *self.session.lock() = Session {
            id,
            revision,
            opening: Some(message.body()),
        };
        let _ = answers.send(answer).await;
        Ok(())
    }

    /// Reopens a session that the server lost when it restarted.
    async fn reopen(&self, lost: &Session) -> Result<Session, Failure> {
        let _turn = self.reopening.lock().await;
        let now = self.session();
        if now.id != lost.id {
            return Ok(now);
        }
        let gone = || Failure::Unreachable("the session has ended".to_owned());
        let opening = lost.opening.as_deref().ok_or_else(gone)?;
        let opening = Message::read(opening.as_bytes())
            .ok()
            .flatten()
            .ok_or_else(gone)?;
        // The client has had its answer to this before.
        let (answers, _) = tokio::sync::mpsc::channel(1);
        let response = self.post(&opening, &Session::default()).await?;
        self.opened(&opening, response, &answers).await?;
        let session = self.session();
        let initialized = br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
        let initialized = Message::read(initialized).ok().flatten().ok_or_else(gone)?;
        self.post(&initialized, &session).await?;
        tracing::info!("the server had lost the session; it is open again");
        Ok(session)
    }

    async fn post(&self, message: &Message, session: &Session) -> Result<Response, Failure> {
        let request = self
            .client
            .post(self.url.clone())
            .headers(self.headers(message, session))
            .body(message.body());
        let response = request
            .send()
            .await
            .map_err(|error| Failure::Unreachable(http::reason(error)))?;
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        let body = http::read_body(response, ANSWER_BYTES_MAX)
            .await
            .unwrap_or_default();
        Err(Failure::Refused { status, body })
    }

    fn headers(&self, message: &Message, session: &Session) -> HeaderMap {
        let mut headers = self.identity();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(
            ACCEPT,
            HeaderValue::from_static("application/json, text/event-stream"),
        );
        let mut add = |name: &'static str, text: Option<&str>| {
            if let Some(value) = text.and_then(|text| HeaderValue::from_str(text).ok()) {
                headers.insert(name, value);
            }
        };
        if message.revision().is_some() {
            add(REVISION, message.revision());
            add("mcp-method", message.method());
            add("mcp-name", message.name().as_deref());
        } else if message.kind() != Kind::Opening {
            let all = [(SESSION, &session.id), (REVISION, &session.revision)];
            for (name, value) in all {
                if let Some(value) = value {
                    headers.insert(name, value.clone());
                }
            }
        }
        headers
    }

    fn identity(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        if let Some(key) = &self.config.key {
            headers.insert(AUTHORIZATION, key.header());
        }
        let named = [
            ("recalld-user", &self.config.user),
            ("recalld-project", &self.config.project),
        ];
        for (name, value) in named {
            let value = value
                .as_deref()
                .and_then(|value| HeaderValue::from_str(value).ok());
            if let Some(value) = value {
                headers.insert(name, value);
            }
        }
        headers
    }

    /// Stops to listen: the client has left.
    pub(super) fn hang_up(&self) {
        self.hung_up.send_replace(true);
    }

    /// Ends the session, so that the server need not wait for it to rest too long.
    pub(super) async fn close(&self) {
        let session = self.session();
        if let Some(id) = session.id {
            let mut headers = self.identity();
            headers.insert(SESSION, id);
            let request = self
                .client
                .delete(self.url.clone())
                .headers(headers)
                .timeout(CONNECT);
            // A server that is gone has ended it already.
            let _ = request.send().await;
        }
    }

    fn session(&self) -> Session {
        let session: MutexGuard<'_, Session> = self.session.lock();
        session.clone()
    }

    fn explain(&self, failure: &Failure) -> String {
        match failure {
            Failure::Unreachable(reason) => format!("the memory server cannot be reached: {reason}"),
            Failure::Refused { status, body } => {
                let problem = serde_json::from_slice::<serde_json::Value>(body).unwrap_or_default();
                let detail = problem["detail"].as_str().unwrap_or_default();
                let text = format!("the memory server answered {}: {detail}", status.as_u16());
                self.config
                    .key
                    .as_ref()
                    .map_or_else(|| text.clone(), |key| key.redact(&text))
            }
        }
    }
}
