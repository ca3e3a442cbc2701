//! The query for the revisions of spaces.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use futures::StreamExt;
use futures::stream;
use recalld_memory::change::Revision;
use recalld_memory::ports::StoreError;
use tokio_postgres::SimpleQueryMessage;

use super::error::{DbResult, Failure};
use super::identity::Identity;
use super::pool::{Pool, PooledClient};
use super::settings::Filter;
use super::statement::{Statement, literal};
use super::{rows, transaction};

/// How many spaces are queried at the same time after a query for several has failed.
const SINGLE_QUERIES_MAX: usize = 4;

/// What a waiting request receives.
pub(super) type RevisionResult = Result<Revision, StoreError>;

/// Queries all spaces at once, or each by itself if the database reports that it cannot.
pub(super) async fn query_or_each<Q, F>(names: &[String], query: Q) -> HashMap<String, RevisionResult>
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
pub(super) async fn query(pool: &Arc<Pool>, names: Vec<String>) -> DbResult<HashMap<String, Revision>> {
    if pool.has_nodes.load(Ordering::Relaxed) {
        return query_nodes(pool, names).await;
    }
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

/// Reads them from a database of several nodes, which needs each setting to be a message of its
/// own.
async fn query_nodes(pool: &Arc<Pool>, names: Vec<String>) -> DbResult<HashMap<String, Revision>> {
    let statement = Statement::new(REVISIONS)
        .for_rows(names.len())
        .with(names.iter().map(String::as_str).collect::<Vec<_>>());
    let found = transaction::read(pool, Identity::revisions(&names), vec![statement]).await?;
    let each = rows::each(&found[0], |row| Ok((rows::get(row, 0)?, rows::revision(row, 1)?)))?;
    Ok(each.into_iter().collect())
}

const REVISIONS: &str = "SELECT space, revision FROM recalld.spaces WHERE space = ANY ($1)";

/// Sends one message and receives one. Several statements in one message are one transaction, which
/// has ended when it is answered, whatever the result.
async fn send(client: PooledClient, sql: &str) -> DbResult<HashMap<String, Revision>> {
    let timeout = client.timeout;
    client.pool.count_round_trip(1);
    let Ok(answer) = tokio::time::timeout(timeout, client.session.client.simple_query(sql)).await else {
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
pub(super) fn duplicate(error: &StoreError) -> StoreError {
    match error {
        StoreError::Unavailable { reason } => StoreError::Unavailable {
            reason: reason.clone(),
        },
        StoreError::Corrupt { what } => StoreError::Corrupt { what: what.clone() },
        other => StoreError::Failed(other.to_string().into()),
    }
}
