//! Servers without persistence: because the operator wants it, or because the database is away.

use std::time::{Duration, Instant};

use recalld_testing::postgres_server::PostgresServer;
use serde_json::{Value, json};

use crate::sandbox::Sandbox;
use crate::server_process::Server;

/// How long a server may take to find its database again.
const RECOVERY: Duration = Duration::from_secs(90);

fn ask(server: &Server, call: &str, body: &Value) -> (u16, Value) {
    let (status, answer) = server.ask(call, &[], &body.to_string());
    (status, serde_json::from_str(&answer).unwrap_or(Value::Null))
}

fn contents(server: &Server) -> Vec<String> {
    let (status, page) = ask(server, "GET /v1/memories", &Value::Null);
    assert_eq!(status, 200, "{page}");
    let items = page["memories"].as_array().unwrap().iter();
    let mut contents: Vec<String> = items
        .map(|memory| memory["content"].as_str().unwrap().to_owned())
        .collect();
    contents.sort();
    contents
}

#[test]
fn memory_serves_and_leaves_nothing_behind() {
    let sandbox = Sandbox::new();
    let server = Server::start_on(&sandbox, "127.0.0.1:0", &["--memory"]);
    let (status, written) = ask(&server, "POST /v1/memories", &json!({ "content": "likes tea" }));
    assert_eq!(status, 201, "{written}");
    assert_eq!(contents(&server), ["likes tea"]);
    let (_, health) = ask(&server, "GET /health/ready", &Value::Null);
    assert_eq!(health, json!({ "status": "ok", "persisted": false }));
    server.kill();
    assert!(!sandbox.data().exists(), "nothing is in the data directory");
    let server = Server::start_on(&sandbox, "127.0.0.1:0", &["--memory"]);
    assert_eq!(contents(&server), [""; 0]);
    let run = sandbox.run(&["add", "likes tea", "--memory", "--data", "x"]);
    assert_eq!(run.code, Some(2), "{run:?}");
}

#[test]
fn a_database_that_is_away_is_replaced_by_memory_and_gets_what_was_written() {
    let database = PostgresServer::start("");
    let sandbox = Sandbox::new();
    let address = database.address();
    let server = Server::start_on(&sandbox, "127.0.0.1:0", &["--database-url", &address]);
    assert_eq!(
        ask(&server, "POST /v1/memories", &json!({ "content": "likes tea" })).0,
        201
    );
    server.kill();
    database.kill();
    let run = sandbox.run(&["serve", "--listen", "127.0.0.1:0", "--database-url", &address]);
    assert_eq!(run.code, Some(1), "without the setting it ends: {run:?}");
    let options = ["--database-url", &address, "-o", "database.fallback=memory"];
    let server = Server::start_on(&sandbox, "127.0.0.1:0", &options);
    let (status, written) = ask(
        &server,
        "POST /v1/memories",
        &json!({ "content": "likes rain", "key": "weather" }),
    );
    assert_eq!((status, &written["persisted"]), (202, &json!(false)), "{written}");
    let working = ask(&server, "PUT /v1/working-memory", &json!({ "goal": "rest" }));
    assert_eq!((working.0, &working.1["persisted"]), (202, &json!(false)));
    assert_eq!(
        contents(&server),
        ["likes rain"],
        "what is stored is out of reach"
    );
    let (status, health) = ask(&server, "GET /health/ready", &Value::Null);
    assert_eq!((status, &health["status"]), (200, &json!("degraded")), "{health}");
    assert_eq!(health["persisted"], json!(false));
    database.launch("");
    let until = Instant::now() + RECOVERY;
    while ask(&server, "GET /health/ready", &Value::Null).1 != json!({ "status": "ok" }) {
        assert!(
            Instant::now() < until,
            "the server does not return to its database"
        );
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(contents(&server), ["likes rain", "likes tea"]);
    let (_, kept) = ask(&server, "GET /v1/working-memory", &Value::Null);
    assert_eq!(kept["value"], json!({ "goal": "rest" }), "{kept}");
    let (status, _) = ask(&server, "POST /v1/memories", &json!({ "content": "likes snow" }));
    assert_eq!(status, 201);
    server.kill();
    let server = Server::start_on(&sandbox, "127.0.0.1:0", &["--database-url", &address]);
    assert_eq!(contents(&server), ["likes rain", "likes snow", "likes tea"]);
}
