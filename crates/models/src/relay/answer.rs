//! Reads what the server says to one message: a single body, or a stream that ends with the answer.

use std::time::Duration;

use reqwest::Response;
use reqwest::header::CONTENT_TYPE;
use tokio::sync::mpsc::Sender;

use super::failure::Failure;
use super::message::{Kind, Message};
use crate::http::{self, BodyError};
use crate::sse::SseParser;

/// The most bytes of an answer.
pub(super) const ANSWER_BYTES_MAX: usize = 16 * 1024 * 1024;

/// How long the end of a stream is waited for once the answer is there.
const END: Duration = Duration::from_secs(1);

/// Reads the answer to a message; none to one that wants none. What is said on the way to it goes
/// to the client at once.
pub(super) async fn read(
    message: &Message,
    response: Response,
    on_the_way: &Sender<Vec<u8>>,
) -> Result<Option<Vec<u8>>, Failure> {
    let wants_none = message.kind() == Kind::Notification;
    match is_stream(&response) {
        true => read_stream(message, response, on_the_way).await,
        false if wants_none => Ok(None),
        false => read_body(message, response).await.map(Some),
    }
}

async fn read_body(message: &Message, response: Response) -> Result<Vec<u8>, Failure> {
    let body = http::read_body(response, ANSWER_BYTES_MAX).await;
    let body = body.map_err(|error| match error {
        BodyError::Broken(reason) => Failure::Unreachable(reason),
        BodyError::TooLong { bytes_max } => {
            Failure::Unreachable(format!("the answer is over the limit of {bytes_max} bytes"))
        }
    })?;
    message
        .answer(&body)
        .ok_or_else(|| unreachable("the answer is no message of the protocol"))
}

async fn read_stream(
    message: &Message,
    mut response: Response,
    on_the_way: &Sender<Vec<u8>>,
) -> Result<Option<Vec<u8>>, Failure> {
    let mut events = SseParser::new(ANSWER_BYTES_MAX);
    while let Some(piece) = next_piece(&mut response).await? {
        let said = events
            .push(&piece)
            .map_err(|_| unreachable("the answer has no end"))?;
        for line in said
            .iter()
            .filter_map(|event| message.answer(event.data.as_bytes()))
        {
            if message.is_answered_by(&line) {
                leave(response);
                return Ok(Some(line));
            }
            let _ = on_the_way.send(line).await;
        }
    }
    match message.kind() {
        Kind::Notification => Ok(None),
        Kind::Opening | Kind::Request => Err(unreachable("the stream ended without an answer")),
    }
}

/// Reads on to the end of a stream that has given its answer, so that the connection serves again.
/// A server that dies in between has answered all the same: nobody is told.
fn leave(mut response: Response) {
    tokio::spawn(tokio::time::timeout(END, async move {
        while let Ok(Some(_)) = response.chunk().await {}
    }));
}

async fn next_piece(response: &mut Response) -> Result<Option<Vec<u8>>, Failure> {
    let piece = response.chunk().await;
    let piece = piece.map_err(|error| Failure::Unreachable(http::reason(error)))?;
    Ok(piece.map(|piece| piece.to_vec()))
}

fn is_stream(response: &Response) -> bool {
    let kind = response.headers().get(CONTENT_TYPE);
    kind.and_then(|kind| kind.to_str().ok())
        .is_some_and(|kind| kind.starts_with("text/event-stream"))
}

fn unreachable(reason: &str) -> Failure {
    Failure::Unreachable(reason.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use crate::relay::{Relay, RelayConfig};

    const HEAD: &str =
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";

    /// Gives what a client hears when the server says `stream` to its request 7 and is gone.
    async fn hears(said: &[&str]) -> Vec<Value> {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let stream: String = said
            .iter()
            .map(|data| format!("data: {data}\n\n"))
            .map(|event| format!("{:x}\r\n{event}\r\n", event.len()))
            .collect();
        let server = tokio::spawn(async move {
            let (mut socket, _) = listener.accept().await.unwrap();
            assert!(0 < socket.read(&mut [0; 4096]).await.unwrap());
            let text = format!("{HEAD}{stream}");
            socket.write_all(text.as_bytes()).await.unwrap();
        });
        let config = RelayConfig {
            url,
            key: None,
            user: None,
            project: None,
        };
        let (to_client, mut heard) = tokio::io::duplex(4096);
        let request = &br#"{"jsonrpc":"2.0","id":7,"method":"tools/list"}"#[..];
        let relay = Relay::new(config).unwrap();
        relay.run(request, to_client).await.unwrap();
        server.await.unwrap();
        let mut text = String::new();
        heard.read_to_string(&mut text).await.unwrap();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    #[tokio::test]
    async fn a_server_that_dies_after_its_answer_has_answered_once() {
        let heard = hears(&[
            r#"{"jsonrpc":"2.0","method":"notifications/progress"}"#,
            r#"{"jsonrpc":"2.0","id":7,"result":{}}"#,
        ])
        .await;
        assert_eq!(heard.len(), 2, "{heard:?}");
        assert_eq!(heard[1]["result"], Value::Object(serde_json::Map::new()));
    }

    #[tokio::test]
    async fn an_error_about_no_message_is_the_answer_to_the_one_asked() {
        let heard = hears(&[r#"{"jsonrpc":"2.0","id":null,"error":{"code":1}}"#]).await;
        assert_eq!(heard.len(), 1, "{heard:?}");
        assert_eq!(
            (&heard[0]["id"], &heard[0]["error"]["code"]),
            (&7.into(), &1.into())
        );
    }

    #[tokio::test]
    async fn a_server_that_dies_before_its_answer_is_told_of() {
        let heard = hears(&[r#"{"jsonrpc":"2.0","method":"notifications/progress"}"#]).await;
        assert_eq!((heard.len(), &heard[1]["id"]), (2, &7.into()), "{heard:?}");
        let reason = heard[1]["error"]["message"].as_str().unwrap();
        assert!(reason.contains("cannot be reached"), "{reason}");
    }
}
