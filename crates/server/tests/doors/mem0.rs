//! mem0, as its clients call it.

use serde_json::{Value, json};

use crate::stage::Stage;

async fn add(stage: &Stage, text: &str, labels: Value) -> String {
    let mut body = json!({"messages": [{"role": "user", "content": text}], "infer": false});
    body.as_object_mut()
        .unwrap()
        .extend(labels.as_object().unwrap().clone());
    let added = stage.put("POST /mem0/v3/memories/add/", body).await.ok(200);
    assert_eq!(added["results"][0]["event"], "ADD", "{added}");
    added["results"][0]["id"].as_str().unwrap().to_owned()
}

pub fn texts(found: &Value) -> Vec<&str> {
    let results = found["results"].as_array().unwrap();
    results
        .iter()
        .map(|one| one["memory"].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn a_memory_of_mem0_is_a_memory() {
    for stage in Stage::both().await {
        let ping = stage
            .ask(
                "",
                "GET /mem0/v1/ping/",
                &[("authorization", &format!("Token {}", stage.ana))],
                None,
            )
            .await;
        assert_eq!(ping.ok(200)["status"], "ok");
        let labels = json!({"user_id": "alex", "metadata": {"topic": "food", "n": 2}});
        let id = add(&stage, "Likes  pizza with olives", labels).await;
        let read = stage.get(&format!("GET /mem0/v1/memories/{id}/")).await.ok(200);
        assert_eq!(read["memory"], "Likes  pizza with olives");
        assert_eq!(
            (&read["user_id"], &read["metadata"]["n"]),
            (&json!("alex"), &json!(2))
        );
        let found = stage
            .put("POST /v1/search", json!({"query": "pizza"}))
            .await
            .ok(200);
        assert_eq!(found["results"][0]["memory"]["id"], json!(id), "{found}");

        let search = json!({"query": "pizza", "filters": {"user_id": "alex"}, "top_k": 3});
        let found = stage
            .put("POST /mem0/v3/memories/search/", search.clone())
            .await
            .ok(200);
        assert_eq!(texts(&found), ["Likes  pizza with olives"]);
        assert!(found["results"][0]["score"].is_number());
        let bobs = stage
            .bob("POST /mem0/v3/memories/search/", Some(search))
            .await
            .ok(200);
        assert_eq!(bobs, json!({"results": []}));

        let edit = json!({"text": "Likes pizza with capers"});
        let edited = stage
            .put(&format!("PUT /mem0/v1/memories/{id}/"), edit)
            .await
            .ok(200);
        assert_eq!(
            (&edited["memory"], &edited["metadata"]["topic"]),
            (&json!("Likes pizza with capers"), &json!("food"))
        );
        let over_rest = stage.get(&format!("GET /v1/memories/{id}")).await.ok(200);
        assert_eq!(over_rest["content"], "Likes pizza with capers");
        stage
            .get(&format!("DELETE /mem0/v1/memories/{id}/"))
            .await
            .ok(200);
        let history = stage
            .get(&format!("GET /mem0/v1/memories/{id}/history/"))
            .await
            .ok(200);
        let events: Vec<&str> = history
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["event"].as_str().unwrap())
            .collect();
        assert_eq!(events, ["ADD", "UPDATE", "DELETE"]);
        assert_eq!(history[1]["old_memory"], "Likes  pizza with olives");
        let gone = stage.get(&format!("GET /mem0/v1/memories/{id}/")).await;
        assert_eq!(gone.status, 404);
    }
}

#[tokio::test]
async fn filters_choose_by_labels_metadata_and_time() {
    for stage in Stage::both().await {
        add(
            &stage,
            "Prefers trains",
            json!({"user_id": "u1", "agent_id": "a1", "metadata": {"n": 1}}),
        )
        .await;
        add(
            &stage,
            "Prefers ships",
            json!({"user_id": "u1", "run_id": "r1", "metadata": {"n": 5}}),
        )
        .await;
        add(&stage, "Prefers planes", json!({"user_id": "u2"})).await;
        stage
            .put("POST /v1/memories", json!({"content": "Came over REST"}))
            .await
            .ok(201);
        let list = async |filters: Value| {
            let found = stage
                .put("POST /mem0/v3/memories/", json!({"filters": filters}))
                .await
                .ok(200);
            let mut texts: Vec<String> = texts(&found).into_iter().map(str::to_owned).collect();
            texts.sort();
            texts
        };
        assert_eq!(
            list(json!({"user_id": "u1"})).await,
            ["Came over REST", "Prefers ships", "Prefers trains"]
        );
        assert_eq!(list(json!({"agent_id": "a1"})).await, ["Prefers trains"]);
        assert_eq!(
            list(json!({"AND": [{"user_id": "u1"}, {"run_id": "*"}]})).await,
            ["Prefers ships"]
        );
        assert_eq!(
            list(json!({"OR": [{"agent_id": "a1"}, {"run_id": {"in": ["r1"]}}]})).await,
            ["Prefers ships", "Prefers trains"]
        );
        assert_eq!(
            list(json!({"user_id": "u1", "metadata": {"n": {"gte": 2}}})).await,
            ["Prefers ships"]
        );
        assert_eq!(list(json!({"user_id": "*", "NOT": [{"agent_id": "a1"}, {"run_id": "r1"}], "created_at": {"gte": "2020-01-01"}})).await,
            ["Came over REST", "Prefers planes"]);
        let paged = stage
            .put(
                "POST /mem0/v3/memories/?page=2&page_size=3",
                json!({"filters": {"user_id": "*"}}),
            )
            .await
            .ok(200);
        assert_eq!(
            (
                &paged["count"],
                paged["results"].as_array().unwrap().len(),
                &paged["next"]
            ),
            (&json!(4), 1, &Value::Null)
        );
    }
}

#[tokio::test]
async fn entities_are_listed_and_forgotten() {
    for stage in Stage::both().await {
        let labels = json!({"user_id": "u1", "agent_id": "a1"});
        add(&stage, "Prefers trains", labels).await;
        add(&stage, "Prefers ships", json!({"user_id": "u1", "run_id": "r1"})).await;
        add(&stage, "Prefers planes", json!({"user_id": "u2"})).await;
        let plain = json!({"content": "Came over REST"});
        stage.put("POST /v1/memories", plain).await.ok(201);
        let list = async |filters: Value| {
            let body = json!({ "filters": filters });
            let found = stage.put("POST /mem0/v3/memories/", body).await.ok(200);
            let mut texts: Vec<String> = texts(&found).into_iter().map(str::to_owned).collect();
            texts.sort();
            texts
        };
        for bad in [
            json!({}),
            json!({"filters": {}}),
            json!({"filters": {"AND": 3}}),
            json!({"filters": []}),
        ] {
            let refused = stage.put("POST /mem0/v3/memories/", bad.clone()).await;
            assert_eq!(refused.status, 400, "{bad}: {}", refused.text);
            assert!(refused.json()["detail"].is_string());
        }
        let entities = stage.get("GET /mem0/v1/entities/").await.ok(200);
        let names: Vec<&str> = entities["results"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["name"].as_str().unwrap())
            .collect();
        assert_eq!(names, ["a1", "r1", "ana", "u1", "u2"]);
        stage.get("DELETE /mem0/v2/entities/user/u1/").await.ok(200);
        assert_eq!(
            list(json!({"user_id": "*"})).await,
            ["Came over REST", "Prefers planes"]
        );
        stage.get("DELETE /mem0/v1/memories/?user_id=u2").await.ok(200);
        assert_eq!(stage.get("DELETE /mem0/v1/memories/").await.status, 400);
    }
}

#[tokio::test]
async fn batches_change_all_or_none() {
    for stage in Stage::both().await {
        let one = add(&stage, "First", json!({"user_id": "u"})).await;
        let two = add(&stage, "Second", json!({"user_id": "u"})).await;
        let unknown = "019a0000-0000-7000-8000-000000000001";
        let bad =
            json!({"memories": [{"memory_id": one, "text": "Changed"}, {"memory_id": unknown, "text": "x"}]});
        assert_eq!(stage.put("PUT /mem0/v1/batch/", bad).await.status, 404);
        let good = json!({"memories": [{"memory_id": one, "text": "Changed"}, {"memory_id": two, "metadata": {"a": 1}}]});
        stage.put("PUT /mem0/v1/batch/", good).await.ok(200);
        let read = stage.get(&format!("GET /mem0/v1/memories/{two}/")).await.ok(200);
        assert_eq!(
            (&read["memory"], &read["metadata"]),
            (&json!("Second"), &json!({"a": 1}))
        );
        let foreign = json!({"memories": [{"memory_id": one}]});
        let foreign = stage.bob("DELETE /mem0/v1/batch/", Some(foreign)).await;
        let absent = stage
            .bob(
                "DELETE /mem0/v1/batch/",
                Some(json!({"memories": [{"memory_id": unknown}]})),
            )
            .await;
        assert_eq!(
            (foreign.status, &foreign.text),
            (404, &absent.text),
            "foreign and unknown are alike"
        );
        let both = json!({"memories": [{"memory_id": one}, {"memory_id": two}]});
        stage.put("DELETE /mem0/v1/batch/", both).await.ok(200);
        let left = stage
            .put("POST /mem0/v3/memories/", json!({"filters": {"user_id": "u"}}))
            .await
            .ok(200);
        assert_eq!(left["count"], 0);
    }
}
