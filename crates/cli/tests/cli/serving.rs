//! `recalld serve` as a process: what it acknowledged survives, and other commands go through it.

use serde_json::{Value, json};

use crate::bench::Bench;
use crate::served::Server;

/// Remembers something under a key for repetition.
fn remember(server: &Server, once: &str, content: &str) -> (u16, Value) {
    let body = json!({"content": content, "key": "home"}).to_string();
    let (status, answer) = server.ask("POST /v1/memories", &[("idempotency-key", once)], &body);
    (status, serde_json::from_str(&answer).unwrap())
}

#[test]
fn after_a_kill_a_repeated_request_gets_its_first_answer_once() {
    let bench = Bench::new();
    let server = Server::start(&bench);
    let first = remember(&server, "k1", "Ana lives in Lisbon");
    assert_eq!((first.0, &first.1["outcome"]), (201, &json!("stored")));
    server.kill();
    let server = Server::start(&bench);
    assert_eq!(remember(&server, "k1", "Ana lives in Lisbon"), first);
    assert_eq!(remember(&server, "k1", "Ana lives in Porto").0, 422);
    let (_, listed) = server.ask("GET /v1/memories?showing=all", &[], "");
    let listed: Value = serde_json::from_str(&listed).unwrap();
    assert_eq!(listed["memories"].as_array().unwrap().len(), 1, "{listed}");
    server.kill();
    let server = Server::start(&bench);
    assert_eq!(remember(&server, "k1", "Ana lives in Lisbon"), first);
}

#[test]
fn erasing_asks_the_same_with_a_server_and_without() {
    let bench = Bench::new();
    bench.run(&["add", "Ana lives in Lisbon", "--key", "home"]);
    let without = bench.run(&["forget", "home", "--erase"]);
    let server = Server::start(&bench);
    let with = bench.run(&["forget", "home", "--erase"]);
    assert_eq!((with.code, &with.err), (without.code, &without.err));
    assert!(with.err.contains("--yes"), "{with:?}");
    let erased = bench.run(&["forget", "home", "--erase", "--yes"]);
    assert_eq!(erased.code, Some(0), "{erased:?}");
    let (status, _) = server.ask("GET /v1/memories/key:home", &[], "");
    assert_eq!(status, 404);
}
