//! Transactions. Statements are sent together and answered together, so that a question costs one
//! round trip, and each transaction is carried to its end by a task of its own: whoever stops
//! waiting for it leaves nothing half done.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use recalld_memory::ports::StoreError;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Row};

use super::Filter;
use super::ask::Ask;
use super::error::{Answer, Failure};
use super::identity::Identity;
use super::pool::{Lent, Pool};

/// How often a transaction is tried that surely did nothing.
const ATTEMPTS_MAX: usize = 4;

const BEGIN_READING: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY";
const BEGIN_WRITING: &str = "BEGIN ISOLATION LEVEL READ COMMITTED, READ WRITE";

/// What each statement of a flight found.
pub(super) type Found = Vec<Vec<Row>>;

/// Asks everything as of one moment.
pub(super) async fn read(pool: &Arc<Pool>, identity: Identity, asks: Vec<Ask>) -> Answer<Found> {
    // Whoever leaves while waiting for a connection has asked nothing yet.
    let mut lent = Some(pool.lend().await?);
    let pool = Arc::clone(pool);
    to_the_end(async move {
        let mut attempt = 1;
        loop {
            let lent = or_another(lent.take(), &pool).await?;
            match transact(lent, BEGIN_READING, &identity, &asks).await {
                Err(failure) if may_read_again(attempt, &failure) => note(&pool, &failure),
                other => return other,
            }
            attempt += 1;
        }
    })
    .await
}

/// Asks as whoever we log in as, for what is no data: the schema, the settings, the walls.
pub(super) async fn examine(pool: &Arc<Pool>, asks: Vec<Ask>) -> Answer<Found> {
    let lent = pool.lend().await?;
    to_the_end(async move {
        let flight = Flight {
            before: Some(BEGIN_READING),
            identity: None,
            asks: &asks,
            after: Some("COMMIT"),
        };
        let landed = flight.fly(&lent).await;
        ended(lent, landed)
    })
    .await
}

/// Does a few statements as one write that may be done twice with the same effect.
pub(super) async fn write(pool: &Arc<Pool>, identity: Identity, asks: Vec<Ask>) -> Answer<Found> {
    write_within(pool.timeout, pool, identity, asks).await
}

/// The same for a write that may take longer than others.
pub(super) async fn write_within(
    timeout: Duration,
    pool: &Arc<Pool>,
    identity: Identity,
    asks: Vec<Ask>,
) -> Answer<Found> {
    let mut lent = Some(pool.lend().await?);
    let pool = Arc::clone(pool);
    to_the_end(async move {
        let mut attempt = 1;
        loop {
            let mut lent = or_another(lent.take(), &pool).await?;
            lent.timeout = timeout;
            match transact(lent, BEGIN_WRITING, &identity, &asks).await {
                Err(failure) if attempt < ATTEMPTS_MAX && failure.is_rolled_back() => note(&pool, &failure),
                other => return other,
            }
            attempt += 1;
        }
    })
    .await
}

/// Asks `first`, lets `look` decide by what it found whether to go on, and then does `rest`, all or
/// nothing.
pub(super) async fn decide<T: Send + 'static>(
    pool: &Arc<Pool>,
    identity: Identity,
    first: Vec<Ask>,
    rest: Vec<Ask>,
    look: impl Fn(&Found) -> Answer<Result<T, Ask>> + Send + 'static,
) -> Answer<Result<T, Found>> {
    let mut lent = Some(pool.lend().await?);
    let pool = Arc::clone(pool);
    to_the_end(async move {
        let mut attempt = 1;
        loop {
            let lent = or_another(lent.take(), &pool).await?;
            let (failure, is_certain) = match begin(lent, BEGIN_WRITING, &identity, &first).await {
                Err(failure) => (failure, true),
                Ok((begun, found)) => match look(&found)? {
                    Err(other) => return begun.ask_and_abandon(other).await.map(Err),
                    Ok(decided) => match begun.finish(&rest).await {
                        Ok(_) => return Ok(Ok(decided)),
                        // Whether the commit came through is not known, unless the server says that
                        // it did not.
                        Err(failure) => {
                            let is_certain = failure.is_rolled_back();
                            (failure, is_certain)
                        }
                    },
                },
            };
            if ATTEMPTS_MAX <= attempt || !is_certain || !is_worth_another(&failure) {
                return Err(failure);
            }
            note(&pool, &failure);
            attempt += 1;
        }
    })
    .await
}

