//! At which revision spaces stand: asked before every read, so whoever asks at the same time is
//! answered together.
//!
//! Those who ask before a question departs board it; those who come while enough are under way
//! board the next. So a request that looks at several sides of a space asks once, many requests
//! together ask little more, and nobody is told what was true before they asked.

use std::collections::HashMap;
use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use recalld_memory::change::Revision;
use recalld_memory::id::SpaceId;
use recalld_memory::ports::StoreError;
use tokio::sync::oneshot;
use tokio_postgres::SimpleQueryMessage;

use super::Filter;
use super::error::{Answer, Failure};
use super::identity::Identity;
use super::pool::{Lent, Pool};
use super::transaction;

/// How many questions are under way at the most. Two, so that one which is stuck does not hold
/// everybody up.
const UNDER_WAY_MAX: usize = 2;

/// How many spaces one question is about at the most.
const SPACES_MAX: usize = 500;

/// What one of those who wait is told.
type Told = Result<Revision, StoreError>;

/// Asks for revisions, for all who want to know one.
#[derive(Debug)]
pub(super) struct Lookout {
    pool: Arc<Pool>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    waiting: HashMap<SpaceId, Vec<oneshot::Sender<Told>>>,
    /// Whether somebody is about to depart with all who wait.
    is_boarding: bool,
    under_way: usize,
}

impl Lookout {
    pub(super) fn new(pool: Arc<Pool>) -> Arc<Lookout> {
        Arc::new(Lookout {
            pool,
            state: Mutex::default(),
        })
    }

    /// Tells the revision at which a space is now.
    pub(super) async fn revision(self: &Arc<Lookout>, space: &SpaceId) -> Told {
        // A space of nobody has no policies either.
        Identity::of(space)?;
        let (answer, leads) = self.board(space);
        if leads {
            // Departs also if whoever asked goes away now: others may have boarded.
            let _departure = Departure(self);
            others_first().await;
        }
        answer.await.unwrap_or_else(|_| {
            Err(StoreError::Unavailable {
                reason: "the server is stopping".to_owned(),
            })
        })
    }

    fn board(&self, space: &SpaceId) -> (oneshot::Receiver<Told>, bool) {
        let (tell, answer) = oneshot::channel();
        let mut state = self.state();
        state.waiting.entry(space.clone()).or_default().push(tell);
        let leads = !state.is_boarding && state.under_way < UNDER_WAY_MAX;
        state.is_boarding |= leads;
        (answer, leads)
    }

    /// Asks for those who wait, and then for those who came meanwhile.
    async fn travel(self: Arc<Lookout>) {
        let place = Place(&self);
        loop {
            let asking = self.state().take();
            let Some(asking) = asking else {
                // It was given up in the same moment in which nobody was found waiting.
                std::mem::forget(place);
                return;
            };
            let names: Vec<&str> = asking.iter().map(|(space, _)| space.as_str()).collect();
            let found = look(&self.pool, &names).await.map_err(StoreError::from);
            for (space, all) in asking {
                for tell in all {
                    let told = match &found {
                        Ok(found) => Ok(found.get(space.as_str()).copied().unwrap_or_default()),
                        Err(error) => Err(again(error)),
                    };
                    // Whoever went away needs no answer.
                    let _ = tell.send(told);
                }
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Spaces, with those who want to know of each.
type Asking = Vec<(SpaceId, Vec<oneshot::Sender<Told>>)>;

impl State {
    /// Gives those whom the next question is for; when there are none, the place is given up at
    /// once.
    fn take(&mut self) -> Option<Asking> {
        if self.waiting.is_empty() {
            self.under_way -= 1;
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

/// The moment at which a question leaves.
struct Departure<'a>(&'a Arc<Lookout>);

impl Drop for Departure<'_> {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.is_boarding = false;
        state.under_way += 1;
        drop(state);
        // In a task of its own, which nobody who goes away can stop.
        match tokio::runtime::Handle::try_current() {
            Ok(runtime) => drop(runtime.spawn(Arc::clone(self.0).travel())),
            Err(_) => drop(Place(self.0)),
        }
    }
}

/// One of the places for questions under way, free again when this is dropped.
struct Place<'a>(&'a Lookout);

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.state().under_way -= 1;
    }
}

/// Lets everything else that the same request asks be asked before this goes on.
async fn others_first() {
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

/// Asks where these spaces stand. One that nobody has written to is not found.
async fn look(pool: &Arc<Pool>, names: &[&str]) -> Answer<HashMap<String, Revision>> {
    let sql = question(names, pool.filter);
    let mut attempt = 1;
    loop {
        let lent = pool.lend().await?;
        match ask(lent, &sql).await {
            Err(failure) if transaction::may_read_again(attempt, &failure) => {
                transaction::note(pool, &failure);
            }
            other => return other,
        }
        attempt += 1;
    }
}

/// One message there, one back. Several statements in one message are one transaction, which is
/// over when it is answered, whatever came of it.
async fn ask(lent: Lent, sql: &str) -> Answer<HashMap<String, Revision>> {
    let timeout = lent.timeout;
    let Ok(answer) = tokio::time::timeout(timeout, lent.client.simple_query(sql)).await else {
        let reason = format!("the database did not answer within {timeout:?}");
        return Err(Failure::Store(StoreError::Unavailable { reason }));
    };
    // A connection that is lost is known to be closed, and any other has ended what was begun.
    lent.give_back();
    let mut found = HashMap::new();
    for message in answer? {
        let SimpleQueryMessage::Row(row) = message else {
            continue;
        };
        // Of the statements, only the last has two columns.
        if row.len() == 2
            && let (Some(space), Some(at)) = (row.get(0), row.get(1))
        {
            let at: u64 = at.parse().map_err(|_| StoreError::Corrupt {
                what: format!("the revision {at:?} of a space"),
            })?;
            found.insert(space.to_owned(), Revision(at));
        }
    }
    Ok(found)
}

/// Writes the question, as whom it is asked included.
fn question(names: &[&str], filter: Filter) -> String {
    let named = literal(&names.join("\n"));
    let condition = match filter {
        Filter::On => format!(" WHERE space = ANY (string_to_array({named}, chr(10)))"),
        Filter::Off => String::new(),
    };
    format!(
        "SELECT set_config('role', 'recalld_lookout', true), set_config('recalld.spaces', {named}, true), NULL;
         SELECT space, revision FROM recalld.spaces{condition}"
    )
}

/// Writes a text so that it is nothing but that text, however the server reads backslashes.
fn literal(text: &str) -> String {
    let plain = text.replace('\0', "\u{fffd}");
    format!(" E'{}'", plain.replace('\\', "\\\\").replace('\'', "''"))
}

/// The same failure for one more of those who waited.
fn again(error: &StoreError) -> StoreError {
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

    #[test]
    fn a_name_stays_a_text_whatever_it_holds() {
        assert_eq!(literal("user:o'hara\\"), " E'user:o''hara\\\\'");
        assert_eq!(literal("\\'; DROP TABLE x; --"), " E'\\\\''; DROP TABLE x; --'");
        assert_eq!(literal("a\0"), " E'a\u{fffd}'");
    }

    #[tokio::test]
    async fn who_leads_lets_the_others_board() {
        let order = Mutex::new(Vec::new());
        let say = |word| order.lock().unwrap().push(word);
        let leading = async {
            others_first().await;
            say("departs");
        };
        let boarding = async { say("boards") };
        tokio::join!(leading, boarding);
        assert_eq!(*order.lock().unwrap(), ["boards", "departs"]);
    }
}
