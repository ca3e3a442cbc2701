//! Checkpoints of agents, as a checkpointer uses them.

use serde_json::{Value, json};

use crate::stage::Stage;

fn checkpoint(thread: &str, ns: &str, id: &str, step: u64) -> Value {
    json!({
        "thread_id": thread, "checkpoint_ns": ns, "checkpoint_id": id, "parent_id": null,
        "metadata": {"source": "loop", "step": step, "run_id": format!("run-{step}")},
        "type": "msgpack", "data": "AAEC/w==",
    })
}

fn writes(thread: &str, id: &str, task: &str, values: &[(i64, &str)]) -> Value {
    let writes: Vec<Value> = values
        .iter()
        .map(|(idx, data)| json!({"idx": idx, "channel": "ch", "type": "json", "data": data}))
        .collect();
    json!({"thread_id": thread, "checkpoint_id": id, "task_id": task, "writes": writes})
}

async fn ids(stage: &Stage, search: Value) -> Vec<String> {
    let found = stage.put("POST /v1/checkpoints/search", search).await.ok(200);
    let all = found["checkpoints"].as_array().unwrap();
    all.iter()
        .map(|one| one["checkpoint_id"].as_str().unwrap().to_owned())
        .collect()
}

async fn filled(stage: &Stage) {
    for (ns, id, step) in [("", "a1", 1), ("", "a3", 3), ("", "a2", 2), ("child:1", "a0", 0)] {
        let body = checkpoint("t/1 é", ns, id, step);
        stage.put("PUT /v1/checkpoints", body).await.ok(204);
    }
    stage
        .put("PUT /v1/checkpoints", checkpoint("other", "", "b1", 9))
        .await
        .ok(204);
}

#[tokio::test]
async fn the_latest_and_any_other_come_back_as_they_were() {
    for stage in Stage::both().await {
        filled(&stage).await;
        let latest = stage
            .get("GET /v1/checkpoints?thread_id=t/1%20%C3%A9")
            .await
            .ok(200);
        assert_eq!(latest["checkpoint_id"], "a3");
        assert_eq!(latest["data"], "AAEC/w==");
        assert_eq!(latest["metadata"]["step"], 3);
        let one = "GET /v1/checkpoints?thread_id=t/1%20%C3%A9&checkpoint_id=a1";
        assert_eq!(stage.get(one).await.ok(200)["checkpoint_id"], "a1");
        let child = "GET /v1/checkpoints?thread_id=t/1%20%C3%A9&checkpoint_ns=child:1";
        assert_eq!(stage.get(child).await.ok(200)["checkpoint_id"], "a0");
        let unknown = stage.get("GET /v1/checkpoints?thread_id=none").await;
        let foreign = stage.bob("GET /v1/checkpoints?thread_id=other", None).await;
        assert_eq!((unknown.status, foreign.status), (404, 404));
        assert_eq!(unknown.text, foreign.text, "foreign and unknown are alike");
    }
}

#[tokio::test]
async fn lists_are_filtered_and_paged_from_the_newest() {
    for stage in Stage::both().await {
        filled(&stage).await;
        let thread = "t/1 é";
        assert_eq!(
            ids(&stage, json!({"thread_id": thread})).await,
            ["a3", "a2", "a1", "a0"]
        );
        let root = json!({"thread_id": thread, "checkpoint_ns": "", "before": "a3"});
        assert_eq!(ids(&stage, root).await, ["a2", "a1"]);
        let step = json!({"thread_id": thread, "filter": {"step": 2}});
        assert_eq!(ids(&stage, step).await, ["a2"]);
        assert_eq!(ids(&stage, json!({})).await, ["b1", "a3", "a2", "a1", "a0"]);
        let mut seen = Vec::new();
        let mut cursor = Value::Null;
        loop {
            let search = json!({"thread_id": thread, "limit": 3, "cursor": cursor});
            let page = stage.put("POST /v1/checkpoints/search", search).await.ok(200);
            let found = page["checkpoints"].as_array().unwrap().clone();
            seen.extend(found.into_iter().map(|one| one["checkpoint_id"].clone()));
            cursor = page["next"].clone();
            if cursor.is_null() {
                break;
            }
        }
        assert_eq!(seen, ["a3", "a2", "a1", "a0"]);
        for bad in [
            json!({"limit": 0}),
            json!({"limit": 1001}),
            json!({"cursor": "x"}),
        ] {
            let refused = stage.put("POST /v1/checkpoints/search", bad.clone()).await;
            assert_eq!(refused.status, 400, "{bad}");
        }
    }
}

