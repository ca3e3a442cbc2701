//! An answer on its way: bytes become server-sent events, and those become what the port knows.

use std::collections::VecDeque;

use futures::StreamExt;
use futures::stream::unfold;
use recalld_memory::ports::{ChatError, ChatEvent, ChatStream};
use reqwest::Response;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{Instant, timeout};

use super::config::ChatLimits;
use super::failure::Failure;
use crate::http;
use crate::sse::{SseEvent, SseParser};

/// The most bytes of one event.
const EVENT_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Understands the events of one protocol.
pub(super) trait Reader: Send {
    /// Takes one event, and tells what it means.
    fn read(&mut self, event: &SseEvent, into: &mut VecDeque<ChatEvent>) -> Result<(), Failure>;

    /// The connection ended. Gives the last event, if all that matters was said before.
    fn end(&mut self) -> Option<ChatEvent>;
}

/// An answer that is being read.
pub(super) struct StreamingReply {
    response: Response,
    parser: SseParser,
    reader: Box<dyn Reader>,
    ready: VecDeque<ChatEvent>,
    limits: ChatLimits,
    deadline: Instant,
    bytes: usize,
    finished: bool,
    /// Given back when the answer is dropped.
    _place: Option<OwnedSemaphorePermit>,
}

impl StreamingReply {
    pub(super) fn new(response: Response, reader: Box<dyn Reader>, limits: &ChatLimits) -> StreamingReply {
        StreamingReply {
            response,
            parser: SseParser::new(EVENT_BYTES_MAX),
            reader,
            ready: VecDeque::new(),
            limits: *limits,
            deadline: Instant::now() + limits.answer_timeout,
            bytes: 0,
            finished: false,
            _place: None,
        }
    }

    /// Keeps a place taken for as long as the answer lasts.
    pub(super) fn holding(self, place: OwnedSemaphorePermit) -> StreamingReply {
        StreamingReply {
            _place: Some(place),
            ..self
        }
    }

    /// Reads until there is something to tell.
    pub(super) async fn begin(&mut self) -> Result<(), Failure> {
        while self.ready.is_empty() {
            self.read_more().await?;
        }
        Ok(())
    }

    async fn read_more(&mut self) -> Result<(), Failure> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        let patience = left.min(self.limits.stall_timeout);
        let chunk = timeout(patience, self.response.chunk())
            .await
            .map_err(|_| Failure::passing(format!("it fell silent for {patience:.0?}")))?
            .map_err(|error| Failure::passing(format!("the answer was cut: {}", http::reason(error))))?;
        let Some(chunk) = chunk else {
            let last = self.reader.end();
            self.ready
                .push_back(last.ok_or_else(|| Failure::passing("the answer was cut"))?);
            return Ok(());
        };
        self.bytes += chunk.len();
        if self.limits.answer_bytes_max < self.bytes {
            let reason = format!("an answer of more than {} bytes", self.limits.answer_bytes_max);
            return Err(Failure::BadAnswer { reason });
        }
        let events = self
            .parser
            .push(&chunk)
            .map_err(|reason| Failure::BadAnswer { reason })?;
        for event in events {
            self.reader.read(&event, &mut self.ready)?;
        }
        Ok(())
    }

    async fn next(&mut self) -> Option<Result<ChatEvent, Failure>> {
        if self.finished {
            return None;
        }
        while self.ready.is_empty() {
            if let Err(failure) = self.read_more().await {
                self.finished = true;
                return Some(Err(failure));
            }
        }
        let event = self.ready.pop_front()?;
        self.finished = matches!(event, ChatEvent::Finished { .. });
        Some(Ok(event))
    }

    pub(super) fn into_stream(
        self,
        error: impl Fn(Failure) -> ChatError + Send + Sync + 'static,
    ) -> ChatStream {
        let step = async |mut answer: StreamingReply| answer.next().await.map(|event| (event, answer));
        unfold(self, step).map(move |event| event.map_err(&error)).boxed()
    }
}