/// Runs `work` in a task of its own, so that it ends even if nobody waits for it any more.
async fn to_the_end<T: Send + 'static>(work: impl Future<Output = Answer<T>> + Send + 'static) -> Answer<T> {
    match tokio::spawn(work).await {
        Ok(answer) => answer,
        Err(_) => Err(Failure::Lost("the server is stopping".to_owned())),
    }
}

async fn or_another(lent: Option<Lent>, pool: &Arc<Pool>) -> Answer<Lent> {
    match lent {
        Some(lent) => Ok(lent),
        None => pool.lend().await,
    }
}

/// Tells whether a question that failed is asked again. Reading changes nothing: it can always be
/// done again.
pub(super) fn may_read_again(attempt: usize, failure: &Failure) -> bool {
    attempt < ATTEMPTS_MAX && is_worth_another(failure)
}

fn is_worth_another(failure: &Failure) -> bool {
    failure.is_lost() || failure.is_rolled_back()
}

/// Notes that a transaction is tried again. Connections to a server that has gone are not.
pub(super) fn note(pool: &Pool, failure: &Failure) {
    tracing::debug!(?failure, "a transaction is tried again");
    if failure.is_lost() {
        pool.forget_idle();
    }
}

/// Begins, asks and commits in one flight.
async fn transact(lent: Lent, begin: &str, identity: &Identity, asks: &[Ask]) -> Answer<Found> {
    let flight = Flight {
        before: Some(begin),
        identity: Some(identity),
        asks,
        after: Some("COMMIT"),
    };
    let landed = flight.fly(&lent).await;
    ended(lent, landed)
}

async fn begin(lent: Lent, begin: &str, identity: &Identity, asks: &[Ask]) -> Answer<(Begun, Found)> {
    let flight = Flight {
        before: Some(begin),
        identity: Some(identity),
        asks,
        after: None,
    };
    let landed = flight.fly(&lent).await;
    let begun = Begun { lent };
    match landed.answer {
        Ok(found) => Ok((begun, found)),
        Err(failure) => {
            begun.abandon().await;
            Err(failure)
        }
    }
}

/// A transaction that has begun. Dropped, its connection is closed, and the server takes it back.
struct Begun {
    lent: Lent,
}

impl Begun {
    async fn finish(self, asks: &[Ask]) -> Answer<Found> {
        let flight = Flight {
            before: None,
            identity: None,
            asks,
            after: Some("COMMIT"),
        };
        let landed = flight.fly(&self.lent).await;
        ended(self.lent, landed)
    }

    async fn ask_and_abandon(self, ask: Ask) -> Answer<Found> {
        let flight = Flight {
            before: None,
            identity: None,
            asks: &[ask],
            after: Some("ROLLBACK"),
        };
        let landed = flight.fly(&self.lent).await;
        ended(self.lent, landed)
    }

    async fn abandon(self) {
        let flight = Flight {
            before: None,
            identity: None,
            asks: &[],
            after: Some("ROLLBACK"),
        };
        let landed = flight.fly(&self.lent).await;
        if landed.has_ended {
            self.lent.give_back();
        }
    }
}

fn ended(lent: Lent, landed: Landed) -> Answer<Found> {
    if landed.has_ended {
        lent.give_back();
    }
    landed.answer
}

/// Statements that are sent together.
struct Flight<'a> {
    before: Option<&'a str>,
    identity: Option<&'a Identity>,
    asks: &'a [Ask],
    after: Option<&'a str>,
}

