//! The user as a whole: erased by themselves, or by whoever acts for them.

use serde_json::json;

use crate::stage::Stage;

#[tokio::test]
async fn who_is_erased_has_nothing_and_no_key_any_more() {
    let stage = Stage::new().await;
    let key = [("idempotency-key", "one")];
    let body = json!({"content": "Likes tea"});
    stage
        .ask(&stage.ana, "POST /v1/memories", &key, Some(body.clone()))
        .await
        .ok(201);
    stage
        .ask(&stage.bob, "POST /v1/memories", &key, Some(body))
        .await
        .ok(201);
    let seen = stage.get("DELETE /v1/me?dry_run=true").await.ok(200);
    assert!(seen["seal"].is_null());
    let receipt = stage.get("DELETE /v1/me").await.ok(200);
    assert_eq!(receipt["erased"], seen["erased"]);
    let rows = |kind: &str| {
        let kinds = receipt["erased"].as_array().unwrap();
        kinds.iter().find(|one| one["kind"] == kind).unwrap()["rows"].clone()
    };
    assert_eq!((rows("memories"), rows("keys")), (json!(1), json!(1)));
    assert_eq!(rows("records"), 1, "the receipt of the idempotent request");
    assert_eq!(receipt["seal"].as_str().unwrap().len(), 64);
    assert!(!receipt.to_string().contains("ana"));

    stage
        .get("GET /v1/memories")
        .await
        .refused(401, "unauthenticated");
    let ana = [("recalld-user", "ana")];
    let left = stage
        .ask(&stage.service, "GET /v1/memories", &ana, None)
        .await
        .ok(200);
    assert_eq!(left["memories"], json!([]));
    let events = stage
        .ask(&stage.service, "GET /v1/events", &ana, None)
        .await
        .ok(200);
    assert_eq!(events["events"], json!([]));
    let bobs = stage.ask(&stage.bob, "GET /v1/memories", &[], None).await.ok(200);
    assert_eq!(bobs["memories"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_service_erases_only_whom_it_names() {
    let stage = Stage::new().await;
    let body = json!({"content": "Likes tea"});
    stage.put("POST /v1/memories", body).await.ok(201);
    let nobody = stage.ask(&stage.service, "DELETE /v1/me", &[], None).await;
    nobody.refused(400, "invalid_request");
    let unknown = stage.get("DELETE /v1/me?user=bob").await;
    unknown.refused(400, "invalid_request");
    let bob = [("recalld-user", "bob")];
    stage
        .ask(&stage.service, "DELETE /v1/me", &bob, None)
        .await
        .ok(200);
    let anas = stage.get("GET /v1/memories").await.ok(200);
    assert_eq!(anas["memories"].as_array().unwrap().len(), 1);
}
