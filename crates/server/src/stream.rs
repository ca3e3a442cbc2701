//! A reply as server-sent events, in the shape that the client asked for.

mod anthropic;
mod openai;
mod own;
mod responses;
mod ui;

use std::collections::VecDeque;
use std::convert::Infallible;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures::future::BoxFuture;
use futures::stream::unfold;
use recalld_agent::agent_loop::{AgentEvent, Ending};
use recalld_agent::chat::{PendingReply, Reply, Started};
use recalld_memory::ports::chat::FinishReason;
use serde_json::Value;

use crate::error::{ApiError, Code};

pub(crate) use anthropic::{AnthropicEvents, anthropic_message};
pub(crate) use openai::{Chunks, completion};
pub(crate) use own::Own;
pub(crate) use responses::{ResponseEvents, ResponseHead, Settle};
pub(crate) use ui::Ui;

/// Writes events of a run in one shape.
pub(crate) trait Shape: Send {
    /// The run begins.
    fn started(&mut self, started: &Started) -> Vec<String>;

    /// Something happened.
    fn happened(&mut self, event: &AgentEvent) -> Vec<String>;

    /// Gives what must be done before the end is told.
    fn settled(&mut self, _reply: Option<&Reply>) -> Option<BoxFuture<'static, ()>> {
        None
    }

    /// The run is over; none when the process is stopping.
    fn ended(&mut self, reply: Option<&Reply>) -> Vec<String>;

    /// Headers of the answer.
    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }
}

/// Writes one event without a name.
pub(crate) fn data(value: &Value) -> String {
    format!("data: {value}\n\n")
}

/// What ends the streams of OpenAI and the AI SDK.
pub(crate) const DONE: &str = "data: [DONE]\n\n";

/// A comment that keeps proxies from closing a silent connection.
const PING: &str = ": ping\n\n";
const PING_EVERY: Duration = Duration::from_secs(15);

struct Streaming {
    talk: Option<PendingReply>,
    shape: Box<dyn Shape>,
    ready: VecDeque<String>,
    done: bool,
}

impl Streaming {
    async fn next(&mut self) -> Option<String> {
        loop {
            if !self.ready.is_empty() {
                // What is ready at once goes out at once.
                return Some(self.ready.drain(..).collect());
            }
            if self.done {
                return None;
            }
            let talk = self.talk.as_mut()?;
            match tokio::time::timeout(PING_EVERY, talk.events.recv()).await {
                Err(_) => return Some(PING.to_owned()),
                Ok(Some(event)) => self.ready.extend(self.shape.happened(&event)),
                Ok(None) => {
                    let reply = self.talk.take()?.reply.await.ok();
                    reply.iter().for_each(count);
                    if let Some(work) = self.shape.settled(reply.as_ref()) {
                        work.await;
                    }
                    self.ready.extend(self.shape.ended(reply.as_ref()));
                    self.done = true;
                }
            }
        }
    }
}

/// Streams a reply. `first` was heard already.
pub(crate) fn respond(talk: PendingReply, mut shape: Box<dyn Shape>, first: Option<AgentEvent>) -> Response {
    let mut ready: VecDeque<String> = shape.started(&talk.started).into();
    if let Some(event) = first {
        ready.extend(shape.happened(&event));
    }
    let headers = shape.headers();
    let streaming = Streaming {
        talk: Some(talk),
        shape,
        ready,
        done: false,
    };
    let step = async |mut streaming: Streaming| {
        let text = streaming.next().await?;
        Some((Ok::<Bytes, Infallible>(Bytes::from(text)), streaming))
    };
    let mut response = Body::from_stream(unfold(streaming, step)).into_response();
    let of_response = response.headers_mut();
    of_response.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("text/event-stream"),
    );
    of_response.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    of_response.insert("x-accel-buffering", HeaderValue::from_static("no"));
    for (name, value) in headers {
        of_response.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    response
}

/// Waits for the whole reply. What broke off in the middle is a reply all the same, and says so.
pub(crate) async fn whole(talk: PendingReply) -> Result<Reply, ApiError> {
    let reply = talk.whole().await;
    let reply = reply.ok_or_else(|| ApiError::new(Code::Busy, "the server is stopping").retry_after(5))?;
    count(&reply);
    match &reply.failure {
        Some(error) if reply.text.is_empty() => Err(error.into()),
        _ => Ok(reply),
    }
}

/// Counts a reply in the metrics.
pub(crate) fn count(reply: &Reply) {
    let memory = match reply.memory {
        recalld_agent::chat::MemoryState::On => "on",
        recalld_agent::chat::MemoryState::Off(_) => "off",
    };
    let labels = [("mode", reply.choice.mode.as_str()), ("arm", reply.choice.arm)];
    metrics::counter!("recalld_chat_messages_total", "mode" => reply.choice.mode.as_str(), "arm" => reply.choice.arm, "memory" => memory, "outcome" => outcome(reply)).increment(1);
    metrics::counter!("recalld_chat_tokens_in_total", &labels).increment(reply.usage.tokens_in);
    metrics::counter!("recalld_chat_tokens_out_total", &labels).increment(reply.usage.tokens_out);
    metrics::counter!("recalld_chat_tool_calls_total", &labels).increment(reply.tools.len() as u64);
    if !reply.tools.is_empty() {
        metrics::counter!("recalld_chat_messages_with_calls_total", &labels).increment(1);
    }
    if let Some(first) = reply.first_word {
        metrics::histogram!("recalld_chat_first_word_seconds", &labels).record(first.as_secs_f64());
    }
}

fn outcome(reply: &Reply) -> &'static str {
    match reply.ending {
        Ending::Replied => "replied",
        Ending::CallsOfCaller(_) => "calls",
        Ending::Exhausted => "exhausted",
        Ending::Failed => "failed",
        Ending::Abandoned => "abandoned",
    }
}

/// Why a reply ended, as OpenAI names it. `last` is why the model's last answer did.
pub(crate) fn finish_reason(reply: &Reply, last: Option<FinishReason>) -> &'static str {
    match (&reply.ending, last) {
        (Ending::CallsOfCaller(_), _) => "tool_calls",
        (Ending::Exhausted, _) => "length",
        (_, Some(FinishReason::Length)) => "length",
        (_, Some(FinishReason::Filtered)) => "content_filter",
        _ => "stop",
    }
}
