//! `/v1/events/stream`: the audit log of the caller's space as it grows.
//!
//! The log itself is followed, not this process's own writes: a client sees what any server of the
//! deployment did, and goes on after a break where it was.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::time::Duration;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures::stream::unfold;
use recalld_memory::change::{Event, Revision};
use recalld_memory::id::SpaceId;
use recalld_memory::ports::{EventPage, StoreError};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::Instant;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use super::events::{EventBody, read_place, written_place};
use crate::app::App;
use crate::auth::{Caller, Unproven};
use crate::error::{ApiError, Code};
use crate::middleware::RouteLayers;

pub(super) fn router(layers: &RouteLayers) -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(follow).layer(layers.caller()))
}

/// How often the log is looked at, and the key checked.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// A comment that keeps proxies from closing a silent connection.
const PING: &str = ": ping\n\n";
const PING_EVERY: Duration = Duration::from_secs(15);

/// A client that missed more than this is told so instead.
const MISSED_MAX: usize = 1_000;

/// How many events are read at once.
const PAGE: usize = 200;

/// Streams audited changes as server-sent events, from now on or from the one that `Last-Event-ID`
/// names. An event `change` holds what `GET /v1/events` lists; an event `gap` says that more was
/// missed than is sent. The stream ends when the key is revoked or the server stops.
#[utoipa::path(get, path = "/v1/events/stream", tag = "events",
    params(("Last-Event-ID" = Option<String>, Header, description = "The `place` of the last event seen")),
    responses((status = 200, content_type = "text/event-stream", body = String)))]
async fn follow(State(app): State<App>, caller: Caller, headers: HeaderMap) -> Result<Response, ApiError> {
    let space = caller.scope()?.space().clone();
    let seen = match headers.get("last-event-id") {
        Some(raw) => {
            let place = raw.to_str().ok().and_then(read_place);
            place.ok_or_else(|| {
                ApiError::new(Code::InvalidRequest, "Last-Event-ID is not the place of an event")
            })?
        }
        None => newest(&app, &space).await?,
    };
    let place = app.followers.clone().try_acquire_owned();
    let place =
        place.map_err(|_| ApiError::new(Code::Busy, "too many clients follow the log").retry_after(5))?;
    let following = Following {
        app,
        space,
        headers,
        seen,
        looked: Revision(0),
        pinged: Instant::now(),
        ready: VecDeque::from([": following\n\n".to_owned()]),
        _place: place,
    };
    let stream = unfold(following, async |mut following| {
        let next = following.next().await?;
        Some((Ok::<_, Infallible>(Bytes::from(next)), following))
    });
    let fixed = [
        (
            header::CONTENT_TYPE,
            HeaderValue::from_static("text/event-stream"),
        ),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (
            HeaderName::from_static("x-accel-buffering"),
            HeaderValue::from_static("no"),
        ),
    ];
    Ok((fixed, Body::from_stream(stream)).into_response())
}

/// The place of the newest event; before all of them if there is none.
async fn newest(app: &App, space: &SpaceId) -> Result<(Revision, u32), StoreError> {
    let page = EventPage {
        before: None,
        subject: None,
        limit: 1,
    };
    let events = app.ports.store.events(space, &page).await?;
    Ok(events.first().map_or((Revision(0), 0), place_of))
}

fn place_of(event: &Event) -> (Revision, u32) {
    (event.revision, event.ordinal)
}

/// A client that follows the log.
struct Following {
    app: App,
    space: SpaceId,
    /// What the client proved itself with, to be checked again.
    headers: HeaderMap,
    /// The place of the last event that was sent.
    seen: (Revision, u32),
    /// The revision up to which the log was read.
    looked: Revision,
    pinged: Instant,
    ready: VecDeque<String>,
    _place: OwnedSemaphorePermit,
}

impl Following {
    /// Waits for what is sent next; none when the stream is over.
    async fn next(&mut self) -> Option<String> {
        loop {
            if !self.ready.is_empty() {
                self.pinged = Instant::now();
                return Some(self.ready.drain(..).collect());
            }
            if self.app.closing.is_cancelled() || !self.may_go_on().await {
                return None;
            }
            // A store that is away for a while is asked again.
            if let Err(error) = self.look().await {
                tracing::debug!(%error, "the log could not be read");
            }
            if !self.ready.is_empty() {
                continue;
            }
            if PING_EVERY <= self.pinged.elapsed() {
                self.pinged = Instant::now();
                return Some(PING.to_owned());
            }
            tokio::select! {
                () = tokio::time::sleep(LOOK_EVERY) => {}
                () = self.app.closing.cancelled() => return None,
            }
        }
    }

    /// Checks the key again. A store that does not answer is no reason to end.
    async fn may_go_on(&self) -> bool {
        let authenticator = &self.app.authenticator;
        match authenticator.authenticate(&self.headers, Unproven::Refused).await {
            Ok(_) => true,
            Err(error) => error.status() >= 500,
        }
    }

    /// Reads what is new in the log.
    async fn look(&mut self) -> Result<(), StoreError> {
        let revision = self.app.ports.store.revision(&self.space).await?;
        if revision == self.looked {
            return Ok(());
        }
        let (mut new, mut before) = (Vec::new(), None);
        loop {
            let page = EventPage {
                before,
                subject: None,
                limit: PAGE,
            };
            let events = self.app.ports.store.events(&self.space, &page).await?;
            let read = events.len();
            before = events.last().map(place_of);
            new.extend(events.into_iter().take_while(|event| self.seen < place_of(event)));
            if read < PAGE || before.is_none_or(|oldest| oldest <= self.seen) || MISSED_MAX < new.len() {
                break;
            }
        }
        if MISSED_MAX < new.len() {
            new.truncate(MISSED_MAX);
            self.ready.push_back("event: gap\ndata: {}\n\n".to_owned());
        }
        if let Some(newest) = new.first() {
            self.seen = place_of(newest);
        }
        self.ready.extend(new.into_iter().rev().map(written));
        self.looked = revision;
        Ok(())
    }
}

fn written(event: Event) -> String {
    let id = written_place(&event);
    let body = serde_json::to_string(&EventBody::from(event)).expect("an event is plain data");
    format!("event: change\nid: {id}\ndata: {body}\n\n")
}
