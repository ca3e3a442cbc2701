//! How requests ended whose clients no longer wait. This process alone knows it, for an hour; the
//! outcome of a request with an `Idempotency-Key` of the client is also stored as a receipt.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::http::StatusCode;
use axum::response::Response;
use bytes::Bytes;
use parking_lot::Mutex;
use recalld_memory::id::SpaceId;
use uuid::Uuid;

/// How long an outcome can be asked for.
const KEPT_FOR: Duration = Duration::from_hours(1);

/// How many outcomes are kept at the most.
const OUTCOMES_MAX: usize = 1_000;

/// The most bytes of an answer that is kept.
const BODY_BYTES_MAX: usize = 64 * 1024;

/// How the keys begin that the server makes.
const MADE_PREFIX: &str = "req_";

/// A request: the space of its caller, and the key by which it can be asked for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RequestName {
    pub(crate) space: SpaceId,
    pub(crate) key: String,
}

impl RequestName {
    /// Makes a key that nobody can guess.
    pub(crate) fn fresh_key() -> String {
        format!("{MADE_PREFIX}{}", Uuid::new_v4().simple())
    }

    /// Tells whether the server made the key.
    pub(crate) fn is_made(key: &str) -> bool {
        key.starts_with(MADE_PREFIX)
    }
}

/// How a request stands.
#[derive(Clone, Debug)]
pub(crate) enum Progress {
    InProgress,
    Done(Outcome),
}

/// How a request ended.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    pub(crate) status: StatusCode,
    /// Empty if the answer was too large to keep.
    pub(crate) body: Bytes,
}

/// The requests whose clients no longer wait, by name.
#[derive(Debug, Default)]
pub(crate) struct Outcomes(Mutex<HashMap<RequestName, (Progress, Instant)>>);

/// Whether somebody still waits for a request.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    name: Option<RequestName>,
    state: Arc<Mutex<WatchState>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WatchState {
    Awaited,
    Abandoned,
    Finished,
}

impl Watch {
    pub(crate) fn new(name: Option<RequestName>) -> Watch {
        Watch {
            name,
            state: Arc::new(Mutex::new(WatchState::Awaited)),
        }
    }
}

impl Outcomes {
    /// Finds a request that was abandoned.
    pub(crate) fn find(&self, name: &RequestName) -> Option<Progress> {
        let all = self.0.lock();
        all.get(name).map(|(progress, _)| progress.clone())
    }

    /// Notes that nobody waits any more. False if the request has already ended.
    pub(crate) fn abandon(&self, watch: &Watch) -> bool {
        let mut state = watch.state.lock();
        if *state == WatchState::Finished {
            return false;
        }
        *state = WatchState::Abandoned;
        if let Some(name) = &watch.name {
            self.put(name.clone(), Progress::InProgress);
        }
        true
    }

    /// Abandons the request when the guard is dropped, as it is when a client disconnects.
    pub(crate) fn abandon_on_drop(self: &Arc<Self>, watch: &Watch) -> AbandonOnDrop {
        AbandonOnDrop(Some((Arc::clone(self), watch.clone())))
    }

    /// Takes the answer of a request that has ended, and gives it back if somebody waits for it.
    pub(crate) async fn finish(&self, watch: &Watch, response: Response) -> Option<Response> {
        {
            let mut state = watch.state.lock();
            if *state == WatchState::Awaited {
                *state = WatchState::Finished;
                return Some(response);
            }
        }
        let name = watch.name.clone()?;
        let status = response.status();
        let body = axum::body::to_bytes(response.into_body(), BODY_BYTES_MAX);
        let body = body.await.unwrap_or_default();
        self.put(name, Progress::Done(Outcome { status, body }));
        None
    }

    fn put(&self, name: RequestName, progress: Progress) {
        let mut all = self.0.lock();
        if OUTCOMES_MAX <= all.len() {
            all.retain(|_, (_, at)| at.elapsed() < KEPT_FOR);
        }
        if OUTCOMES_MAX <= all.len() {
            let oldest = all.iter().min_by_key(|(_, (_, at))| *at);
            let oldest = oldest.map(|(name, _)| name.clone());
            oldest.map(|oldest| all.remove(&oldest));
        }
        all.insert(name, (progress, Instant::now()));
    }
}

/// Abandons a request unless it is disarmed before.
#[derive(Debug)]
pub(crate) struct AbandonOnDrop(Option<(Arc<Outcomes>, Watch)>);

impl AbandonOnDrop {
    pub(crate) fn disarm(&mut self) {
        self.0 = None;
    }
}

impl Drop for AbandonOnDrop {
    fn drop(&mut self) {
        if let Some((outcomes, watch)) = self.0.take() {
            outcomes.abandon(&watch);
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    fn name(key: &str) -> RequestName {
        RequestName {
            space: SpaceId::shared(),
            key: key.to_owned(),
        }
    }

    #[tokio::test]
    async fn an_outcome_is_kept_only_if_nobody_waits() {
        let outcomes = Arc::new(Outcomes::default());
        let awaited = Watch::new(Some(name("awaited")));
        assert!(
            outcomes
                .finish(&awaited, Response::new(Body::empty()))
                .await
                .is_some()
        );
        assert!(!outcomes.abandon(&awaited), "it has ended");
        assert!(outcomes.find(&name("awaited")).is_none());

        let left = Watch::new(Some(name("left")));
        drop(outcomes.abandon_on_drop(&left));
        assert!(matches!(outcomes.find(&name("left")), Some(Progress::InProgress)));
        let response = Response::builder().status(201).body(Body::from("made")).unwrap();
        assert!(outcomes.finish(&left, response).await.is_none());
        let Some(Progress::Done(outcome)) = outcomes.find(&name("left")) else {
            panic!("the request has ended");
        };
        assert_eq!((outcome.status.as_u16(), &outcome.body[..]), (201, &b"made"[..]));
    }
}
