//! What is too much is refused in time, and the answer says so.

use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use recalld_server::Limits;
use serde_json::json;

use crate::stage::Stage;

#[tokio::test]
async fn a_body_may_be_too_large_or_too_deep() {
    let stage = Stage::with(
        Limits {
            body_bytes_max: 1_000,
            ..Limits::default()
        },
        None,
    )
    .await;
    let call = "POST /v1/memories";
    stage
        .put(call, json!({"content": "x".repeat(2_000)}))
        .await
        .refused(413, "body_too_large");
    let keyed = [("idempotency-key", "k")];
    let large = Some(json!({"content": "x".repeat(2_000)}));
    stage
        .ask(&stage.ana, call, &keyed, large)
        .await
        .refused(413, "body_too_large");
    let document = json!({"source": "a.txt", "content": "word ".repeat(500)});
    stage
        .ask(&stage.admin, "POST /v1/knowledge", &[], Some(document))
        .await
        .ok(201);
    let deep = format!("{}{}", "[".repeat(100), "]".repeat(100));
    let request = Request::put("/v1/working-memory")
        .header("authorization", format!("Bearer {}", stage.ana))
        .header("content-type", "application/json")
        .body(Body::from(deep));
    stage.send(request.unwrap()).await.refused(400, "invalid_json");
}

#[tokio::test]
async fn a_caller_may_ask_too_often_and_only_that_one_waits() {
    let stage = Stage::with(
        Limits {
            per_key_second_max: 3,
            ..Limits::default()
        },
        None,
    )
    .await;
    let mut refused = None;
    for _ in 0..50 {
        let reply = stage.get("GET /v1/tools").await;
        if reply.status != 200 {
            refused = Some(reply);
            break;
        }
    }
    let refused = refused.expect("fifty calls take less than a second each third");
    refused.refused(429, "rate_limited");
    assert_eq!(refused.header("retry-after"), "1");
    stage.ask(&stage.bob, "GET /v1/tools", &[], None).await.ok(200);
}

#[tokio::test]
async fn a_server_that_is_full_says_so() {
    let stage = Stage::with(
        Limits {
            concurrent_max: 0,
            ..Limits::default()
        },
        None,
    )
    .await;
    let reply = stage.get("GET /v1/memories").await;
    reply.refused(503, "busy");
    assert_eq!(reply.header("retry-after"), "1");
}

#[tokio::test]
async fn a_body_that_never_ends_is_given_up() {
    let limits = Limits {
        body_timeout: Duration::from_millis(20),
        ..Limits::default()
    };
    let stage = Stage::with(limits, None).await;
    let endless = Body::from_stream(futures_pending());
    let request = Request::post("/v1/memories")
        .header("authorization", format!("Bearer {}", stage.ana))
        .header("content-type", "application/json")
        .body(endless);
    stage.send(request.unwrap()).await.refused(408, "timeout");
}

/// A body of which nothing ever arrives.
fn futures_pending() -> impl futures::Stream<Item = Result<&'static [u8], std::io::Error>> {
    futures::stream::pending()
}

#[tokio::test]
async fn another_method_is_told_the_right_ones() {
    let stage = Stage::new().await;
    let reply = stage.get("PUT /v1/memories").await;
    reply.refused(405, "method_not_allowed");
    assert_eq!(reply.header("allow"), "POST,GET,HEAD");
    stage.get("GET /v2").await.refused(404, "not_found");
}

#[tokio::test]
async fn every_answer_has_an_id() {
    let stage = Stage::new().await;
    let own = stage
        .ask(&stage.ana, "GET /v1/tools", &[("x-request-id", "abc-1")], None)
        .await;
    assert_eq!(own.header("x-request-id"), "abc-1");
    let hostile = stage
        .ask(&stage.ana, "GET /v1/tools", &[("x-request-id", "a b\"{}")], None)
        .await;
    assert_eq!(hostile.header("x-request-id").len(), 36);
}

#[tokio::test]
async fn a_page_of_another_origin_is_not_let_in_unless_it_is_named() {
    let origin = [
        ("origin", "https://app.example"),
        ("access-control-request-method", "POST"),
    ];
    let closed = Stage::new().await;
    let reply = closed.ask("", "OPTIONS /v1/memories", &origin, None).await;
    assert_eq!(reply.header("access-control-allow-origin"), "");
    let limits = Limits {
        cors_origins: vec!["https://app.example".to_owned()],
        ..Limits::default()
    };
    let open = Stage::with(limits, None).await;
    let reply = open.ask("", "OPTIONS /v1/memories", &origin, None).await;
    assert_eq!(reply.header("access-control-allow-origin"), "https://app.example");
    let mcp = [("host", "localhost"), origin[0], origin[1]];
    let reply = open.ask("", "OPTIONS /mcp", &mcp, None).await;
    assert_eq!(reply.header("access-control-allow-origin"), "https://app.example");
    for name in [
        "authorization",
        "mcp-protocol-version",
        "mcp-session-id",
        "mcp-method",
        "mcp-name",
    ] {
        assert!(
            reply.header("access-control-allow-headers").contains(name),
            "{name}"
        );
    }
    let elsewhere = [("host", "localhost"), ("origin", "https://evil.example")];
    let reply = open.ask(&open.ana, "POST /mcp", &elsewhere, None).await;
    assert_eq!(
        (reply.status, reply.header("access-control-allow-origin")),
        (403, "")
    );
    let ours = [("host", "localhost"), origin[0]];
    let reply = open
        .ask(&open.ana, "POST /mcp", &ours, Some(serde_json::json!({})))
        .await;
    assert_ne!(reply.status, 403, "{}", reply.text);
    assert_eq!(reply.header("access-control-allow-origin"), "https://app.example");
    assert!(
        reply
            .header("access-control-expose-headers")
            .contains("mcp-session-id")
    );
}
