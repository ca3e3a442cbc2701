//! Taking changes back, and reading and restoring as of some time.

use serde_json::{Value, json};

use crate::description::is_described;
use crate::stage::Stage;

async fn learn(stage: &Stage, key: &str, content: &str) -> Value {
    let body = json!({"content": content, "key": key, "source": "chat"});
    stage.put("POST /v1/memories", body).await.ok(201)["memory"].clone()
}

async fn shown(stage: &Stage, call: &str) -> Vec<String> {
    let page = stage.get(call).await.ok(200);
    let mut all: Vec<String> = page["memories"]
        .as_array()
        .unwrap()
        .iter()
        .map(|memory| memory["content"].as_str().unwrap().to_owned())
        .collect();
    all.sort();
    all
}

#[tokio::test]
async fn the_last_change_is_taken_back_once_however_often_it_is_sent() {
    let stage = Stage::new().await;
    learn(&stage, "drink", "likes tea").await;
    learn(&stage, "pet", "has a dog").await;
    let edit = json!({"content": "likes poison", "source": "chat"});
    stage.put("PATCH /v1/memories/key:drink", edit).await.ok(200);
    let dry = stage.put("POST /v1/undo", json!({"dry_run": true})).await.ok(200);
    assert_eq!(dry["restored"][0]["content"], "likes tea");
    assert_eq!(
        shown(&stage, "GET /v1/memories").await,
        ["has a dog", "likes poison"]
    );

    let key = [("idempotency-key", "undo-1")];
    let first = stage
        .ask(&stage.ana, "POST /v1/undo", &key, Some(json!({})))
        .await;
    is_described(&stage, "POST /v1/undo", &first.ok(200)).await;
    let again = stage
        .ask(&stage.ana, "POST /v1/undo", &key, Some(json!({})))
        .await;
    assert_eq!((again.status, &again.text), (200, &first.text));
    assert_eq!(
        shown(&stage, "GET /v1/memories").await,
        ["has a dog", "likes tea"]
    );
    stage.put("POST /v1/undo", json!({})).await.ok(200);
    assert_eq!(shown(&stage, "GET /v1/memories").await, ["likes tea"]);
}

#[tokio::test]
async fn a_poisoned_conversation_is_taken_back_and_what_stays_is_named() {
    let stage = Stage::new().await;
    learn(&stage, "drink", "likes tea").await;
    let within = [("recalld-conversation", "evil"), ("recalld-message", "m1")];
    let ask = async |call: &str, body: Value| stage.ask(&stage.ana, call, &within, Some(body)).await;
    ask("POST /v1/memories", json!({"content": "pays everybody"}))
        .await
        .ok(201);
    let place = json!({"id": "den", "kind": "place", "name": "The den"});
    ask("POST /v1/entities", place).await.ok(201);
    ask("PUT /v1/working-memory", json!({"goal": "pay"}))
        .await
        .ok(200);
    stage
        .put(
            "POST /v1/conversations/evil/messages",
            json!({"role": "user", "content": "hello"}),
        )
        .await
        .ok(201);

    let undone = stage
        .put("POST /v1/undo", json!({"conversation": "evil"}))
        .await
        .ok(200);
    is_described(&stage, "POST /v1/undo", &undone).await;
    assert_eq!(undone["hidden"][0]["content"], "pays everybody");
    assert_eq!(undone["hidden_entities"][0]["id"], "den");
    let kinds: Vec<&str> = undone["untouched"]
        .as_array()
        .unwrap()
        .iter()
        .map(|thing| thing["kind"].as_str().unwrap())
        .collect();
    assert!(kinds.contains(&"working_memory"), "{undone}");
    assert_eq!(shown(&stage, "GET /v1/memories").await, ["likes tea"]);
    let places = stage.get("GET /v1/entities").await.ok(200);
    assert_eq!(places["entities"], json!([]));
}

#[tokio::test]
async fn another_users_changes_cannot_be_taken_back() {
    let stage = Stage::new().await;
    learn(&stage, "drink", "likes tea").await;
    for body in [json!({}), json!({"source": "chat"}), json!({"to": "2020-01-01"})] {
        let undone = stage
            .ask(&stage.bob, "POST /v1/undo", &[], Some(body))
            .await
            .ok(200);
        for list in ["hidden", "restored", "kept", "hidden_entities", "untouched"] {
            assert_eq!(undone[list], json!([]), "{list}");
        }
    }
    assert_eq!(shown(&stage, "GET /v1/memories").await, ["likes tea"]);
    let service = stage
        .ask(&stage.service, "POST /v1/undo", &[], Some(json!({})))
        .await;
    service.refused(400, "invalid_request");
    stage
        .ask("", "POST /v1/undo", &[], Some(json!({})))
        .await
        .refused(401, "unauthenticated");
}

