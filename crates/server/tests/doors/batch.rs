//! Many statements at once.

use serde_json::{Value, json};

use crate::stage::Stage;

fn outcomes(answer: &Value) -> Vec<&str> {
    let lines = answer["results"].as_array().unwrap();
    lines
        .iter()
        .map(|line| line["outcome"].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn each_statement_has_its_line_and_sees_those_before_it() {
    for stage in Stage::both().await {
        stage
            .put(
                "POST /v1/memories",
                json!({"content": "Lives in Lisbon", "key": "home"}),
            )
            .await
            .ok(201);
        let batch = json!({"memories": [
            {"content": "Has a cat called Miso"},
            {"content": "has a cat, called Miso!", "key": "cat"},
            {"content": "Has a dog", "key": "Cat"},
            {"content": "lives in lisbon"},
            {"content": "Lives in Porto", "key": "home"},
            {"content": "   "},
            {"content": "The password is hunter2correct", "key": "wifi_password"},
            {"content": "Perhaps likes jazz", "confidence": 0.2},
        ]});
        let answer = stage.put("POST /v1/memories/batch", batch).await.ok(200);
        let expected = [
            "stored",
            "duplicate",
            "refused",
            "duplicate",
            "refused",
            "refused",
            "refused",
            "stored",
        ];
        assert_eq!(outcomes(&answer), expected, "{}: {answer}", stage.store);
        assert_eq!(
            (&answer["stored"], &answer["duplicates"], &answer["refused"]),
            (&json!(2), &json!(2), &json!(4))
        );
        let lines = &answer["results"];
        assert_eq!(
            lines[1]["memory"]["key"], "cat",
            "a repetition names what was new here"
        );
        assert_eq!(lines[2]["error"]["code"], "duplicate");
        assert_eq!(lines[5]["error"]["pointer"], "/content");
        assert_eq!(lines[6]["error"]["code"], "secret_refused");
        assert_eq!(lines[7]["demoted"], true);
        let found = stage
            .put("POST /v1/search", json!({"query": "cat Miso"}))
            .await
            .ok(200);
        assert_eq!(found["results"].as_array().unwrap().len(), 1, "{found}");
    }
}

#[tokio::test]
async fn a_repeated_batch_is_carried_out_once_and_its_size_is_bounded() {
    for stage in Stage::both().await {
        let memories: Vec<Value> = (0..1000)
            .map(|number| json!({"content": format!("Fact number {number}")}))
            .collect();
        let batch = json!({ "memories": memories });
        let key = [("idempotency-key", "batch-1")];
        let send = async || {
            stage
                .ask(&stage.ana, "POST /v1/memories/batch", &key, Some(batch.clone()))
                .await
                .ok(200)
        };
        let first = send().await;
        assert_eq!(first["stored"], 1000);
        assert_eq!(send().await, first);
        let again = stage.put("POST /v1/memories/batch", batch.clone()).await.ok(200);
        assert_eq!(again["duplicates"], 1000);
        let mut many = memories;
        many.push(json!({"content": "one more"}));
        let refused = stage
            .put("POST /v1/memories/batch", json!({ "memories": many }))
            .await;
        assert_eq!(refused.status, 400, "{}", refused.text);
        let none = stage
            .put("POST /v1/memories/batch", json!({"memories": []}))
            .await;
        assert_eq!(none.status, 400);
        let wrong = json!({"memories": [{"content": "a"}, {"text": "b"}]});
        assert_eq!(stage.put("POST /v1/memories/batch", wrong).await.status, 400);
        let bobs = stage.bob("GET /v1/memories", None).await.ok(200);
        assert_eq!(bobs["memories"], json!([]), "{bobs}");
    }
}
