//! Whatever becomes of a request, its answer has what stands around all of them.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use jiff::Timestamp;
use recalld_agent::settings::AgentSettings;
use recalld_agent::wiring::AgentPorts;
use recalld_memory::ports::Clock;
use recalld_memory::settings::Settings;
use recalld_memory::wiring::Ports;
use recalld_server::{App, Limits, router};
use recalld_store::SqliteStore;
use recalld_testing::clock::TimeOrderedIds;
use serde_json::json;

use crate::stage::{Reply, Stage};

#[track_caller]
fn is_surrounded(reply: &Reply) {
    assert_eq!(reply.header("x-request-id").len(), 36);
    assert_eq!(reply.header("x-content-type-options"), "nosniff");
}

#[tokio::test]
async fn what_never_reaches_a_handler_has_an_id_too() {
    let stage = Stage::new().await;
    let no_route = stage.ask("", "GET /v2", &[], None).await;
    no_route.refused(404, "not_found");
    is_surrounded(&no_route);
    let no_method = stage.ask("", "PUT /v1/memories", &[], None).await;
    no_method.refused(405, "method_not_allowed");
    is_surrounded(&no_method);
    let no_key = stage.ask("", "GET /v1/memories", &[], None).await;
    no_key.refused(401, "unauthenticated");
    is_surrounded(&no_key);
}

/// A clock that fails whoever looks at it.
#[derive(Debug)]
struct BrokenClock;

impl Clock for BrokenClock {
    fn now(&self) -> Timestamp {
        panic!("the clock is broken");
    }
}

#[tokio::test]
async fn a_failure_inside_is_an_answer() {
    let mut stage = Stage::new().await;
    let store = Arc::new(SqliteStore::in_memory().unwrap());
    let ports = Ports::new(
        Arc::<SqliteStore>::clone(&store),
        Arc::new(BrokenClock),
        Arc::new(TimeOrderedIds),
        Settings::default(),
    );
    stage.router = router(App::new(
        AgentPorts::new(ports, AgentSettings::default()),
        store,
        Limits::default(),
    ));
    let reply = stage.get("GET /v1/memories").await;
    reply.refused(500, "internal");
    is_surrounded(&reply);
}

#[tokio::test]
async fn an_answer_that_is_not_ready_in_time_is_given_up() {
    let limits = Limits {
        request_timeout: Duration::from_millis(20),
        ..Limits::default()
    };
    let stage = Stage::with(limits, None).await;
    let silent = futures::stream::pending::<Result<&[u8], std::io::Error>>();
    let request = Request::post("/v1/memories")
        .header("authorization", format!("Bearer {}", stage.ana))
        .header("content-type", "application/json")
        .body(Body::from_stream(silent));
    let reply = stage.send(request.unwrap()).await;
    reply.refused(503, "overdue");
    assert_eq!(reply.header("retry-after"), "2");
    is_surrounded(&reply);
}

#[tokio::test]
async fn an_answer_is_compressed_for_whoever_accepts_that() {
    let stage = Stage::new().await;
    let ask = async |accepted: &[(&str, &str)]| {
        let reply = stage.ask(&stage.ana, "GET /v1/tools", accepted, None).await;
        assert_eq!(reply.header("vary"), "accept-encoding", "{accepted:?}");
        reply
    };
    let plain = ask(&[]).await;
    assert_eq!(plain.header("content-encoding"), "");
    assert_eq!(plain.header("content-length"), plain.bytes.len().to_string());
    let named = ask(&[("accept-encoding", "identity")]).await;
    assert_eq!(named.bytes, plain.bytes);
    let compressed = ask(&[("accept-encoding", "br, gzip;q=0.8")]).await;
    assert_eq!(compressed.header("content-encoding"), "gzip");
    assert_eq!(compressed.header("content-length"), "");
    assert_eq!(compressed.bytes[..2], [0x1f, 0x8b]);
    assert!(compressed.bytes.len() < plain.bytes.len());
    let refused = ask(&[("accept-encoding", "gzip;q=0")]).await;
    assert_eq!(refused.bytes, plain.bytes);
    let nothing = ask(&[("accept-encoding", "identity;q=0")]).await;
    assert_eq!(nothing.status, 406);
}

#[tokio::test]
async fn a_body_may_come_in_pieces() {
    let limits = Limits {
        body_bytes_max: 60,
        ..Limits::default()
    };
    let stage = Stage::with(limits, None).await;
    let send = async |pieces: &'static [&'static str]| {
        let pieces = pieces.iter().map(Ok::<_, std::io::Error>);
        let request = Request::post("/v1/memories")
            .header("authorization", format!("Bearer {}", stage.ana))
            .header("content-type", "application/json")
            .body(Body::from_stream(futures::stream::iter(
                pieces.map(|piece| piece.map(|piece| piece.as_bytes())),
            )));
        stage.send(request.unwrap()).await
    };
    let created = send(&["{\"content\": \"Ana", " lives ", "in Lisbon\"}"])
        .await
        .ok(201);
    assert_eq!(created["memory"]["content"], "Ana lives in Lisbon");
    send(&[
        "{\"content\": \"Ana lives in",
        " Lisbon, and has been there since",
        " 2019\"}",
    ])
    .await
    .refused(413, "body_too_large");
    send(&[]).await.refused(400, "invalid_json");
}

#[tokio::test]
async fn requests_are_counted_by_method_route_and_class() {
    let stage = Stage::new().await;
    stage.get("GET /v1/tools").await.ok(200);
    stage.get("HEAD /v1/tools").await.ok(200);
    stage.get("TRACE /v2").await.refused(404, "not_found");
    stage.put("TRACE /v1/tools/{name}", json!({})).await;
    let figures = stage.get("GET /metrics").await.text;
    let counted = |labels: &str| {
        let name = format!("recalld_http_requests_total{{{labels}}} ");
        let line = figures.lines().find_map(|line| line.strip_prefix(&name));
        line.map(|count| count.parse::<u64>().unwrap())
    };
    // Other tests of this process ask too, but none with TRACE.
    assert_eq!(
        counted(r#"method="TRACE",route="unmatched",status="4xx""#),
        Some(1)
    );
    assert_eq!(
        counted(r#"method="TRACE",route="/v1/tools/{name}",status="4xx""#),
        Some(1)
    );
    assert!(counted(r#"method="GET",route="/v1/tools",status="2xx""#).is_some());
    assert!(counted(r#"method="HEAD",route="/v1/tools",status="2xx""#).is_some());
}
