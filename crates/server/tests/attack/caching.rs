//! No cache on the way may store what belongs to a user.

use recalld_server::Limits;
use serde_json::json;

use crate::stage::Stage;

#[tokio::test]
async fn answers_with_user_data_forbid_storing() {
    let stage = Stage::new(Limits::default()).await;
    let key = stage.as_ana();
    let headers = [("authorization", key.as_str()), ("host", "localhost")];
    let stored = stage
        .ask(
            "POST /v1/memories",
            &headers,
            Some(json!({"content": "Ana likes tea"})),
        )
        .await;
    assert_eq!((stored.status, stored.header("cache-control")), (201, "no-store"));
    for call in [
        "GET /v1/memories",
        "GET /v1/document",
        "GET /v1/export",
        "GET /v1/files/MEMORY.md",
        "GET /openai/v1/models",
        "POST /mcp",
        "POST /api/chat",
    ] {
        let reply = stage.ask(call, &headers, None).await;
        assert_eq!(reply.header("cache-control"), "no-store", "{call}");
    }
}

#[tokio::test]
async fn what_everybody_may_see_can_be_cached() {
    let stage = Stage::new(Limits::default()).await;
    let reply = stage.ask("GET /openapi.json", &[], None).await;
    assert_eq!((reply.status, reply.header("cache-control")), (200, ""));
}
