//! Passes on the messages of an MCP client that speaks over two streams to a server that speaks MCP
//! over HTTP.
//!
//! A message is a line on one side and a POST on the other. It is passed on as it is, whatever
//! revision of the protocol it belongs to; only the headers that HTTP wants are made from it.

mod answer;
mod exchange;
mod failure;
mod message;

use std::collections::HashMap;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::{Mutex, MutexGuard};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio::task::{AbortHandle, JoinSet};

pub use crate::http::{ApiKey, InvalidEndpoint};
use exchange::Exchange;
use message::{Kind, Message};

/// The most bytes of a message.
const LINE_BYTES_MAX: u64 = 8 * 1024 * 1024;

/// How long requests that are under way may take when the client has left.
const DRAIN: Duration = Duration::from_secs(10);

/// How many messages wait for the client at the most.
const WAITING_MAX: usize = 64;

/// Where the messages go.
#[derive(Clone, Debug)]
pub struct RelayConfig {
    /// The server's address, with or without `/mcp`.
    pub url: String,
    /// The key, where one is needed.
    pub key: Option<ApiKey>,
    /// The user that a service key acts for.
    pub user: Option<String>,
    /// The project in which everything happens.
    pub project: Option<String>,
}

/// A client's way to a server.
#[derive(Debug)]
pub struct Relay {
    exchange: Arc<Exchange>,
    /// The requests that have no answer yet, by their ids.
    under_way: Arc<Mutex<HashMap<String, AbortHandle>>>,
}

impl Relay {
    /// Prepares the way. Nothing is sent yet.
    pub fn new(config: RelayConfig) -> Result<Relay, InvalidEndpoint> {
        Ok(Relay {
            exchange: Arc::new(Exchange::new(config)?),
            under_way: Arc::default(),
        })
    }

    /// Passes messages on in both directions until the client leaves.
    pub async fn run(
        self,
        mut from_client: impl AsyncBufRead + Unpin,
        to_client: impl AsyncWrite + Send + Unpin + 'static,
    ) -> io::Result<()> {
        let (answers, written) = mpsc::channel(WAITING_MAX);
        let writer = tokio::spawn(write(to_client, written));
        let mut requests = JoinSet::new();
        while let Some(line) = read_line(&mut from_client).await? {
            while requests.try_join_next().is_some() {}
            match line {
                Line::Text(text) => self.take(&text, &answers, &mut requests).await,
                Line::TooLong => drop(answers.send(message::too_long(LINE_BYTES_MAX)).await),
            }
            if answers.is_closed() {
                break;
            }
        }
        self.exchange.hang_up();
        // A client may send its last request and close its end before it has read the answer.
        let all = async { while requests.join_next().await.is_some() {} };
        if tokio::time::timeout(DRAIN, all).await.is_err() {
            tracing::debug!("some requests had no answer when the client left");
        }
        requests.abort_all();
        self.exchange.close().await;
        drop((answers, requests, self));
        writer.await.unwrap_or(Ok(()))
    }

    async fn take(&self, text: &[u8], answers: &mpsc::Sender<Vec<u8>>, requests: &mut JoinSet<()>) {
        let message = match Message::read(text) {
            Ok(Some(message)) => message,
            Ok(None) => return,
            Err(answer) => return drop(answers.send(answer).await),
        };
        match message.kind() {
            // What follows belongs to the session that it opens, and what is announced is announced
            // in order.
            Kind::Opening | Kind::Notification => {
                if let Some(id) = message.cancels() {
                    self.cancel(&id);
                }
                self.exchange.pass(&message, answers).await;
            }
            Kind::Request => {
                let id = message.id_text();
                let (exchange, answers) = (Arc::clone(&self.exchange), answers.clone());
                let (under_way, own) = (Arc::clone(&self.under_way), id.clone());
                let task = requests.spawn(async move {
                    exchange.pass(&message, &answers).await;
                    lock(&under_way).remove(&own);
                });
                // It may have ended already; then its entry is taken over by the next with that id.
                lock(&self.under_way).insert(id, task);
            }
        }
    }

    fn cancel(&self, id: &str) {
        if let Some(request) = lock(&self.under_way).remove(id) {
            request.abort();
        }
    }
}

fn lock(under_way: &Mutex<HashMap<String, AbortHandle>>) -> MutexGuard<'_, HashMap<String, AbortHandle>> {
    let mut all = under_way.lock();
    all.retain(|_, request| !request.is_finished());
    all
}

/// What the client sent.
enum Line {
    Text(Vec<u8>),
    TooLong,
}

/// Reads one line, and no more of it than is kept. None at the end.
async fn read_line(reader: &mut (impl AsyncBufRead + Unpin)) -> io::Result<Option<Line>> {
    let mut text = Vec::new();
    let read = (&mut *reader)
        .take(LINE_BYTES_MAX)
        .read_until(b'\n', &mut text)
        .await?;
    if read == 0 {
        return Ok(None);
    }
    if text.ends_with(b"\n") || (read as u64) < LINE_BYTES_MAX {
        return Ok(Some(Line::Text(text)));
    }
    loop {
        text.clear();
        let read = (&mut *reader)
            .take(LINE_BYTES_MAX)
            .read_until(b'\n', &mut text)
            .await?;
        if read == 0 || text.ends_with(b"\n") {
            return Ok(Some(Line::TooLong));
        }
    }
}

async fn write(
    mut to_client: impl AsyncWrite + Unpin,
    mut answers: mpsc::Receiver<Vec<u8>>,
) -> io::Result<()> {
    while let Some(mut answer) = answers.recv().await {
        answer.push(b'\n');
        to_client.write_all(&answer).await?;
        to_client.flush().await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_line_that_is_too_long_does_not_take_the_next_one_with_it() {
        let mut sent = vec![b'x'; LINE_BYTES_MAX as usize * 2 + 7];
        sent.extend_from_slice(b"\nnext\nlast");
        let mut reader = &sent[..];
        assert!(matches!(read_line(&mut reader).await, Ok(Some(Line::TooLong))));
        for expected in [&b"next\n"[..], b"last"] {
            match read_line(&mut reader).await {
                Ok(Some(Line::Text(text))) => assert_eq!(text, expected),
                other => panic!("{}", other.is_ok()),
            }
        }
        assert!(matches!(read_line(&mut reader).await, Ok(None)));
    }
}
