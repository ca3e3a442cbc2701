//! The audit log as a stream.

use axum::body::Body;
use axum::http::Request;
use futures::StreamExt;
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::stage::Stage;

async fn learned(stage: &Stage, content: &str) -> Value {
    let body = json!({"content": content});
    stage.put("POST /v1/memories", body).await.ok(201)["memory"].clone()
}

/// Reads what a stream of events sends until it holds `wanted`.
async fn read_until(body: &mut axum::body::BodyDataStream, wanted: &str) -> String {
    let mut text = String::new();
    while !text.contains(wanted) {
        let piece = body.next().await.expect("the stream goes on").unwrap();
        text.push_str(std::str::from_utf8(&piece).unwrap());
    }
    text
}

async fn follow(stage: &Stage, last: Option<&str>) -> axum::body::BodyDataStream {
    let mut request =
        Request::get("/v1/events/stream").header("authorization", format!("Bearer {}", stage.ana));
    if let Some(last) = last {
        request = request.header("last-event-id", last);
    }
    let request = request.body(Body::empty()).unwrap();
    let response = stage.router.clone().oneshot(request).await.unwrap();
    assert_eq!(response.status(), 200);
    response.into_body().into_data_stream()
}

#[tokio::test]
async fn the_log_is_followed_from_now_on_and_goes_on_after_a_break() {
    let stage = Stage::new().await;
    learned(&stage, "Before anybody looked").await;
    let mut stream = follow(&stage, None).await;
    read_until(&mut stream, ": following").await;
    let tea = learned(&stage, "Likes tea").await;
    let told = read_until(&mut stream, tea["id"].as_str().unwrap()).await;
    assert_eq!(told.matches("event: change").count(), 1, "{told}");
    let place = told
        .lines()
        .find_map(|line| line.strip_prefix("id: "))
        .unwrap()
        .to_owned();
    drop(stream);

    let missed = [
        learned(&stage, "Has a dog").await,
        learned(&stage, "Has a cat").await,
    ];
    let mut again = follow(&stage, Some(&place)).await;
    let told = read_until(&mut again, missed[1]["id"].as_str().unwrap()).await;
    assert!(
        told.find(missed[0]["id"].as_str().unwrap()).unwrap()
            < told.find(missed[1]["id"].as_str().unwrap()).unwrap()
    );
    assert!(!told.contains(tea["id"].as_str().unwrap()), "{told}");
    let listed = stage.get("GET /v1/events?limit=1").await.ok(200);
    assert!(told.contains(&format!("id: {}", listed["events"][0]["place"].as_str().unwrap())));
    let bad = [("last-event-id", "soon")];
    let refused = stage.ask(&stage.ana, "GET /v1/events/stream", &bad, None).await;
    refused.refused(400, "invalid_request");
}

#[tokio::test]
async fn a_stream_ends_when_its_key_is_revoked() {
    let stage = Stage::new().await;
    let mut stream = follow(&stage, None).await;
    read_until(&mut stream, ": following").await;
    let keys = stage
        .ask(&stage.admin, "GET /v1/admin/keys", &[], None)
        .await
        .ok(200);
    let anas = keys["keys"]
        .as_array()
        .unwrap()
        .iter()
        .find(|key| key["user"] == "ana")
        .unwrap()["id"]
        .clone();
    let revoke = format!("DELETE /v1/admin/keys/{}", anas.as_str().unwrap());
    stage.ask(&stage.admin, &revoke, &[], None).await.ok(204);
    let mut rest = String::new();
    while let Some(piece) = stream.next().await {
        rest.push_str(std::str::from_utf8(&piece.unwrap()).unwrap());
    }
    assert!(!rest.contains("event: change"), "{rest}");
}

#[tokio::test]
async fn a_client_that_missed_too_much_is_told_of_the_gap() {
    let stage = Stage::new().await;
    let body: Vec<Value> = (0..1_000)
        .map(|number| json!({"role": "user", "content": format!("message {number}")}))
        .collect();
    for conversation in ["a", "b"] {
        let call = format!("POST /v1/conversations/{conversation}/messages");
        stage.put(&call, json!({"messages": body})).await.ok(201);
    }
    let mut stream = follow(&stage, Some("0.0")).await;
    let told = read_until(&mut stream, "event: change").await;
    assert!(told.contains("event: gap"), "{}", &told[..200]);
    assert!(told.matches("event: change").count() <= 1_000);
}
