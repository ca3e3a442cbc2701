//! Sends several messages before the answer to the first has come.

use futures::future::BoxFuture;
use tokio_postgres::Client;
use tokio_postgres::types::Type;

/// Prepares statements in a transaction that `begin` begins, in one round trip.
pub(super) async fn prepare(
    client: &Client,
    begin: &str,
    statements: &[(&'static str, Vec<Type>)],
) -> Result<Vec<tokio_postgres::Statement>, tokio_postgres::Error> {
    let mut pending: Vec<BoxFuture<'_, _>> = vec![Box::pin(async {
        client.batch_execute(begin).await.map(|()| None)
    })];
    for (sql, types) in statements {
        pending.push(Box::pin(async move {
            client.prepare_typed(sql, types).await.map(Some)
        }));
    }
    pending.push(Box::pin(async {
        client.batch_execute("ROLLBACK").await.map(|()| None)
    }));
    let mut prepared = Vec::with_capacity(statements.len());
    let mut failure = None;
    for answer in in_order(pending).await {
        match answer {
            Ok(made) => prepared.extend(made),
            Err(error) => failure = failure.or(Some(error)),
        }
    }
    failure.map_or(Ok(prepared), Err)
}

/// Sends everything in order, and then waits for the answers in the same order.
pub(super) async fn in_order<T>(mut pending: Vec<BoxFuture<'_, T>>) -> Vec<T> {
    let mut early = Vec::with_capacity(pending.len());
    for each in &mut pending {
        // The first poll puts it on the wire.
        early.push(match futures::poll!(each) {
            std::task::Poll::Ready(answer) => Some(answer),
            std::task::Poll::Pending => None,
        });
    }
    let mut answers = Vec::with_capacity(pending.len());
    for (each, answer) in pending.into_iter().zip(early) {
        answers.push(match answer {
            Some(answer) => answer,
            None => each.await,
        });
    }
    answers
}
