//! Reads the revisions of spaces. Every read of a space begins with one, so concurrent reads share
//! a query.
//!
//! Requests that arrive before a query is sent join it; those that arrive while enough queries are
//! in flight join the next. A request that reads several spaces therefore sends one query, many
//! concurrent requests send few more, and no request gets a revision from before it asked.
//!
//! If the database reports that a query for several spaces failed, each space is queried by itself:
//! of a distributed database a part may be away, and only the users of that part are affected.

use std::collections::HashMap;
use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::Poll;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use recalld_memory::change::Revision;
use recalld_memory::id::SpaceId;
use recalld_memory::ports::StoreError;
use tokio::sync::{Semaphore, oneshot};

use super::identity::Identity;
use super::pool::Pool;
use super::revision_query::{RevisionResult, duplicate, query, query_or_each};

/// The most queries in flight. Two, so that one that hangs does not block every read.
const IN_FLIGHT_MAX: usize = 2;

/// The most spaces in one query.
const SPACES_MAX: usize = 500;

/// How long a space is queried by itself after its query has failed.
const AWAY_FOR: Duration = Duration::from_secs(10);

/// The most spaces that are queried by themselves at a time.
const APART_MAX: usize = 4;

/// Reads revisions for all requests that wait for one.
#[derive(Debug)]
pub(super) struct RevisionBatcher {
    pool: Arc<Pool>,
    state: Mutex<State>,
    /// How many more spaces may be queried by themselves; the others are refused at once.
    apart: Semaphore,
}

#[derive(Debug, Default)]
struct State {
    waiting: HashMap<SpaceId, Waiting>,
    /// The spaces whose last query failed, and when. They are queried by themselves, so that nobody
    /// else waits for a part that is away.
    away: HashMap<SpaceId, Instant>,
    /// Whether a request is about to start a query for all that wait.
    is_starting: bool,
    in_flight: usize,
}

impl RevisionBatcher {
    pub(super) fn new(pool: Arc<Pool>) -> Arc<RevisionBatcher> {
        Arc::new(RevisionBatcher {
            pool,
            state: Mutex::default(),
            apart: Semaphore::new(APART_MAX),
        })
    }

    /// Returns the present revision of a space.
    pub(super) async fn revision(self: &Arc<RevisionBatcher>, space: &SpaceId) -> RevisionResult {
        // Refuses a name that belongs to no user, and that no policy covers.
        Identity::of(space)?;
        let (answer, leads) = self.enqueue(space);
        if leads {
            // The query starts even if this request is cancelled now: others may have joined.
            let _start = StartOnDrop(self);
            yield_once().await;
        }
        answer.await.unwrap_or_else(|_| {
            Err(StoreError::Unavailable {
                reason: "the server is stopping".to_owned(),
            })
        })
    }

    /// Adds a request; returns whether it has to start the query.
    fn enqueue(&self, space: &SpaceId) -> (oneshot::Receiver<RevisionResult>, bool) {
        let (sender, answer) = oneshot::channel();
        let mut state = self.state.lock();
        state.waiting.entry(space.clone()).or_default().push(sender);
        let leads = !state.is_starting && state.in_flight < IN_FLIGHT_MAX;
        state.is_starting |= leads;
        (answer, leads)
    }

    /// Queries for the waiting requests, and then for those that arrived meanwhile.
    async fn run(self: Arc<RevisionBatcher>) {
        let slot = Slot(&self);
        loop {
            let batch = self.state.lock().take_batch();
            let Some(batch) = batch else {
                // The slot was freed under the same lock that found nobody waiting.
                std::mem::forget(slot);
                return;
            };
            let (apart, together) = self.state.lock().set_apart(batch);
            for one in apart {
                tokio::spawn(Arc::clone(&self).answer_apart(one));
            }
            if !together.is_empty() {
                self.answer(together).await;
            }
        }
    }

