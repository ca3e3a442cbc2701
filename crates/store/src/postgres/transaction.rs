//! Transactions. Each runs to its end in a task of its own, so a cancelled request leaves nothing
//! half done.

use std::sync::Arc;
use std::time::Duration;

use super::error::{DbResult, Failure};
use super::identity::Identity;
use super::pipeline::{Found, Pipeline};
use super::pool::{Pool, PooledClient};
use super::statement::Statement;

/// How often a transaction is attempted that certainly had no effect.
const ATTEMPTS_MAX: usize = 4;

const BEGIN_READING: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY";
const BEGIN_WRITING: &str = "BEGIN ISOLATION LEVEL READ COMMITTED, READ WRITE";

/// Reads everything as of one moment.
pub(super) async fn read(
    pool: &Arc<Pool>,
    identity: Identity,
    statements: Vec<Statement>,
) -> DbResult<Found> {
    // A request that is cancelled while it waits for a connection has sent nothing yet.
    let mut client = Some(pool.acquire().await?);
    let pool = Arc::clone(pool);
    in_own_task(async move {
        let mut attempt = 1;
        loop {
            let client = or_acquire(client.take(), &pool).await?;
            match transact(client, BEGIN_READING, &identity, &statements).await {
                Err(failure) if may_read_again(attempt, &failure) => before_retry(&pool, &failure),
                other => return other,
            }
            attempt += 1;
        }
    })
    .await
}

/// Reads as the login role what is no user's data: the catalogue and the settings.
pub(super) async fn read_as_login(pool: &Arc<Pool>, statements: Vec<Statement>) -> DbResult<Found> {
    let client = pool.acquire().await?;
    in_own_task(async move {
        let pipeline = Pipeline {
            before: Some(BEGIN_READING.to_owned()),
            statements: &statements,
            after: Some("COMMIT"),
        };
        pipeline.send(&client).await.release(client)
    })
    .await
}

/// Executes statements as one write that has the same effect if it is done twice.
pub(super) async fn write(
    pool: &Arc<Pool>,
    identity: Identity,
    statements: Vec<Statement>,
) -> DbResult<Found> {
    write_within(pool.timeout, pool, identity, statements).await
}

/// Does the same as [`write`], with another time limit.
pub(super) async fn write_within(
    timeout: Duration,
    pool: &Arc<Pool>,
    identity: Identity,
    statements: Vec<Statement>,
) -> DbResult<Found> {
    let mut client = Some(pool.acquire().await?);
    let pool = Arc::clone(pool);
    in_own_task(async move {
        let mut attempt = 1;
        loop {
            let mut client = or_acquire(client.take(), &pool).await?;
            client.timeout = timeout;
            match transact(client, BEGIN_WRITING, &identity, &statements).await {
                Err(failure) if attempt < ATTEMPTS_MAX && failure.is_rolled_back() => {
                    before_retry(&pool, &failure);
                }
                other => return other,
            }
            attempt += 1;
        }
    })
    .await
}

/// Executes `first`, lets `look` decide by its rows whether to go on, and then executes `rest`, all
/// or nothing. If `look` gives a statement instead, returns its rows and rolls back.
pub(super) async fn decide<T: Send + 'static>(
    pool: &Arc<Pool>,
    identity: Identity,
    first: Vec<Statement>,
    rest: Vec<Statement>,
    look: impl Fn(&Found) -> DbResult<Result<T, Statement>> + Send + 'static,
) -> DbResult<Result<T, Found>> {
    let mut client = Some(pool.acquire().await?);
    let pool = Arc::clone(pool);
    in_own_task(async move {
        let mut attempt = 1;
        loop {
            let client = or_acquire(client.take(), &pool).await?;
            let (failure, is_without_effect) = match Begun::new(client, &identity, &first).await {
                Err(failure) => (failure, true),
                Ok((begun, found)) => match look(&found)? {
                    Err(other) => return begun.end(&[other], "ROLLBACK").await.map(Err),
                    Ok(decided) => match begun.end(&rest, "COMMIT").await {
                        Ok(_) => return Ok(Ok(decided)),
                        // The outcome of a commit is unknown unless the server reports that it was
                        // rolled back.
                        Err(failure) => {
                            let is_rolled_back = failure.is_rolled_back();
                            (failure, is_rolled_back)
                        }
                    },
                },
            };
            if ATTEMPTS_MAX <= attempt || !is_without_effect || !is_transient(&failure) {
                return Err(failure);
            }
            before_retry(&pool, &failure);
            attempt += 1;
        }
    })
    .await
}

/// Runs `work` in a task of its own, so that it ends even if nobody waits for it any more.
async fn in_own_task<T: Send + 'static>(
    work: impl Future<Output = DbResult<T>> + Send + 'static,
) -> DbResult<T> {
    match tokio::spawn(work).await {
        Ok(answer) => answer,
        Err(_) => Err(Failure::Lost("the server is stopping".to_owned())),
    }
}

async fn or_acquire(client: Option<PooledClient>, pool: &Arc<Pool>) -> DbResult<PooledClient> {
    match client {
        Some(client) => Ok(client),
        None => pool.acquire().await,
    }
}

/// Tells whether a read that failed is attempted again.
pub(super) fn may_read_again(attempt: usize, failure: &Failure) -> bool {
    attempt < ATTEMPTS_MAX && is_transient(failure)
}

fn is_transient(failure: &Failure) -> bool {
    failure.is_lost() || failure.is_rolled_back()
}

/// Prepares another attempt: if the server has gone, the idle connections to it are closed.
pub(super) fn before_retry(pool: &Pool, failure: &Failure) {
    tracing::debug!(?failure, "retrying a transaction");
    if failure.is_lost() {
        pool.close_idle();
    }
}

/// Begins, executes and commits in one round trip.
async fn transact(
    client: PooledClient,
    begin: &str,
    identity: &Identity,
    statements: &[Statement],
) -> DbResult<Found> {
    let pipeline = Pipeline {
        before: Some(identity.begin(begin, client.timeout)),
        statements,
        after: Some("COMMIT"),
    };
    pipeline.send(&client).await.release(client)
}

/// A transaction that has begun. If it is dropped, its connection is closed, and the server rolls
/// it back.
struct Begun {
    client: PooledClient,
}

impl Begun {
    async fn new(
        client: PooledClient,
        identity: &Identity,
        statements: &[Statement],
    ) -> DbResult<(Begun, Found)> {
        let pipeline = Pipeline {
            before: Some(identity.begin(BEGIN_WRITING, client.timeout)),
            statements,
            after: None,
        };
        let outcome = pipeline.send(&client).await;
        let begun = Begun { client };
        match outcome.answer {
            Ok(found) => Ok((begun, found)),
            Err(failure) => {
                // So that the connection can be used again; without an answer it is closed.
                let _ = begun.end(&[], "ROLLBACK").await;
                Err(failure)
            }
        }
    }

    async fn end(self, statements: &[Statement], after: &'static str) -> DbResult<Found> {
        let pipeline = Pipeline {
            before: None,
            statements,
            after: Some(after),
        };
        pipeline.send(&self.client).await.release(self.client)
    }
}
