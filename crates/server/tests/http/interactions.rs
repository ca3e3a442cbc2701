//! What users did, over HTTP.

use serde_json::json;

use crate::stage::Stage;

#[tokio::test]
async fn what_the_description_rules_out_is_refused_and_not_noted() {
    let stage = Stage::new().await;
    for bad in [
        json!({"type": "save", "data": [null]}),
        json!({"type": "save", "data": "text"}),
        json!({"type": "save", "more": 1}),
        json!({"interactions": []}),
    ] {
        let refused = stage.put("POST /v1/interactions", bad.clone()).await;
        assert_eq!(refused.status, 400, "{bad}: {}", refused.text);
    }
    let noted = async || stage.get("GET /v1/events").await.text.contains("interaction");
    assert!(!noted().await, "nothing is kept");
    for good in [
        json!({"type": "save", "data": {"post": 7}}),
        json!({"type": "save", "data": null}),
    ] {
        stage.put("POST /v1/interactions", good).await.ok(201);
    }
    assert!(noted().await);
}

#[tokio::test]
async fn a_list_of_runs_has_its_bounds() {
    let stage = Stage::new().await;
    for (limit, status) in [(0, 400), (1, 200), (1000, 200), (1001, 400)] {
        let answer = stage.get(&format!("GET /v1/extraction/runs?limit={limit}")).await;
        assert_eq!(answer.status, status, "{limit}");
    }
}
