//! The health of a memory, over HTTP.

use serde_json::json;

use crate::description::is_described;
use crate::stage::Stage;

#[tokio::test]
async fn findings_come_with_examples_and_suggestions_and_change_nothing() {
    let stage = Stage::new().await;
    for content in [
        "Bo drinks two cups of coffee daily",
        "Daily Bo drinks two cups of coffee",
        "The train leaves at nine",
    ] {
        stage
            .put("POST /v1/memories", json!({ "content": content }))
            .await
            .ok(201);
    }
    let before = stage.get("GET /v1/events").await.text;
    let report = stage.get("GET /v1/audit").await.ok(200);
    is_described(&stage, "GET /v1/audit", &report).await;
    assert_eq!((&report["memories"], &report["recalled"]), (&json!(3), &json!(0)));
    let finding = &report["findings"][0];
    assert_eq!(
        (&finding["kind"], &finding["count"]),
        (&json!("near_duplicate"), &json!(1))
    );
    let example = &finding["examples"][0];
    assert!(example["like"]["content"].as_str().unwrap().contains("coffee"));
    let id = example["memory"]["id"].as_str().unwrap();
    assert_eq!(example["suggestion"], format!("recalld forget {id}"));
    assert_eq!(stage.get("GET /v1/events").await.text, before);

    let bobs = stage.ask(&stage.bob, "GET /v1/audit", &[], None).await.ok(200);
    assert_eq!((&bobs["memories"], &bobs["findings"]), (&json!(0), &json!([])));
}

#[tokio::test]
async fn what_answers_a_question_counts_as_recalled() {
    let stage = Stage::new().await;
    for content in ["Likes tea", "Lives in Rome"] {
        stage
            .put("POST /v1/memories", json!({ "content": content }))
            .await
            .ok(201);
    }
    // To list or to read is not to recall.
    stage.get("GET /v1/memories").await.ok(200);
    stage.get("GET /v1/document").await.ok(200);
    assert_eq!(
        stage.get("GET /v1/audit").await.ok(200)["recalls_since"],
        json!(null)
    );
    stage
        .put("POST /v1/search", json!({"query": "tea"}))
        .await
        .ok(200);
    let report = stage.get("GET /v1/audit").await.ok(200);
    is_described(&stage, "GET /v1/audit", &report).await;
    assert_eq!(
        (&report["recalled"], &report["recalls_since"]),
        (&json!(1), &json!("2026-03-01"))
    );
    let topic = json!({"topic": "Rome"});
    stage.put("POST /v1/context", topic).await.ok(200);
    assert_eq!(stage.get("GET /v1/audit").await.ok(200)["recalled"], 2);
    let bobs = stage.ask(&stage.bob, "GET /v1/audit", &[], None).await.ok(200);
    assert_eq!(bobs["recalled"], 0);
}

#[tokio::test]
async fn nobody_else_may_look() {
    let stage = Stage::new().await;
    stage
        .ask("", "GET /v1/audit", &[], None)
        .await
        .refused(401, "unauthenticated");
    let nobody = stage.ask(&stage.service, "GET /v1/audit", &[], None).await;
    nobody.refused(400, "invalid_request");
    stage
        .get("POST /v1/audit")
        .await
        .refused(405, "method_not_allowed");
}
