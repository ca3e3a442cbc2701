//! Statements that are sent together and answered together, so that a transaction costs one or two
//! round trips.

use std::borrow::Cow;
use std::sync::atomic::Ordering;

use futures::future::BoxFuture;
use recalld_memory::ports::StoreError;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Row};

use super::error::{DbResult, Failure};
use super::pool::PooledClient;
use super::sending::in_order;
use super::session::Session;
use super::settings::Filter;
use super::statement::Statement;

/// The rows of each statement of a pipeline.
pub(super) type ResultSets = Vec<Vec<Row>>;

/// Statements that are sent together.
pub(super) struct Pipeline<'a> {
    /// What begins the transaction, as text.
    pub(super) before: Vec<String>,
    /// The role in which the statements may be prepared; none if they are used once.
    pub(super) role: Option<&'a Cow<'static, str>>,
    pub(super) statements: &'a [Statement],
    /// What ends the transaction, as text.
    pub(super) after: Option<&'static str>,
}

/// The result of a pipeline.
pub(super) struct Outcome {
    /// The rows, or the first failure.
    pub(super) answer: DbResult<ResultSets>,
    /// Whether the server answered the last statement, so that the transaction has certainly ended.
    pub(super) has_ended: bool,
}

impl Outcome {
    /// Returns the connection to the pool if its transaction has ended.
    pub(super) fn release(self, client: PooledClient) -> DbResult<ResultSets> {
        if self.has_ended {
            client.release();
        }
        self.answer
    }
}

impl Pipeline<'_> {
    /// Sends the statements and waits for all answers.
    pub(super) async fn send(&self, client: &mut PooledClient) -> Outcome {
        let timeout = client.timeout;
        match tokio::time::timeout(timeout, self.prepare_and_send(client)).await {
            Ok(outcome) => outcome,
            Err(_) => Outcome {
                answer: Err(Failure::Store(StoreError::Unavailable {
                    reason: format!("the database did not answer within {timeout:?}"),
                })),
                has_ended: false,
            },
        }
    }

    async fn prepare_and_send(&self, client: &mut PooledClient) -> Outcome {
        if let Some(role) = self.role
            && client
                .session
                .prepare(role, &self.before.join("; "), self.statements)
                .await
        {
            client.pool.count_round_trip(0);
        }
        client.pool.count_round_trip(self.statements.len());
        let has_nodes = client.pool.has_nodes.load(Ordering::Relaxed);
        self.send_all(&client.session, client.pool.filter, has_nodes)
            .await
    }

    async fn send_all(&self, session: &Session, filter: Filter, has_nodes: bool) -> Outcome {
        let client = &session.client;
        let before = messages(&self.before, has_nodes);
        let mut pending: Vec<BoxFuture<'_, StatementResult>> = Vec::with_capacity(self.statements.len() + 2);
        for before in &before {
            pending.push(Box::pin(execute(client, before)));
        }
        for statement in self.statements {
            let prepared = self.role.and_then(|role| session.prepared(role, statement));
            pending.push(match prepared {
                Some(prepared) => Box::pin(execute_prepared(client, prepared, statement)),
                None => Box::pin(async move { query(client, statement, filter).await.map(Some) }),
            });
        }
        if let Some(after) = self.after {
            pending.push(Box::pin(execute(client, after)));
        }
        collect(pending, self.after.is_some()).await
    }
}

/// Returns the statements that begin a transaction as messages. One message is cheapest. A database
/// of several nodes repeats a whole message on a node for each setting in it, so there each is its
/// own.
fn messages(before: &[String], has_nodes: bool) -> Vec<Cow<'_, str>> {
    match has_nodes {
        true => before.iter().map(Cow::from).collect(),
        false if before.is_empty() => Vec::new(),
        false => vec![Cow::Owned(before.join("; "))],
    }
}

/// The rows of a statement; none for those that begin or end a transaction.
type StatementResult = Result<Option<Vec<Row>>, tokio_postgres::Error>;

async fn collect(pending: Vec<BoxFuture<'_, StatementResult>>, ends_transaction: bool) -> Outcome {
    let mut found = Vec::with_capacity(pending.len());
    let mut failure = None;
    let mut is_last_answered = false;
    for answer in in_order(pending).await {
        is_last_answered = answer.is_ok();
        match answer {
            Ok(rows) => found.extend(rows),
            // The failures after the first follow from it.
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    Outcome {
        answer: failure.map_or(Ok(found), |error| Err(error.into())),
        has_ended: ends_transaction && is_last_answered,
    }
}

async fn execute(client: &Client, sql: &str) -> StatementResult {
    client.batch_execute(sql).await.map(|()| None)
}

async fn execute_prepared(
    client: &Client,
    prepared: &tokio_postgres::Statement,
    statement: &Statement,
) -> StatementResult {
    let values: Vec<&(dyn ToSql + Sync)> = statement
        .values
        .iter()
        .map(|(value, _)| &**value as &(dyn ToSql + Sync))
        .collect();
    client.query(prepared, &values).await.map(Some)
}

async fn query(
    client: &Client,
    statement: &Statement,
    filter: Filter,
) -> Result<Vec<Row>, tokio_postgres::Error> {
    let values: Vec<(&(dyn ToSql + Sync), Type)> = statement
        .values
        .iter()
        .map(|(value, kind)| (&**value as &(dyn ToSql + Sync), kind.clone()))
        .collect();
    client
        .query_typed(&filtered(&statement.sql, filter), &values)
        .await
}

/// Removes our own filter by space from a statement, for the tests that show that the policies
/// alone suffice.
fn filtered(sql: &str, filter: Filter) -> Cow<'_, str> {
    match filter {
        Filter::On => Cow::Borrowed(sql),
        Filter::Off => {
            let bare = ["m.", "e.", "s."].iter().fold(sql.to_owned(), |sql, alias| {
                sql.replace(&format!("{alias}space = $1"), "space = $1")
            });
            Cow::Owned(bare.replace("space = $1", "$1 IS NOT NULL"))
        }
    }
}
