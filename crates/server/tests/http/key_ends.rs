//! Keys end: by expiry, and by rotation with an overlap.

use jiff::SignedDuration;
use recalld_testing::clock::opening;
use serde_json::{Value, json};

use crate::stage::Stage;

async fn asked(stage: &Stage, call: &str, body: Value) -> Value {
    stage.ask(&stage.admin, call, &[], Some(body)).await.ok(201)
}

async fn listed(stage: &Stage, id: &str) -> Value {
    let keys = stage
        .ask(&stage.admin, "GET /v1/admin/keys", &[], None)
        .await
        .ok(200);
    let keys = keys["keys"].as_array().unwrap().clone();
    keys.into_iter().find(|key| key["id"] == id).unwrap()
}

#[tokio::test]
async fn an_expired_key_is_refused_and_says_so() {
    let stage = Stage::new().await;
    let end = opening() + SignedDuration::from_secs(30);
    let new = json!({"kind": "user", "user": "ana", "expires_at": end.to_string()});
    let made = asked(&stage, "POST /v1/admin/keys", new).await;
    let key = made["key"].as_str().unwrap();
    stage.ask(key, "GET /v1/memories", &[], None).await.ok(200);
    stage.advance(60);
    let reply = stage.ask(key, "GET /v1/memories", &[], None).await;
    reply.refused(401, "unauthenticated");
    assert!(reply.text.contains("expired"), "{}", reply.text);
    let shown = listed(&stage, made["id"].as_str().unwrap()).await;
    assert_eq!(shown["expires_at"], json!(end.to_string()));
}

#[tokio::test]
async fn a_rotated_key_works_beside_the_new_one_for_a_while() {
    let stage = Stage::new().await;
    let new = json!({"kind": "user", "user": "ana", "name": "phone", "scopes": ["read"]});
    let old = asked(&stage, "POST /v1/admin/keys", new).await;
    let (id, old_key) = (old["id"].as_str().unwrap(), old["key"].as_str().unwrap());
    let rotate = format!("POST /v1/admin/keys/{id}/rotate");
    let fresh = asked(&stage, &rotate, json!({"overlap_s": 600})).await;
    let (new_id, new_key) = (fresh["id"].as_str().unwrap(), fresh["key"].as_str().unwrap());
    assert_ne!(old_key, new_key);
    for key in [old_key, new_key] {
        stage.ask(key, "GET /v1/memories", &[], None).await.ok(200);
        let write = stage
            .ask(key, "POST /v1/memories", &[], Some(json!({"content": "x"})))
            .await;
        write.refused(403, "forbidden");
    }
    let shown = listed(&stage, new_id).await;
    assert_eq!(
        (&shown["name"], &shown["scopes"]),
        (&json!("phone"), &json!(["read"]))
    );
    stage.advance(700);
    stage
        .ask(old_key, "GET /v1/memories", &[], None)
        .await
        .refused(401, "unauthenticated");
    stage.ask(new_key, "GET /v1/memories", &[], None).await.ok(200);
    let again = stage.ask(&stage.admin, &rotate, &[], Some(json!({}))).await;
    again.refused(404, "not_found");
}

#[tokio::test]
async fn a_rotation_that_makes_no_sense_changes_nothing() {
    let stage = Stage::new().await;
    let made = asked(&stage, "POST /v1/admin/keys", json!({"kind": "service"})).await;
    let id = made["id"].as_str().unwrap();
    let call = format!("POST /v1/admin/keys/{id}/rotate");
    for body in [
        json!({"overlap_s": 2_592_001}),
        json!({"overlap_s": -1}),
        json!({"overlap": 1}),
    ] {
        let reply = stage.ask(&stage.admin, &call, &[], Some(body)).await;
        assert_eq!(reply.status, 400, "{}", reply.text);
    }
    let unknown = "POST /v1/admin/keys/key_0/rotate";
    stage
        .ask(&stage.admin, unknown, &[], Some(json!({})))
        .await
        .refused(404, "not_found");
    stage
        .ask(&stage.service, &call, &[], Some(json!({})))
        .await
        .refused(403, "forbidden");
    assert_eq!(listed(&stage, id).await["expires_at"], Value::Null);
}