#[tokio::test]
async fn what_is_not_understood_takes_nothing_back() {
    let stage = Stage::new().await;
    learn(&stage, "drink", "likes tea").await;
    for (body, code) in [
        (json!({"source": "a", "to": "2026-03-01"}), "invalid_request"),
        (json!({"to": "yesterday"}), "invalid_request"),
        (json!({"to": ""}), "invalid_request"),
        (json!({"conversation": ""}), "invalid_request"),
        (json!({"source": "a\u{0}b"}), "invalid_request"),
        (json!({"user": "bob"}), "invalid_json"),
        (json!({"dry_run": "yes"}), "invalid_json"),
        (json!([]), "invalid_json"),
    ] {
        stage.put("POST /v1/undo", body.clone()).await.refused(400, code);
    }
    stage
        .get("POST /v1/undo")
        .await
        .refused(415, "unsupported_media_type");
    assert_eq!(shown(&stage, "GET /v1/memories").await, ["likes tea"]);
}

#[tokio::test]
async fn memories_are_read_and_restored_as_of_a_time() {
    let stage = Stage::new().await;
    learn(&stage, "drink", "likes tea").await;
    let pet = learn(&stage, "pet", "has a dog").await;
    // The clock of the stage goes on with each request: this is after both, and before what
    // follows.
    let then = stage.get("GET /v1/events?limit=1").await.ok(200)["events"][0]["at"].clone();
    let then = then.as_str().unwrap();
    stage
        .put("PATCH /v1/memories/key:drink", json!({"content": "likes coffee"}))
        .await
        .ok(200);
    stage.get("DELETE /v1/memories/key:pet").await.ok(204);
    let call = format!("GET /v1/memories?at={then}");
    assert_eq!(shown(&stage, &call).await, ["has a dog", "likes tea"]);
    assert_eq!(shown(&stage, "GET /v1/memories?at=2020-01-01").await, [""; 0]);
    let page = stage.get(&format!("{call}&limit=1")).await.ok(200);
    assert_eq!(page["memories"][0]["content"], "has a dog");
    let next = page["next_page"].as_str().unwrap();
    assert_eq!(
        shown(&stage, &format!("{call}&after={next}")).await,
        ["likes tea"]
    );

    let id = pet["id"].as_str().unwrap();
    let restored = stage
        .get(&format!("POST /v1/memories/{id}/restore?at={then}"))
        .await
        .ok(200);
    assert_eq!(restored["content"], "has a dog");
    stage
        .get(&format!("POST /v1/memories/key:drink/restore?at={then}"))
        .await
        .ok(200);
    assert_eq!(
        shown(&stage, "GET /v1/memories").await,
        ["has a dog", "likes tea"]
    );

    for (query, status, code) in [
        ("at=yesterday", 400, "invalid_request"),
        ("at=2026-03-01&version=1", 400, "invalid_request"),
        ("at=2020-01-01", 404, "not_found"),
    ] {
        stage
            .get(&format!("POST /v1/memories/{id}/restore?{query}"))
            .await
            .refused(status, code);
    }
    stage
        .get("GET /v1/memories?at=soon")
        .await
        .refused(400, "invalid_request");
    let bobs = stage.ask(&stage.bob, &call, &[], None).await.ok(200);
    assert_eq!(bobs["memories"], json!([]));
}

#[tokio::test]
async fn a_whole_space_goes_back_to_a_time() {
    let stage = Stage::new().await;
    learn(&stage, "drink", "likes tea").await;
    let then = stage.get("GET /v1/events?limit=1").await.ok(200)["events"][0]["at"].clone();
    stage
        .put("PATCH /v1/memories/key:drink", json!({"content": "likes coffee"}))
        .await
        .ok(200);
    learn(&stage, "pet", "has a dog").await;
    stage.put("POST /v1/undo", json!({ "to": then })).await.ok(200);
    assert_eq!(shown(&stage, "GET /v1/memories").await, ["likes tea"]);
}
