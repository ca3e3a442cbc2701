//! A server that is killed between a reply and what is learned from it.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use recalld_testing::chat_server::{Double, said};
use serde_json::{Value, json};

use crate::sandbox::Sandbox;

/// How often the server is killed. More with `RECALLD_TEST_KILLS`.
fn rounds() -> usize {
    env::var("RECALLD_TEST_KILLS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(10)
}

/// Answers anything, and finds every "number… is …" in what it reads as a fact.
fn script(_: usize, body: &Value) -> recalld_testing::chat_server::Act {
    if body["response_format"].is_null() {
        return said("Noted.");
    }
    let read = body["messages"][1]["content"].as_str().unwrap();
    let read = read.split("Known already").next().unwrap();
    let facts: Vec<Value> = read
        .lines()
        .filter(|line| line.starts_with("my favourite"))
        .map(|line| {
            json!({
                "content": line, "quote": line, "message": 1, "category": "preference", "key": null, "confidence": 0.9,
            })
        })
        .collect();
    said(&json!({ "facts": facts }).to_string())
}

struct Server {
    process: Child,
    address: SocketAddr,
}

/// Asks again and again until there is something.
fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(60) {
        if let Some(found) = look() {
            return found;
        }
        thread::park_timeout(Duration::from_millis(10));
    }
    panic!("{what} did not come");
}

fn start(sandbox: &Sandbox, model: &str) -> Server {
    let mut command = sandbox.command(&["serve", "--listen", "127.0.0.1:0"]);
    command
        .env("OPENAI_BASE_URL", model)
        .env("RECALLD_EXTRACTION_BUFFER_IDLE_MS", "0")
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let process = command.spawn().unwrap();
    let file = sandbox.data().join("server.json");
    let address = until("the server", || {
        let running: Value = serde_json::from_slice(&fs::read(&file).ok()?).ok()?;
        let ours = running["pid"] == process.id();
        ours.then(|| running["address"].as_str().unwrap().parse().unwrap())
    });
    Server { process, address }
}

/// Sends a request over a connection of its own, and reads the answer to its end.
fn ask(server: &Server, key: &str, call: &str, body: &Value) -> String {
    let body = body.to_string();
    let mut stream = TcpStream::connect(server.address).unwrap();
    let request = format!(
        "{call} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {key}\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn every_fact_is_learned_once_however_often_the_server_is_killed() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let double = runtime.block_on(Double::answering(script));
    let sandbox = Sandbox::new();
    let mut key = String::new();
    for round in 0..rounds() {
        let mut server = start(&sandbox, &double.url);
        if key.is_empty() {
            let keys: Value =
                serde_json::from_slice(&fs::read(sandbox.data().join("keys.json")).unwrap()).unwrap();
            key = keys["local"].as_str().unwrap().to_owned();
        }
        let said = json!({ "message": format!("my favourite number {round} is n{round}") });
        let reply = ask(&server, &key, "POST /api/chat", &said);
        assert!(reply.contains("Noted."), "{reply}");
        // Anywhere between the reply and what follows from it.
        thread::park_timeout(Duration::from_millis((round % 10) as u64));
        server.process.kill().unwrap();
        server.process.wait().unwrap();
    }
    let mut server = start(&sandbox, &double.url);
    let learned = until("what was said", || {
        let page = ask(&server, &key, "GET /v1/memories?limit=500", &Value::Null);
        let count = page.matches("my favourite number").count();
        // Each is there as content and as evidence.
        (2 * rounds() <= count).then_some(page)
    });
    server.process.kill().unwrap();
    server.process.wait().unwrap();
    for round in 0..rounds() {
        let content = format!("\"content\":\"my favourite number {round} is n{round}\"");
        assert_eq!(learned.matches(&content).count(), 1, "{content} in {learned}");
    }
}