    /// Answers for one space that was away a moment ago, without holding up the others.
    async fn answer_apart(self: Arc<RevisionBatcher>, one: (SpaceId, Waiting)) {
        let Ok(_turn) = self.apart.try_acquire() else {
            for sender in one.1 {
                let reason = "that part of the database is away".to_owned();
                let _ = sender.send(Err(StoreError::Unavailable { reason }));
            }
            return;
        };
        self.answer(vec![one]).await;
    }

    /// Queries the spaces of a batch and answers those who wait.
    async fn answer(&self, batch: Batch) {
        let names: Vec<String> = batch.iter().map(|(space, _)| space.as_str().to_owned()).collect();
        let found = query_or_each(&names, |names| query(&self.pool, names)).await;
        // If nothing answers, it is not a part that is away, but all of it.
        let has_parts = self.pool.has_nodes.load(Ordering::Relaxed);
        let is_part = has_parts && (names.len() == 1 || found.values().any(Result::is_ok));
        for (space, senders) in batch {
            let answer = found.get(space.as_str());
            let has_failed = answer.is_some_and(Result::is_err);
            self.state.lock().note(&space, has_failed && is_part);
            for sender in senders {
                let answer = match answer {
                    Some(Ok(revision)) => Ok(*revision),
                    Some(Err(error)) => Err(duplicate(error)),
                    // A space that was never written to.
                    None => Ok(Revision::default()),
                };
                // A cancelled request needs no answer.
                let _ = sender.send(answer);
            }
        }
    }
}

/// The requests that wait for one space.
type Waiting = Vec<oneshot::Sender<RevisionResult>>;

/// Spaces, with the requests that wait for each.
type Batch = Vec<(SpaceId, Waiting)>;

impl State {
    /// Takes the requests of the next query. If there are none, the slot is freed at once.
    fn take_batch(&mut self) -> Option<Batch> {
        if self.waiting.is_empty() {
            self.in_flight -= 1;
            return None;
        }
        if self.waiting.len() <= SPACES_MAX {
            return Some(self.waiting.drain().collect());
        }
        let first: Vec<SpaceId> = self.waiting.keys().take(SPACES_MAX).cloned().collect();
        let taken = first.into_iter().map(|space| self.waiting.remove_entry(&space));
        Some(taken.flatten().collect())
    }
}

impl State {
    /// Divides a batch: spaces that were away a moment ago, and all others.
    fn set_apart(&mut self, batch: Batch) -> (Batch, Batch) {
        self.away.retain(|_, since| since.elapsed() < AWAY_FOR);
        batch
            .into_iter()
            .partition(|(space, _)| self.away.contains_key(space))
    }

    fn note(&mut self, space: &SpaceId, has_failed: bool) {
        match has_failed {
            true if self.away.len() < SPACES_MAX => drop(self.away.insert(space.clone(), Instant::now())),
            true => {}
            false => drop(self.away.remove(space)),
        }
    }
}

/// Starts a query when it is dropped.
struct StartOnDrop<'a>(&'a Arc<RevisionBatcher>);

impl Drop for StartOnDrop<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state.lock();
        state.is_starting = false;
        state.in_flight += 1;
        drop(state);
        // In a task of its own, which a cancelled request does not stop.
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn(Arc::clone(self.0).run())),
            Err(_) => drop(Slot(self.0)),
        }
    }
}

/// One of the places for queries in flight, freed when it is dropped.
struct Slot<'a>(&'a RevisionBatcher);

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        self.0.state.lock().in_flight -= 1;
    }
}

/// Lets the other parts of the same request ask before this one goes on.
async fn yield_once() {
    let mut is_second = false;
    poll_fn(|context| match std::mem::replace(&mut is_second, true) {
        true => Poll::Ready(()),
        false => {
            context.waker().wake_by_ref();
            Poll::Pending
        }
    })
    .await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_request_that_leads_lets_the_others_join() {
        let order = Mutex::new(Vec::new());
        let leading = async {
            yield_once().await;
            order.lock().push("starts");
        };
        let joining = async { order.lock().push("joins") };
        tokio::join!(leading, joining);
        assert_eq!(*order.lock(), ["joins", "starts"]);
    }
}
