//! A model that plays a script, over real HTTP and server-sent events on the loopback.
//!
//! A script is a function from the request to an [`Act`]; `said` and `called` write acts in the
//! shape of OpenAI Chat Completions, with arguments split over chunks as real servers split them.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// What the double does with one request.
#[derive(Clone, Debug)]
pub enum Act {
    /// Sends these events and ends the answer as it should be.
    Events(Vec<String>),
    /// Sends these events and then nothing, with the connection open.
    Stall(Vec<String>),
    /// Sends these events and hangs up in the middle.
    Cut(Vec<String>),
    /// Answers with this status, these extra headers (each ended by a line break) and this body.
    Status(u16, &'static str, &'static str),
}

/// What a request held.
#[derive(Clone, Debug)]
pub struct ReceivedRequest {
    pub head: String,
    pub body: Value,
}

/// What every double lists as its models.
const MODELS: &str =
    r#"{"object": "list", "data": [{"id": "nomic-embed-text"}, {"id": "double"}, {"id": "other"}]}"#;

type Script = dyn Fn(usize, &Value) -> Act + Send + Sync;

/// A running double.
pub struct Double {
    /// The address up to and including `/v1`.
    pub url: String,
    asked: Arc<Mutex<Vec<ReceivedRequest>>>,
}

impl Double {
    /// Starts one whose answer follows from the number of the request (from 0) and its body.
    pub async fn answering(script: impl Fn(usize, &Value) -> Act + Send + Sync + 'static) -> Double {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let asked: Arc<Mutex<Vec<ReceivedRequest>>> = Arc::default();
        let (record, script): (_, Arc<Script>) = (Arc::clone(&asked), Arc::new(script));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let _ = stream.set_nodelay(true);
                tokio::spawn(serve(stream, Arc::clone(&script), Arc::clone(&record)));
            }
        });
        Double { url, asked }
    }

    /// Starts one that plays these acts in turn, and the last one again and again.
    pub async fn playing(acts: impl IntoIterator<Item = Act>) -> Double {
        let acts: Vec<Act> = acts.into_iter().collect();
        Double::answering(move |number, _| acts[number.min(acts.len() - 1)].clone()).await
    }

    /// Gives what was asked so far.
    pub fn asked(&self) -> Vec<ReceivedRequest> {
        self.asked.lock().unwrap().clone()
    }
}

/// Writes one event without a name.
pub fn data(value: &Value) -> String {
    format!("data: {value}\n\n")
}

fn chunk(delta: Value, finish: Option<&str>) -> String {
    data(&json!({
        "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "double",
        "choices": [{ "index": 0, "delta": delta, "finish_reason": finish }],
    }))
}

fn ended(mut events: Vec<String>, finish: &str) -> Vec<String> {
    events.push(chunk(json!({}), Some(finish)));
    let usage = json!({ "prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 25 });
    events.push(data(&json!({ "choices": [], "usage": usage })));
    events.push("data: [DONE]\n\n".to_owned());
    events
}

/// Says a text, a word at a time.
pub fn said(text: &str) -> Act {
    let mut events = vec![chunk(json!({ "role": "assistant", "content": "" }), None)];
    let words = text.split_inclusive(' ');
    events.extend(words.map(|word| chunk(json!({ "content": word }), None)));
    Act::Events(ended(events, "stop"))
}

/// Calls tools, given as name and arguments; the arguments come in pieces of seven characters.
pub fn called(calls: &[(&str, &str)]) -> Act {
    let mut events = vec![chunk(json!({ "role": "assistant", "content": null }), None)];
    for (index, (name, arguments)) in calls.iter().enumerate() {
        let id = format!("call_{name}_{index}");
        let begin = json!({
            "index": index, "id": id, "type": "function", "function": { "name": name, "arguments": "" },
        });
        events.push(chunk(json!({ "tool_calls": [begin] }), None));
        let letters: Vec<char> = arguments.chars().collect();
        for piece in letters.chunks(7) {
            let piece: String = piece.iter().collect();
            let more = json!({ "index": index, "function": { "arguments": piece } });
            events.push(chunk(json!({ "tool_calls": [more] }), None));
        }
    }
    Act::Events(ended(events, "tool_calls"))
}

async fn serve(stream: TcpStream, script: Arc<Script>, record: Arc<Mutex<Vec<ReceivedRequest>>>) {
    let (read, mut write) = stream.into_split();
    let mut read = BufReader::new(read);
    while let Some(asked) = receive(&mut read).await {
        // A question for the list of models is no part of a script.
        if asked.head.starts_with("get ") && asked.head.contains("/models ") {
            let models = Act::Status(200, "", MODELS);
            if !play(&mut write, models).await {
                return;
            }
            continue;
        }
        let number = {
            let mut record = record.lock().unwrap();
            record.push(asked.clone());
            record.len() - 1
        };
        let act = script(number, &asked.body);
        if !play(&mut write, act).await {
            return;
        }
    }
}

/// Plays an act. Tells whether the connection can take another request.
async fn play(write: &mut (impl AsyncWriteExt + Unpin), act: Act) -> bool {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
    let framed = |event: &String| format!("{:x}\r\n{event}\r\n", event.len());
    match act {
        Act::Events(events) => {
            let body: String = events.iter().map(framed).collect();
            write
                .write_all(format!("{head}{body}0\r\n\r\n").as_bytes())
                .await
                .is_ok()
        }
        Act::Stall(events) => {
            let body: String = events.iter().map(framed).collect();
            let _ = write.write_all(format!("{head}{body}").as_bytes()).await;
            // Until whoever asked loses patience and hangs up, or the test is over.
            tokio::time::sleep(Duration::from_secs(600)).await;
            false
        }
        Act::Cut(events) => {
            let body: String = events.iter().map(framed).collect();
            let _ = write.write_all(format!("{head}{body}").as_bytes()).await;
            false
        }
        Act::Status(status, headers, body) => {
            let length = body.len();
            let answer = format!(
                "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n{headers}\r\n{body}"
            );
            write.write_all(answer.as_bytes()).await.is_ok()
        }
    }
}

async fn receive(stream: &mut (impl AsyncBufReadExt + Unpin)) -> Option<ReceivedRequest> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if stream.read_line(&mut head).await.ok()? == 0 {
            return None;
        }
    }
    let head = head.to_lowercase();
    let length = head
        .split("content-length: ")
        .nth(1)
        .and_then(|rest| rest.lines().next())
        .map_or(0, |length| length.trim().parse().unwrap());
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    Some(ReceivedRequest {
        head,
        body: serde_json::from_slice(&body).unwrap_or(Value::Null),
    })
}
