//! Statements that are sent together and answered together, so that a transaction costs one or two
//! round trips.

use std::borrow::Cow;

use futures::future::BoxFuture;
use recalld_memory::ports::StoreError;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Row};

use super::error::{DbResult, Failure};
use super::pool::PooledClient;
use super::settings::Filter;
use super::statement::Statement;

/// The rows of each statement of a pipeline.
pub(super) type Found = Vec<Vec<Row>>;

/// Statements that are sent together.
pub(super) struct Pipeline<'a> {
    /// What begins the transaction, as text.
    pub(super) before: Option<String>,
    pub(super) statements: &'a [Statement],
    /// What ends the transaction, as text.
    pub(super) after: Option<&'static str>,
}

/// The result of a pipeline.
pub(super) struct Outcome {
    /// The rows, or the first failure.
    pub(super) answer: DbResult<Found>,
    /// Whether the server answered the last statement, so that the transaction has certainly ended.
    pub(super) has_ended: bool,
}

impl Outcome {
    /// Returns the connection to the pool if its transaction has ended.
    pub(super) fn release(self, client: PooledClient) -> DbResult<Found> {
        if self.has_ended {
            client.release();
        }
        self.answer
    }
}

impl Pipeline<'_> {
    /// Sends the statements and waits for all answers.
    pub(super) async fn send(&self, client: &PooledClient) -> Outcome {
        let timeout = client.timeout;
        let sending = self.send_all(&client.client, client.pool.filter);
        match tokio::time::timeout(timeout, sending).await {
            Ok(outcome) => outcome,
            Err(_) => Outcome {
                answer: Err(Failure::Store(StoreError::Unavailable {
                    reason: format!("the database did not answer within {timeout:?}"),
                })),
                has_ended: false,
            },
        }
    }

    async fn send_all(&self, client: &Client, filter: Filter) -> Outcome {
        let mut pending: Vec<BoxFuture<'_, Answer>> = Vec::with_capacity(self.statements.len() + 2);
        if let Some(before) = &self.before {
            pending.push(Box::pin(execute(client, before)));
        }
        for statement in self.statements {
            pending.push(Box::pin(async move {
                query(client, statement, filter).await.map(Some)
            }));
        }
        if let Some(after) = self.after {
            pending.push(Box::pin(execute(client, after)));
        }
        collect(pending, self.after.is_some()).await
    }
}

/// The rows of a statement; none for those that begin or end a transaction.
type Answer = Result<Option<Vec<Row>>, tokio_postgres::Error>;

/// Sends everything in order, and then waits for the answers in the same order.
async fn collect(mut pending: Vec<BoxFuture<'_, Answer>>, ends_transaction: bool) -> Outcome {
    let mut early = Vec::with_capacity(pending.len());
    for statement in &mut pending {
        // The first poll puts it on the wire.
        early.push(match futures::poll!(statement) {
            std::task::Poll::Ready(answer) => Some(answer),
            std::task::Poll::Pending => None,
        });
    }
    let mut found = Vec::with_capacity(pending.len());
    let mut failure = None;
    let mut is_last_answered = false;
    for (statement, answer) in pending.into_iter().zip(early) {
        let answer = match answer {
            Some(answer) => answer,
            None => statement.await,
        };
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

async fn execute(client: &Client, sql: &str) -> Answer {
    client.batch_execute(sql).await.map(|()| None)
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
            let bare = ["m.", "e."].iter().fold(sql.to_owned(), |sql, alias| {
                sql.replace(&format!("{alias}space = $1"), "space = $1")
            });
            Cow::Owned(bare.replace("space = $1", "$1 IS NOT NULL"))
        }
    }
}
