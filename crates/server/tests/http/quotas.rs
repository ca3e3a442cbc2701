//! What one user may store and write, on every door.

use std::sync::Arc;

use recalld_memory::quota::StorageQuota;
use recalld_memory::settings::Settings;
use recalld_server::Limits;
use recalld_store::SqliteStore;
use serde_json::{Value, json};

use crate::stage::Stage;

/// A service where a user may store two memories of together 40 bytes.
async fn small() -> Stage {
    let quota = StorageQuota {
        memories_max: Some(2),
        bytes_max: Some(40),
    };
    let settings = Settings {
        quota,
        ..Settings::default()
    };
    Stage::set(
        Arc::new(SqliteStore::in_memory().unwrap()),
        Limits::default(),
        None,
        settings,
    )
    .await
}

fn memory(content: &str) -> Value {
    json!({ "content": content })
}

#[tokio::test]
async fn a_full_user_is_told_so_and_can_make_room() {
    let stage = small().await;
    let first = stage.put("POST /v1/memories", memory("Likes tea")).await.ok(201);
    stage
        .put("POST /v1/memories", memory("Lives in Porto"))
        .await
        .ok(201);
    let refused = stage.put("POST /v1/memories", memory("Sails")).await;
    refused.refused(413, "quota_exceeded");
    assert!(refused.text.contains("(2)"), "{}", refused.text);
    // A repetition stores nothing, and others have room of their own.
    stage.put("POST /v1/memories", memory("Likes tea")).await.ok(200);
    let bob = stage
        .ask(&stage.bob, "POST /v1/memories", &[], Some(memory("Sails")))
        .await;
    bob.ok(201);
    let path = format!("/v1/memories/{}", first["memory"]["id"].as_str().unwrap());
    let long = memory("Likes green tea from the Azores, with a little honey");
    stage
        .put(&format!("PATCH {path}"), long)
        .await
        .refused(413, "quota_exceeded");
    stage
        .put(&format!("PATCH {path}"), memory("Likes milk"))
        .await
        .ok(200);
    stage.get(&format!("DELETE {path}?erase=true")).await;
    stage.put("POST /v1/memories", memory("Sails")).await.ok(201);
}

#[tokio::test]
async fn the_quota_holds_on_every_door_that_stores_memories() {
    let stage = small().await;
    for content in ["Likes tea", "Lives in Porto"] {
        stage.put("POST /v1/memories", memory(content)).await.ok(201);
    }
    let key = json!({"key": "role", "value": "Nurse", "category": "work_context", "durability": "durable"});
    for (call, body) in [
        ("POST /v1/memories", memory("Sails")),
        ("POST /v1/tools/store_memory", memory("Sails")),
        ("POST /v1/tools/write_memory", key),
    ] {
        let reply = stage.put(call, body).await;
        assert_eq!(
            (reply.status, reply.json()["code"].as_str()),
            (413, Some("quota_exceeded")),
            "{call}"
        );
    }
    let import = stage
        .send_bytes(
            &stage.ana,
            "POST /v1/import?from=text",
            "text/plain",
            b"Sails\nSkis\n",
        )
        .await;
    assert!(!import.text.contains("\"stored\":2"), "{}", import.text);
    let stored = stage.get("GET /v1/memories").await.ok(200);
    assert_eq!(stored["total"], 2);
}

#[tokio::test]
async fn writes_in_a_minute_are_counted_over_all_keys_of_a_user() {
    let limits = Limits {
        writes_per_minute_max: Some(3),
        ..Limits::default()
    };
    let stage = Stage::with(limits, None).await;
    let named = [("recalld-user", "ana")];
    stage.put("POST /v1/memories", memory("Likes tea")).await.ok(201);
    stage
        .put("POST /v1/tools/store_memory", memory("Lives in Porto"))
        .await
        .ok(200);
    stage
        .ask(&stage.service, "POST /v1/memories", &named, Some(memory("Skis")))
        .await
        .ok(201);
    for (key, call) in [
        (&stage.ana, "POST /v1/memories"),
        (&stage.ana, "POST /v1/tools/store_memory"),
        (&stage.service, "POST /v1/memories"),
        (&stage.ana, "POST /v1/interactions"),
    ] {
        let headers = if key == &stage.ana { &[][..] } else { &named[..] };
        let reply = stage.ask(key, call, headers, Some(memory("Sails"))).await;
        reply.refused(429, "rate_limited");
        assert!(!reply.header("retry-after").is_empty());
    }
    let door = stage.put("POST /openai/v1/chat/completions", json!({})).await;
    assert_eq!(door.status, 429, "{}", door.text);
    // Reading goes on, and so does everybody else.
    stage
        .put("POST /v1/search", json!({"query": "tea"}))
        .await
        .ok(200);
    stage
        .ask(&stage.bob, "POST /v1/memories", &[], Some(memory("Sails")))
        .await
        .ok(201);
}
