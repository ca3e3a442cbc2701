//! Writes go on when the client's time is over or the client is gone. The answer is then that the
//! outcome is unknown, with a key to ask by, and never that the write failed.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use recalld_memory::trace;
use tokio::sync::oneshot;
use tokio::time::Instant;

use super::{Permit, Route, failed};
use crate::auth::Caller;
use crate::error::{ApiError, Code};
use crate::idempotency;
use crate::inner_service::InnerService;
use crate::outcomes::{RequestName, Watch};

/// Until when a request is waited for, and its right to be served.
#[derive(Debug)]
pub(super) struct Deadline {
    pub(super) at: Instant,
    permit: Permit,
}

impl Deadline {
    pub(super) fn after(timeout: Duration, permit: Permit) -> Deadline {
        Deadline {
            at: Instant::now() + timeout,
            permit,
        }
    }
}

/// Runs the handler of a write in a task of its own, and waits for it until the deadline.
pub(super) async fn run<S: InnerService + Sync + 'static>(
    route: &Arc<Route<S>>,
    caller: Option<Caller>,
    request: Request,
    deadline: Deadline,
) -> Response {
    let Deadline { at, permit } = deadline;
    let app = &route.shared.app;
    let given_key = idempotency::given_key(&request);
    let has_key = given_key.is_some();
    let name = caller.as_ref().map(|caller| RequestName {
        space: caller.space(),
        key: given_key.unwrap_or_else(RequestName::fresh_key),
    });
    let (watch, outcomes) = (Watch::new(name.clone()), Arc::clone(&app.outcomes));
    // A client that leaves may still ask by its own key how the request ended.
    let mut leaving = has_key.then(|| outcomes.abandon_on_drop(&watch));
    let (sender, mut receiver) = oneshot::channel();
    let work = {
        let (route, watch) = (Arc::clone(route), watch.clone());
        async move {
            let response = route.handled(caller, request).await;
            let outcomes = &route.shared.app.outcomes;
            if let Some(response) = outcomes.finish(&watch, response).await {
                let _ = sender.send(response);
            }
            drop(permit);
        }
    };
    app.writes.spawn(trace::carried(trace::current(), work));
    let in_time = tokio::time::timeout_at(at, &mut receiver).await;
    let response = match in_time {
        Ok(response) => response.unwrap_or_else(|_| failed()),
        Err(_) => match outcomes.abandon(&watch) {
            true => unknown(name.as_ref()),
            // It ended at the same moment.
            false => receiver.await.unwrap_or_else(|_| failed()),
        },
    };
    if let Some(leaving) = &mut leaving {
        leaving.disarm();
    }
    response
}

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// Says that the write is still under way, and where its outcome will be.
fn unknown(name: Option<&RequestName>) -> Response {
    let detail = "the request is still being carried out";
    let error = ApiError::new(Code::OutcomeUnknown, detail).retry_after(2);
    let Some(name) = name else {
        return error
            .hint("read what it should have changed before you repeat it")
            .into_response();
    };
    let path = format!("/v1/requests/{}", encoded(&name.key));
    let mut response = error
        .hint(format!("GET {path} shows how it ends"))
        .into_response();
    let headers = response.headers_mut();
    for (header, value) in [(IDEMPOTENCY_KEY, &name.key), (header::LOCATION, &path)] {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(header, value);
        }
    }
    response
}

/// Writes a key as one segment of a path.
fn encoded(key: &str) -> String {
    let byte = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    key.bytes().map(byte).collect()
}
