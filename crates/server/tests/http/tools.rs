//! Tools over HTTP.

use serde_json::{Value, json};

use crate::stage::Stage;

#[tokio::test]
async fn tools_are_listed_in_the_shape_that_is_asked_for() {
    let stage = Stage::new().await;
    let names = |tools: &Value, at: &str| -> Vec<String> {
        tools
            .as_array()
            .unwrap()
            .iter()
            .map(|tool| tool.pointer(at).unwrap().as_str().unwrap().to_owned())
            .collect()
    };
    let all = stage.get("GET /v1/tools").await.ok(200);
    assert!(names(&all, "/function/name").contains(&"get_user_context".to_owned()));
    let some = stage
        .get("GET /v1/tools?format=anthropic&sets=semantic,history")
        .await
        .ok(200);
    assert_eq!(
        names(&some, "/name"),
        [
            "update_memory",
            "delete_memory",
            "store_memory",
            "recall_memory",
            "get_conversation_history"
        ]
    );
    stage
        .get("GET /v1/tools?format=xml")
        .await
        .refused(400, "invalid_request");
    stage
        .get("GET /v1/tools?sets=dreams")
        .await
        .refused(400, "invalid_request");
}

#[tokio::test]
async fn a_call_is_answered_in_words_and_data() {
    let stage = Stage::new().await;
    let headers = [("recalld-conversation", "c1"), ("recalld-message", "m1")];
    let stored = json!({"content": "Ana is allergic to nuts"});
    let answer = stage
        .ask(&stage.ana, "POST /v1/tools/store_memory", &headers, Some(stored))
        .await
        .ok(200);
    assert!(answer["text"].is_string() && answer["data"]["outcome"].is_string());
    let memory = &stage.get("GET /v1/memories").await.ok(200)["memories"][0];
    assert_eq!(
        (&memory["conversation"], &memory["message"]),
        (&json!("c1"), &json!("m1"))
    );
    let id = memory["id"].as_str().unwrap();
    let history = stage.get(&format!("GET /v1/memories/{id}/history")).await.ok(200);
    let act = &history["versions"][0];
    assert_eq!(
        (&act["conversation"], &act["message"]),
        (&json!("c1"), &json!("m1"))
    );
    let recalled = stage
        .put("POST /v1/tools/recall_memory", json!({"query": "nuts"}))
        .await
        .ok(200);
    assert!(recalled["text"].as_str().unwrap().contains("allergic"));
    let unknown = stage.put("POST /v1/tools/fly", json!({})).await;
    unknown.refused(404, "not_found");
    assert!(unknown.json()["hint"].as_str().unwrap().contains("store_memory"));
    let missing = stage.put("POST /v1/tools/store_memory", json!({})).await;
    missing.refused(400, "invalid_request");
    assert!(missing.json()["detail"].as_str().unwrap().contains("content"));
    stage
        .put("POST /v1/tools/store_memory", json!([1]))
        .await
        .refused(400, "invalid_request");
}