#[tokio::test]
async fn writes_are_stored_once_unless_their_number_is_negative() {
    for stage in Stage::both().await {
        filled(&stage).await;
        for (task, values) in [
            ("task-b", &[(0, "AA=="), (1, "AQ==")][..]),
            ("task-a", &[(0, "Ag=="), (-1, "Aw==")]),
            ("task-b", &[(0, "BA==")]),
            ("task-a", &[(-1, "BQ==")]),
        ] {
            let body = writes("t/1 é", "a3", task, values);
            stage.put("PUT /v1/checkpoints/writes", body).await.ok(204);
        }
        let latest = stage
            .get("GET /v1/checkpoints?thread_id=t/1%20%C3%A9")
            .await
            .ok(200);
        let pending: Vec<(&str, i64, &str)> = latest["writes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|write| {
                let text = |name: &str| write[name].as_str().unwrap();
                (text("task_id"), write["idx"].as_i64().unwrap(), text("data"))
            })
            .collect();
        let expected = [
            ("task-a", -1, "BQ=="),
            ("task-a", 0, "Ag=="),
            ("task-b", 0, "AA=="),
            ("task-b", 1, "AQ=="),
        ];
        assert_eq!(pending, expected);
        let bad = json!({"thread_id": "t", "checkpoint_id": "x", "task_id": "t",
            "writes": [{"idx": 0, "channel": "c", "type": "t", "data": "not base64!"}]});
        assert_eq!(stage.put("PUT /v1/checkpoints/writes", bad).await.status, 400);
    }
}

#[tokio::test]
async fn threads_are_copied_pruned_and_removed() {
    for stage in Stage::both().await {
        filled(&stage).await;
        let body = writes("t/1 é", "a3", "task", &[(0, "AA==")]);
        stage.put("PUT /v1/checkpoints/writes", body).await.ok(204);
        let copy = json!({"from": "t/1 é", "to": "copy"});
        let copied = stage.put("POST /v1/checkpoints/copy", copy).await.ok(200);
        assert_eq!(copied["checkpoints"], 4);
        let latest = stage.get("GET /v1/checkpoints?thread_id=copy").await.ok(200);
        assert_eq!(latest["writes"][0]["data"], "AA==");
        let prune = json!({"thread_ids": ["copy", "none"]});
        let pruned = stage.put("POST /v1/checkpoints/prune", prune).await.ok(200);
        assert_eq!(pruned["checkpoints"], 2);
        assert_eq!(ids(&stage, json!({"thread_id": "copy"})).await, ["a3", "a0"]);
        let runs = json!({"run_ids": ["run-3", "run-9"]});
        let bobs = stage
            .bob("POST /v1/checkpoints/delete_runs", Some(runs.clone()))
            .await;
        assert_eq!(bobs.ok(200)["checkpoints"], 0);
        let gone = stage.put("POST /v1/checkpoints/delete_runs", runs).await.ok(200);
        assert_eq!(gone["checkpoints"], 3);
        let bobs = stage
            .bob("DELETE /v1/checkpoints?thread_id=t/1%20%C3%A9", None)
            .await;
        assert_eq!(bobs.ok(200)["checkpoints"], 0);
        let removed = stage
            .get("DELETE /v1/checkpoints?thread_id=t/1%20%C3%A9")
            .await
            .ok(200);
        assert_eq!(removed["checkpoints"], 3);
        assert_eq!(ids(&stage, json!({})).await, ["a0"]);
    }
}

#[tokio::test]
async fn checkpoints_move_with_their_user_and_are_erased_with_them() {
    for stage in Stage::both().await {
        filled(&stage).await;
        let large = "A".repeat(4 * 1024 * 1024);
        let mut body = checkpoint("large", "", "c1", 1);
        body["data"] = json!(large);
        stage.put("PUT /v1/checkpoints", body.clone()).await.ok(204);
        body["data"] = json!("A".repeat(5_600_004));
        assert_eq!(stage.put("PUT /v1/checkpoints", body).await.status, 400);

        let archive = stage.get("GET /v1/export").await;
        assert_eq!(archive.status, 200);
        let request = axum::http::Request::builder()
            .method("POST")
            .uri("/v1/import")
            .header("authorization", format!("Bearer {}", stage.bob))
            .header("content-type", "application/zip")
            .body(axum::body::Body::from(archive.bytes))
            .unwrap();
        let imported = stage.send(request).await;
        assert_eq!(imported.status, 200, "{}", imported.text);
        let bobs = stage
            .bob("GET /v1/checkpoints?thread_id=large", None)
            .await
            .ok(200);
        assert_eq!(bobs["data"].as_str().unwrap().len(), large.len());

        stage.ask(&stage.ana, "DELETE /v1/me", &[], None).await;
        let left = stage
            .bob("GET /v1/checkpoints?thread_id=other", None)
            .await
            .ok(200);
        assert_eq!(left["checkpoint_id"], "b1", "the copy of another user stays");
    }
}
