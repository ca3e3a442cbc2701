//! An endpoint on the loopback that plays a given scene.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// What the endpoint does with one request.
#[derive(Clone)]
pub(crate) enum Act {
    /// Answers each text with the vector (its length, 1).
    Vectors,
    /// Answers with this status, these extra headers and this body.
    Say(u16, &'static str, &'static str),
    /// Takes the request and stays silent.
    Stall,
}

/// What a request held.
#[derive(Clone, Debug)]
pub(crate) struct ReceivedRequest {
    pub(crate) head: String,
    pub(crate) body: Value,
}

/// A running endpoint. When its acts are over it answers with vectors.
pub(crate) struct Endpoint {
    pub(crate) url: String,
    asked: Arc<Mutex<Vec<ReceivedRequest>>>,
}

impl Endpoint {
    pub(crate) async fn playing(acts: impl IntoIterator<Item = Act>) -> Endpoint {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let asked: Arc<Mutex<Vec<ReceivedRequest>>> = Arc::default();
        let acts: Arc<Mutex<VecDeque<Act>>> = Arc::new(Mutex::new(acts.into_iter().collect()));
        let record = Arc::clone(&asked);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&acts), Arc::clone(&record)));
            }
        });
        Endpoint { url, asked }
    }

    pub(crate) fn asked(&self) -> Vec<ReceivedRequest> {
        self.asked.lock().unwrap().clone()
    }
}

async fn serve(
    mut stream: TcpStream,
    acts: Arc<Mutex<VecDeque<Act>>>,
    record: Arc<Mutex<Vec<ReceivedRequest>>>,
) {
    let (read, mut write) = stream.split();
    let asked = receive(&mut BufReader::new(read)).await;
    record.lock().unwrap().push(asked.clone());
    let act = acts.lock().unwrap().pop_front().unwrap_or(Act::Vectors);
    let (status, headers, body) = match act {
        Act::Vectors => (200, "", vectors(&asked.body)),
        Act::Say(status, headers, body) => (status, headers, body.to_string()),
        Act::Stall => return std::future::pending().await,
    };
    let length = body.len();
    let answer = format!(
        "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {length}\r\n{headers}\r\n{body}"
    );
    write.write_all(answer.as_bytes()).await.unwrap();
}

async fn receive(stream: &mut (impl AsyncBufReadExt + Unpin)) -> ReceivedRequest {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert_ne!(
            stream.read_line(&mut head).await.unwrap(),
            0,
            "a request has an end"
        );
    }
    let head = head.to_lowercase();
    let length = head
        .split("content-length: ")
        .nth(1)
        .and_then(|rest| rest.lines().next())
        .unwrap();
    let mut body = vec![0; length.trim().parse().unwrap()];
    stream.read_exact(&mut body).await.unwrap();
    ReceivedRequest {
        head,
        body: serde_json::from_slice(&body).unwrap(),
    }
}

/// Answers in reverse order, so that only the index tells which vector is whose.
fn vectors(request: &Value) -> String {
    let texts = request["input"].as_array().unwrap();
    let item = |(index, text): (usize, &Value)| serde_json::json!({"index": index, "embedding": [text.as_str().unwrap().len(), 1]});
    serde_json::json!({"data": texts.iter().enumerate().rev().map(item).collect::<Vec<_>>()}).to_string()
}
