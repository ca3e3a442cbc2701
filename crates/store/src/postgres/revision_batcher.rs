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
use std::task::Poll;

use futures::StreamExt;
use futures::stream;
use parking_lot::Mutex;
use recalld_memory::change::Revision;
use recalld_memory::id::SpaceId;
use recalld_memory::ports::StoreError;
use tokio::sync::oneshot;
use tokio_postgres::SimpleQueryMessage;

use super::error::{DbResult, Failure};
use super::identity::Identity;
use super::pool::{Pool, PooledClient};
use super::settings::Filter;
use super::statement::literal;
use super::transaction;

/// The most queries in flight. Two, so that one that hangs does not block every read.
const IN_FLIGHT_MAX: usize = 2;

/// The most spaces in one query.
const SPACES_MAX: usize = 500;

/// How many spaces are queried at the same time after a query for several has failed.
const SINGLE_QUERIES_MAX: usize = 4;

/// What a waiting request receives.
type Answer = Result<Revision, StoreError>;

/// Reads revisions for all requests that wait for one.
#[derive(Debug)]
pub(super) struct RevisionBatcher {
    pool: Arc<Pool>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    waiting: HashMap<SpaceId, Vec<oneshot::Sender<Answer>>>,
    /// Whether a request is about to start a query for all that wait.
    is_starting: bool,
    in_flight: usize,
}

impl RevisionBatcher {
    pub(super) fn new(pool: Arc<Pool>) -> Arc<RevisionBatcher> {
        Arc::new(RevisionBatcher {
            pool,
            state: Mutex::default(),
        })
    }

    /// Returns the present revision of a space.
    pub(super) async fn revision(self: &Arc<RevisionBatcher>, space: &SpaceId) -> Answer {
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
    fn enqueue(&self, space: &SpaceId) -> (oneshot::Receiver<Answer>, bool) {
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
            let names: Vec<String> = batch.iter().map(|(space, _)| space.as_str().to_owned()).collect();
            let found = query_or_each(&names, |names| query(&self.pool, names)).await;
            for (space, senders) in batch {
                for sender in senders {
                    let answer = match found.get(space.as_str()) {
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
}

/// Spaces, with the requests that wait for each.
type Batch = Vec<(SpaceId, Vec<oneshot::Sender<Answer>>)>;

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

/// Queries all spaces at once, or each by itself if the database reports that it cannot.
async fn query_or_each<Q, F>(names: &[String], query: Q) -> HashMap<String, Answer>
where
    Q: Fn(Vec<String>) -> F,
    F: Future<Output = DbResult<HashMap<String, Revision>>>,
{
    let failure = match query(names.to_vec()).await {
        Ok(found) => {
            return found
                .into_iter()
                .map(|(space, found)| (space, Ok(found)))
                .collect();
        }
        Err(failure) => failure,
    };
    if !failure.is_reported() || names.len() == 1 {
        let error = StoreError::from(failure);
        let answer = |name: &String| (name.clone(), Err(duplicate(&error)));
        return names.iter().map(answer).collect();
    }
    tracing::warn!(spaces = names.len(), error = %StoreError::from(failure), "querying spaces one by one");
    let single = |name: &String| {
        let name = name.clone();
        let found = query(vec![name.clone()]);
        async move {
            let found = found
                .await
                .map(|mut found| found.remove(&name).unwrap_or_default());
            (name, found.map_err(StoreError::from))
        }
    };
    stream::iter(names.iter().map(single))
        .buffer_unordered(SINGLE_QUERIES_MAX)
        .collect()
        .await
}

/// Reads the revisions of these spaces. A space that was never written to is not found.
async fn query(pool: &Arc<Pool>, names: Vec<String>) -> DbResult<HashMap<String, Revision>> {
    let sql = statement(&names, pool.filter);
    let mut attempt = 1;
    loop {
        let client = pool.acquire().await?;
        match send(client, &sql).await {
            Err(failure) if transaction::may_read_again(attempt, &failure) => {
                transaction::before_retry(pool, &failure);
            }
            other => return other,
        }
        attempt += 1;
    }
}

/// Sends one message and receives one. Several statements in one message are one transaction, which
/// has ended when it is answered, whatever the result.
async fn send(client: PooledClient, sql: &str) -> DbResult<HashMap<String, Revision>> {
    let timeout = client.timeout;
    let Ok(answer) = tokio::time::timeout(timeout, client.client.simple_query(sql)).await else {
        let reason = format!("the database did not answer within {timeout:?}");
        return Err(Failure::Store(StoreError::Unavailable { reason }));
    };
    // A lost connection is known to be closed, and any other has ended its transaction.
    client.release();
    let mut found = HashMap::new();
    for message in answer? {
        let SimpleQueryMessage::Row(row) = message else {
            continue;
        };
        if let (Some(space), Some(revision)) = (row.get(0), row.get(1)) {
            let revision: u64 = revision.parse().map_err(|_| StoreError::Corrupt {
                what: format!("the revision {revision:?} of a space"),
            })?;
            found.insert(space.to_owned(), Revision(revision));
        }
    }
    Ok(found)
}

/// Returns the query, with the role that it runs in.
fn statement(names: &[String], filter: Filter) -> String {
    let list = literal(&names.join("\n"));
    let condition = match filter {
        Filter::On => format!(" WHERE space = ANY (string_to_array({list}, chr(10)))"),
        Filter::Off => String::new(),
    };
    // Several statements in one message are a transaction of their own, at whose end `SET LOCAL`
    // ends.
    format!(
        "SET LOCAL ROLE recalld_revisions; SET LOCAL recalld.spaces ={list}; \
         SELECT space, revision FROM recalld.spaces{condition}"
    )
}

/// Copies an error for one more of the waiting requests.
fn duplicate(error: &StoreError) -> StoreError {
    match error {
        StoreError::Unavailable { reason } => StoreError::Unavailable {
            reason: reason.clone(),
        },
        StoreError::Corrupt { what } => StoreError::Corrupt { what: what.clone() },
        other => StoreError::Failed(other.to_string().into()),
    }
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
