//! No level of the log shows what users store or ask.

use std::io;
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;
use recalld_server::Limits;
use serde_json::{Value, json};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

use crate::stage::Stage;

/// What was logged so far.
#[derive(Clone, Debug, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Log;

    fn make_writer(&'a self) -> Log {
        self.clone()
    }
}

/// Logs everything that recalld itself says, from now on.
fn log() -> &'static Log {
    static LOG: OnceLock<Log> = OnceLock::new();
    LOG.get_or_init(|| {
        let log = Log::default();
        tracing_subscriber::fmt()
            .with_env_filter(EnvFilter::new("recalld=trace"))
            .with_writer(log.clone())
            .try_init()
            .unwrap();
        log
    })
}

const CANARIES: [&str; 4] = [
    "canary-content-4711",
    "canary-query-4712",
    "canary-topic-4713",
    "sk-proj-canary4714canary4714canary4714canary4714",
];

fn mcp(name: &str, arguments: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": name, "arguments": arguments}})
}

#[tokio::test]
async fn contents_queries_and_refused_secrets_are_not_logged() {
    let log = log();
    let stage = Stage::new(Limits::default()).await;
    let key = stage.as_ana();
    let headers = [
        ("authorization", key.as_str()),
        ("host", "localhost"),
        ("accept", "application/json, text/event-stream"),
        ("mcp-protocol-version", "2026-07-28"),
    ];
    let [content, query, topic, secret] = CANARIES;
    let calls = [
        ("POST /v1/memories", json!({"content": content, "key": "seat"})),
        (
            "POST /v1/memories",
            json!({"content": format!("my key is {secret}")}),
        ),
        ("POST /v1/memories", json!({"content": content, "unknown": query})),
        ("POST /v1/search", json!({"query": query})),
        ("POST /v1/context", json!({"topic": topic})),
        ("PUT /v1/working-memory", json!({"note": content})),
        (
            "POST /v1/conversations/c1/messages",
            json!({"role": "user", "content": content}),
        ),
        (
            "POST /v1/tools/store_memory",
            json!({"content": content, "bad": query}),
        ),
        ("POST /api/chat", json!({"message": content})),
        ("POST /mcp", mcp("store_memory", json!({"content": content}))),
        (
            "POST /mcp",
            mcp("recall_memory", json!({"query": query, "wrong": secret})),
        ),
    ];
    for (call, body) in calls {
        stage.ask(call, &headers, Some(body)).await;
    }
    stage
        .ask(&format!("GET /v1/memories?category={query}"), &headers, None)
        .await;
    let text = String::from_utf8_lossy(&log.0.lock()).into_owned();
    assert!(text.contains("request served"), "the log is captured");
    for canary in CANARIES {
        let line = text.lines().find(|line| line.contains(canary));
        assert_eq!(line, None, "{canary}");
    }
}
