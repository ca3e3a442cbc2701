//! A stand-in for a platform's API on the loopback: answers by a script, and records what it got.

use std::sync::Arc;

use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// A request that the platform got.
#[derive(Clone, Debug)]
pub struct Call {
    pub path: String,
    pub authorization: String,
    pub body: Value,
}

/// What the platform answers: a status, extra headers (each ended by a line break) and a body.
pub type ApiReply = (u16, &'static str, Value);

type Script = dyn Fn(usize, &Call) -> Option<ApiReply> + Send + Sync;

/// A running stand-in.
#[derive(Clone)]
pub struct StandIn {
    pub url: String,
    calls: Arc<Mutex<Vec<Call>>>,
}

impl StandIn {
    /// Starts one that always succeeds.
    pub async fn start() -> StandIn {
        StandIn::answering(|_, _| None).await
    }

    /// Starts one whose answer follows from the number of the request (from 0) and what it is; none
    /// is a success.
    pub async fn answering(
        script: impl Fn(usize, &Call) -> Option<ApiReply> + Send + Sync + 'static,
    ) -> StandIn {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let calls: Arc<Mutex<Vec<Call>>> = Arc::default();
        let (record, script): (_, Arc<Script>) = (Arc::clone(&calls), Arc::new(script));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&script), Arc::clone(&record)));
            }
        });
        StandIn { url, calls }
    }

    /// The calls whose path ends like this, so far.
    pub fn calls(&self, ending: &str) -> Vec<Call> {
        let calls = self.calls.lock();
        calls
            .iter()
            .filter(|call| call.path.ends_with(ending))
            .cloned()
            .collect()
    }
}

async fn serve(stream: TcpStream, script: Arc<Script>, record: Arc<Mutex<Vec<Call>>>) {
    let mut stream = BufReader::new(stream);
    loop {
        let Some(call) = read(&mut stream).await else {
            return;
        };
        let number = {
            let mut calls = record.lock();
            calls.push(call.clone());
            calls.len() - 1
        };
        let (status, headers, body) = script(number, &call).unwrap_or_else(|| success(&call));
        let body = body.to_string();
        let answer = format!(
            "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\n{headers}\r\n{body}",
            body.len()
        );
        if stream.write_all(answer.as_bytes()).await.is_err() {
            return;
        }
    }
}

async fn read(stream: &mut BufReader<TcpStream>) -> Option<Call> {
    let mut line = String::new();
    stream.read_line(&mut line).await.ok().filter(|read| 0 < *read)?;
    let path = line.split(' ').nth(1)?.to_owned();
    let (mut length, mut authorization) = (0, String::new());
    loop {
        line.clear();
        stream.read_line(&mut line).await.ok().filter(|read| 0 < *read)?;
        let Some((name, value)) = line.trim_end().split_once(": ") else {
            break;
        };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.parse().ok()?,
            "authorization" => authorization = value.to_owned(),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    Some(Call {
        path,
        authorization,
        body: serde_json::from_slice(&body).unwrap_or(Value::Null),
    })
}

fn success(call: &Call) -> ApiReply {
    let body = match call.path.as_str() {
        "/open-apis/auth/v3/tenant_access_token/internal" => {
            json!({ "code": 0, "tenant_access_token": "t-1", "expire": 7200 })
        }
        "/open-apis/bot/v3/info" => json!({ "code": 0, "bot": { "open_id": crate::platform_events::BOT } }),
        path if path.starts_with("/open-apis/") => json!({ "code": 0, "data": { "message_id": "om_reply" } }),
        _ => json!({ "ok": true }),
    };
    (200, "", body)
}
