//! Transactions. Each runs to its end in a task of its own, so a cancelled request leaves nothing
//! half done.

use std::sync::Arc;
use std::time::Duration;

use super::error::{DbResult, Failure};
use super::identity::Identity;
use super::pipeline::{Pipeline, ResultSets};
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
) -> DbResult<ResultSets> {
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
pub(super) async fn read_as_login(pool: &Arc<Pool>, statements: Vec<Statement>) -> DbResult<ResultSets> {
    let mut client = pool.acquire().await?;
    in_own_task(async move {
        let pipeline = Pipeline {
            before: vec![BEGIN_READING.to_owned()],
            role: None,
            statements: &statements,
            after: Some("COMMIT"),
        };
        pipeline.send(&mut client).await.release(client)
    })
    .await
}

/// Executes statements as one write that has the same effect if it is done twice.
pub(super) async fn write(
    pool: &Arc<Pool>,
    identity: Identity,
    statements: Vec<Statement>,
) -> DbResult<ResultSets> {
    write_within(pool.timeout, pool, identity, statements).await
}

/// Does the same as [`write`], with another time limit.
pub(super) async fn write_within(
    timeout: Duration,
    pool: &Arc<Pool>,
    identity: Identity,
    statements: Vec<Statement>,
) -> DbResult<ResultSets> {
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

/// What became of a write that is decided at a revision.
pub(super) enum Applied {
    Done,
    /// It had no effect: the space is gone, or the database refused it. Usually because the space
    /// has moved on.
    Not(Option<Failure>),
}

/// Executes statements as one write that cannot have its effect twice, in one round trip. It is
/// done if the statement `mover` returned a row.
///
/// If the connection is lost, the write is sent again. If that has no effect, the first one may
/// have had it: then nobody knows, and the loss is returned.
pub(super) async fn apply(
    pool: &Arc<Pool>,
    identity: Identity,
    statements: Vec<Statement>,
    mover: usize,
) -> DbResult<Applied> {
    let mut client = Some(pool.acquire().await?);
    let pool = Arc::clone(pool);
    in_own_task(async move {
        let mut lost = None;
        let mut attempt = 1;
        loop {
            let client = or_acquire(client.take(), &pool).await?;
            let not = match transact(client, BEGIN_WRITING, &identity, &statements).await {
                Ok(found) if found[mover].is_empty() => Applied::Not(None),
                Ok(_) => return Ok(Applied::Done),
                Err(failure) if attempt < ATTEMPTS_MAX && is_transient(&failure) => {
                    before_retry(&pool, &failure);
                    attempt += 1;
                    if failure.is_lost() {
                        lost = Some(failure);
                    }
                    continue;
                }
                Err(failure) if failure.is_reported() && !failure.is_lost() => Applied::Not(Some(failure)),
                Err(failure) => return Err(failure),
            };
            return lost.map_or(Ok(not), Err);
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
    mut client: PooledClient,
    begin: &str,
    identity: &Identity,
    statements: &[Statement],
) -> DbResult<ResultSets> {
    let pipeline = Pipeline {
        before: identity.begin(begin, client.timeout),
        role: Some(&identity.role),
        statements,
        after: Some("COMMIT"),
    };
    pipeline.send(&mut client).await.release(client)
}
