//! Requests that are sent twice and carried out once.

use std::sync::Arc;
use std::time::{Duration, Instant};

use recalld_memory::id::{SpaceId, UserId};
use recalld_memory::ports::Store;
use recalld_memory::record::RecordKind;
use recalld_server::Limits;
use recalld_store::SqliteStore;
use serde_json::json;

use crate::stage::Stage;

/// How long what was begun may take to come to its end.
const SETTLED: Duration = Duration::from_secs(60);

const KEY: [(&str, &str); 1] = [("idempotency-key", "order-1")];

#[tokio::test]
async fn the_same_request_again_gives_the_first_answer() {
    let stage = Stage::new().await;
    for (call, body) in [
        ("POST /v1/memories", json!({"content": "Likes tea"})),
        ("POST /v1/conversations", json!({})),
        (
            "POST /v1/conversations/c/messages",
            json!({"role": "user", "content": "hello"}),
        ),
        ("POST /v1/tools/store_memory", json!({"content": "Likes cake"})),
        (
            "POST /v1/interactions",
            json!({"interactions": [{"type": "save"}, {"type": "save"}]}),
        ),
    ] {
        let key = [("idempotency-key", call)];
        let first = stage.ask(&stage.ana, call, &key, Some(body.clone())).await;
        let second = stage.ask(&stage.ana, call, &key, Some(body)).await;
        assert_eq!((first.status, &first.text), (second.status, &second.text));
        assert_eq!(
            (
                first.header("idempotency-replayed"),
                second.header("idempotency-replayed")
            ),
            ("", "true")
        );
        assert_eq!(first.header("etag"), second.header("etag"));
    }
    assert_eq!(
        stage.get("GET /v1/memories").await.ok(200)["memories"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    let said = stage.get("GET /v1/conversations/c/messages").await.ok(200);
    assert_eq!(said["messages"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_key_is_for_one_request_of_one_user() {
    let stage = Stage::new().await;
    let call = "POST /v1/memories";
    stage
        .ask(&stage.ana, call, &KEY, Some(json!({"content": "Likes tea"})))
        .await
        .ok(201);
    let other = stage
        .ask(&stage.ana, call, &KEY, Some(json!({"content": "Likes cake"})))
        .await;
    other.refused(422, "idempotency_key_reused");
    let bobs = stage
        .ask(&stage.bob, call, &KEY, Some(json!({"content": "Likes cake"})))
        .await;
    assert_eq!(bobs.ok(201)["memory"]["content"], "Likes cake");
    let empty = [("idempotency-key", " ")];
    stage
        .ask(&stage.ana, call, &empty, Some(json!({"content": "x"})))
        .await
        .refused(400, "invalid_request");
}

#[tokio::test]
async fn a_request_that_was_refused_may_be_mended() {
    let stage = Stage::new().await;
    stage
        .ask(
            &stage.ana,
            "POST /v1/memories",
            &KEY,
            Some(json!({"content": " "})),
        )
        .await
        .refused(400, "invalid_request");
    stage
        .ask(
            &stage.ana,
            "POST /v1/memories",
            &KEY,
            Some(json!({"content": "Likes tea"})),
        )
        .await
        .ok(201);
}

#[tokio::test]
async fn a_question_is_answered_afresh() {
    let stage = Stage::new().await;
    let ask = async || {
        stage
            .ask(&stage.ana, "POST /v1/search", &KEY, Some(json!({"query": "tea"})))
            .await
            .ok(200)
    };
    assert_eq!(ask().await["results"], json!([]));
    stage
        .put("POST /v1/memories", json!({"content": "Likes tea"}))
        .await
        .ok(201);
    assert_eq!(ask().await["results"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn many_at_once_make_one() {
    let stage = Arc::new(Stage::new().await);
    let send = |stage: Arc<Stage>| async move {
        let body = json!({"role": "user", "content": "hello"});
        stage
            .ask(&stage.ana, "POST /v1/conversations/c/messages", &KEY, Some(body))
            .await
            .text
    };
    let tasks: Vec<_> = (0..8).map(|_| tokio::spawn(send(Arc::clone(&stage)))).collect();
    let mut answers = Vec::new();
    for task in tasks {
        answers.push(task.await.unwrap());
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:?}");
}

#[tokio::test]
async fn the_first_answer_outlives_a_restart() {
    let directory = tempfile::tempdir().unwrap();
    let body = || Some(json!({"content": "Likes tea"}));
    let mut answers = Vec::new();
    for _ in 0..2 {
        let store = Arc::new(SqliteStore::open(directory.path()).unwrap());
        let stage = Stage::on(Arc::clone(&store), Limits::default(), None).await;
        answers.push(
            stage
                .ask(&stage.ana, "POST /v1/memories", &KEY, body())
                .await
                .text,
        );
        let memories = stage.get("GET /v1/memories").await.ok(200);
        assert_eq!(memories["memories"].as_array().unwrap().len(), 1);
        drop(stage);
        // Notes about keys may still be on their way to the store.
        let until = Instant::now() + SETTLED;
        while 1 < Arc::strong_count(&store) {
            assert!(Instant::now() < until, "somebody still holds the store");
            tokio::task::yield_now().await;
        }
    }
    assert_eq!(answers[0], answers[1]);
}

#[tokio::test]
async fn what_was_erased_is_not_told_again_nor_brought_back() {
    let stage = Stage::new().await;
    let tell = async |call: &str, key: &str, body: serde_json::Value| {
        stage
            .ask(&stage.ana, call, &[("idempotency-key", key)], Some(body))
            .await
    };
    let memory = json!({"content": "Ana tends roses", "key": "garden"});
    let message = json!({"id": "m1", "role": "user", "content": "My roses bloom"});
    let say = "POST /v1/conversations/c/messages";
    tell("POST /v1/memories", "k1", memory.clone()).await.ok(201);
    tell(
        "POST /v1/tools/store_memory",
        "k2",
        json!({"content": "Ana likes tea"}),
    )
    .await
    .ok(200);
    tell(say, "k3", message.clone()).await.ok(201);
    tell(say, "k4", json!({"id": "m2", "role": "user", "content": "Bye"}))
        .await
        .ok(201);
    stage
        .get("DELETE /v1/memories/key:garden?erase=true")
        .await
        .ok(204);
    stage.get("DELETE /v1/conversations/c/messages/m1").await.ok(204);
    for (call, key, body) in [("POST /v1/memories", "k1", memory), (say, "k3", message)] {
        let again = tell(call, key, body).await;
        again.refused(422, "idempotency_key_reused");
        assert!(!again.text.contains("roses"), "{}", again.text);
    }
    let kept = tell(
        "POST /v1/tools/store_memory",
        "k2",
        json!({"content": "Ana likes tea"}),
    )
    .await;
    assert_eq!(kept.header("idempotency-replayed"), "true", "others are kept");
    stage.get("DELETE /v1/conversations/c").await.ok(200);
    tell(say, "k4", json!({"id": "m2", "role": "user", "content": "Bye"}))
        .await
        .refused(422, "idempotency_key_reused");
}

/// A memory and the answer about it are one write, so that no crash can come between them.
#[tokio::test]
async fn a_memory_and_its_receipt_are_stored_in_one_transaction() {
    let store = Arc::new(SqliteStore::in_memory().unwrap());
    let stage = Stage::on(Arc::clone(&store), Limits::default(), None).await;
    let ana = SpaceId::of_user(&UserId::new("ana").unwrap());
    let call = "POST /v1/memories";
    let said = ["Likes tea", "Likes cake", "Likes tea"];
    for (number, content) in said.into_iter().enumerate() {
        let key = format!("cup-{number}");
        let named = [("idempotency-key", key.as_str())];
        let body = || Some(json!({ "content": content }));
        let before = store.revision(&ana).await.unwrap();
        let first = stage.ask(&stage.ana, call, &named, body()).await;
        assert_eq!(first.status, if number < 2 { 201 } else { 200 });
        assert_eq!(store.revision(&ana).await.unwrap().0, before.0 + 1);
        let receipt = store.record(&ana, RecordKind::Receipt, &key).await.unwrap();
        assert_eq!(receipt.unwrap().value["body"], first.text);
        let again = stage.ask(&stage.ana, call, &named, body()).await;
        assert_eq!(again.header("idempotency-replayed"), "true");
        assert_eq!((again.status, &again.text), (first.status, &first.text));
        assert_eq!(again.header("etag"), first.header("etag"));
    }
    // What is refused leaves no receipt, and changes nothing.
    stage
        .ask(
            &stage.ana,
            call,
            &[],
            Some(json!({"content": "Drinks tea", "key": "drink"})),
        )
        .await
        .ok(201);
    let before = store.revision(&ana).await.unwrap();
    let refused = stage
        .ask(
            &stage.ana,
            call,
            &KEY,
            Some(json!({"content": "Drinks milk", "key": "drink"})),
        )
        .await;
    assert_eq!(refused.status, 409);
    assert_eq!(store.revision(&ana).await.unwrap(), before);
}