/// What came of a flight.
struct Landed {
    /// The first failure, if there was any.
    answer: Answer<Found>,
    /// Whether the server has answered the last statement, so that the transaction is over for
    /// certain.
    has_ended: bool,
}

impl Flight<'_> {
    async fn fly(&self, lent: &Lent) -> Landed {
        let timeout = lent.timeout;
        match tokio::time::timeout(
            timeout,
            self.send(&lent.client, lent.pool.filter, timeout.as_millis()),
        )
        .await
        {
            Ok(landed) => landed,
            Err(_) => Landed {
                answer: Err(Failure::Store(StoreError::Unavailable {
                    reason: format!("the database did not answer within {timeout:?}"),
                })),
                has_ended: false,
            },
        }
    }

    async fn send(&self, client: &Client, filter: Filter, timeout_ms: u128) -> Landed {
        let timeout_ms = i64::try_from(timeout_ms)
            .unwrap_or(i64::MAX)
            .min(i64::from(i32::MAX));
        let assume = self.identity.map(|identity| identity.assume(timeout_ms));
        let mut flying: Vec<BoxFuture<'_, Sent>> = Vec::with_capacity(self.asks.len() + 3);
        if let Some(before) = self.before {
            flying.push(Box::pin(said(client, before)));
        }
        if let Some(assume) = &assume {
            flying.push(Box::pin(async move {
                asked(client, assume, Filter::On).await.map(|_| None)
            }));
        }
        for ask in self.asks {
            flying.push(Box::pin(
                async move { asked(client, ask, filter).await.map(Some) },
            ));
        }
        if let Some(after) = self.after {
            flying.push(Box::pin(said(client, after)));
        }
        land(flying, self.after.is_some()).await
    }
}

/// The rows of a statement; none for those that only steer.
type Sent = Result<Option<Vec<Row>>, tokio_postgres::Error>;

/// Sends everything in its order, and then waits for the answers in the same order.
async fn land(mut flying: Vec<BoxFuture<'_, Sent>>, ends: bool) -> Landed {
    let mut sent = Vec::with_capacity(flying.len());
    for statement in &mut flying {
        // The first poll puts it on the wire.
        sent.push(match futures::poll!(statement) {
            std::task::Poll::Ready(answer) => Some(answer),
            std::task::Poll::Pending => None,
        });
    }
    let mut found = Vec::with_capacity(flying.len());
    let mut failure = None;
    let mut last_answered = false;
    for (statement, answer) in flying.into_iter().zip(sent) {
        let answer = match answer {
            Some(answer) => answer,
            None => statement.await,
        };
        last_answered = answer.is_ok();
        match answer {
            Ok(rows) => found.extend(rows),
            // What follows the first is only its echo.
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    Landed {
        answer: failure.map_or(Ok(found), |error| Err(error.into())),
        has_ended: ends && last_answered,
    }
}

async fn said(client: &Client, sql: &str) -> Sent {
    client.batch_execute(sql).await.map(|()| None)
}

async fn asked(client: &Client, ask: &Ask, filter: Filter) -> Result<Vec<Row>, tokio_postgres::Error> {
    let values: Vec<(&(dyn ToSql + Sync), Type)> = ask
        .values
        .iter()
        .map(|(value, kind)| (&**value as &(dyn ToSql + Sync), kind.clone()))
        .collect();
    client.query_typed(&filtered(&ask.sql, filter), &values).await
}

/// Takes our own filter by space out of a statement, for the tests that show that the other wall
/// holds alone.
fn filtered(sql: &str, filter: Filter) -> Cow<'_, str> {
    match filter {
        Filter::On => Cow::Borrowed(sql),
        Filter::Off => {
            let bare = ["m.", "e."].iter().fold(sql.to_owned(), |sql, alias| {
                sql.replace(&format!("{alias}space = $1"), "space = $1")
            });
            Cow::Owned(bare.replace("space = $1", "$1 IS NOT NULL"))
        }
    }
}
