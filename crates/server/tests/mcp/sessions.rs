//! A session id is no credential, and a session is there for its owner alone.

use http::Method;
use serde_json::json;

use crate::bare::Bare;
use crate::stage::{Stage, initialize, list_tools};

const SESSION: &str = "mcp-session-id";

/// Opens a session and gives its id.
async fn open(stage: &Stage, key: &str) -> String {
    let opened = stage.post(key, &initialize()).send().await;
    assert_eq!(opened.status, 200);
    let id = opened.headers[SESSION].to_str().unwrap().to_owned();
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert_eq!(
        stage.post(key, &ready).header(SESSION, &id).send().await.status,
        202
    );
    id
}

/// All that can be done with the session `id`.
fn uses(stage: &Stage, id: &str) -> [Bare; 3] {
    let bare = [
        stage.post_unknown(&list_tools()),
        stage.bare(Method::GET, "/mcp"),
        stage.bare(Method::DELETE, "/mcp"),
    ];
    bare.map(|request| request.header(SESSION, id))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_id_alone_opens_nothing() {
    let stage = Stage::new().await;
    let id = open(&stage, &stage.ana).await;
    for request in uses(&stage, &id) {
        assert_eq!(request.send().await.status, 401);
    }
    let own = stage
        .post(&stage.ana, &list_tools())
        .header(SESSION, &id)
        .send()
        .await;
    assert!(own.text().await.contains("search_memory"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_foreign_session_is_not_there() {
    let stage = Stage::new().await;
    let id = open(&stage, &stage.ana).await;
    for request in uses(&stage, &id).into_iter().chain(uses(&stage, "never")) {
        assert_eq!(request.key(&stage.bob).send().await.status, 404);
    }
    // What bob did to end it had no effect.
    let own = stage
        .post(&stage.ana, &list_tools())
        .header(SESSION, &id)
        .send()
        .await;
    assert_eq!(own.status, 200);
}

/// A request that claims to stand alone is not led into the session that it names.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn claiming_the_other_era_leads_into_no_session() {
    let stage = Stage::new().await;
    let id = open(&stage, &stage.ana).await;
    let mut message = initialize();
    message["params"]["protocolVersion"] = json!("2026-07-28");
    let request = stage.post(&stage.bob, &message).header(SESSION, &id);
    let answer = request.header("mcp-protocol-version", "2026-07-28").send().await;
    // It is answered as if no session had been named: with one of bob's own.
    let opened = answer.headers[SESSION].to_str().unwrap();
    assert_ne!(opened, id);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_ended_session_is_not_there() {
    let stage = Stage::new().await;
    let id = open(&stage, &stage.ana).await;
    let [after, _, end] = uses(&stage, &id).map(|request| request.key(&stage.ana));
    assert_eq!(end.send().await.status, 204);
    assert_eq!(after.send().await.status, 404);
}
