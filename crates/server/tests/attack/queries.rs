//! A parameter that a route does not know is refused: whoever sends `?user_id=` believes that it
//! chooses the user.

use recalld_server::Limits;
use serde_json::{Value, json};

use crate::stage::Stage;

/// The calls of all described operations, with their path parameters filled in.
async fn calls(stage: &Stage) -> Vec<String> {
    let api = stage.ask("GET /openapi.json", &[], None).await.body;
    let mut calls = Vec::new();
    for (path, item) in api["paths"].as_object().unwrap() {
        let path: Vec<&str> = path
            .split('/')
            .map(|part| if part.starts_with('{') { "x" } else { part })
            .collect();
        let methods = item.as_object().unwrap().keys();
        calls.extend(methods.map(|method| format!("{} {}", method.to_uppercase(), path.join("/"))));
    }
    calls
}

fn body_of(call: &str) -> Option<Value> {
    let has_body = ["POST ", "PUT ", "PATCH "]
        .iter()
        .any(|method| call.starts_with(method));
    has_body.then(|| json!({}))
}

#[tokio::test]
async fn an_unknown_parameter_is_refused_on_every_route() {
    let stage = Stage::new(Limits::default()).await;
    let key = format!("Bearer {}", stage.admin);
    let headers = [("authorization", key.as_str()), ("recalld-user", "ana")];
    let calls = calls(&stage).await;
    assert!(45 < calls.len());
    for call in calls {
        let body = body_of(&call);
        let reply = stage.ask(&format!("{call}?user_id=bob"), &headers, body).await;
        assert_eq!((reply.status, reply.code()), (400, "invalid_request"), "{call}");
        let detail = reply.body["detail"].as_str().unwrap();
        assert!(detail.contains("user_id"), "{call}: {detail}");
    }
    for call in [
        "GET /health/live",
        "GET /metrics",
        "GET /openapi.json",
        "GET /openai/v1/models",
    ] {
        let reply = stage.ask(&format!("{call}?user_id=bob"), &headers, None).await;
        assert_eq!(reply.status, 400, "{call}");
    }
}

#[tokio::test]
async fn known_parameters_and_none_are_accepted() {
    let stage = Stage::new(Limits::default()).await;
    let key = stage.as_ana();
    let headers = [("authorization", key.as_str())];
    for call in [
        "GET /v1/memories",
        "GET /v1/memories?limit=1",
        "GET /v1/document?",
    ] {
        assert_eq!(stage.ask(call, &headers, None).await.status, 200, "{call}");
    }
}
