//! The store of LangGraph, as its SDK calls it.

use serde_json::{Value, json};

use crate::stage::Stage;

const ITEMS: &str = "/langgraph/store/items";

async fn put(stage: &Stage, namespace: &[&str], key: &str, value: Value) {
    let body = json!({"namespace": namespace, "key": key, "value": value});
    stage.put(&format!("PUT {ITEMS}"), body).await.ok(204);
}

async fn get(stage: &Stage, namespace: &str, key: &str) -> Value {
    let call = format!("GET {ITEMS}?namespace={namespace}&key={key}");
    stage.get(&call).await.ok(200)
}

async fn keys(stage: &Stage, search: Value) -> Vec<String> {
    let found = stage.put(&format!("POST {ITEMS}/search"), search).await.ok(200);
    let items = found["items"].as_array().unwrap();
    items
        .iter()
        .map(|item| item["key"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn a_value_comes_back_exactly_and_its_words_are_a_memory() {
    for stage in Stage::both().await {
        let value = json!({"text": "Ana prefers window seats ", "n": 1.50, "z": [1, {"a": null}], "b": true});
        put(&stage, &["users", "ana"], "seat", value.clone()).await;
        let item = get(&stage, "users.ana", "seat").await;
        assert_eq!(item["value"].to_string(), value.to_string());
        assert_eq!(item["namespace"], json!(["users", "ana"]));
        let created = item["created_at"].clone();
        let found = stage
            .put("POST /v1/search", json!({"query": "window seats"}))
            .await
            .ok(200);
        assert!(found.to_string().contains("Ana prefers window seats"), "{found}");
        assert_eq!(get(&stage, "users.ana", "none").await, Value::Null);
        let bobs = format!("GET {ITEMS}?namespace=users.ana&key=seat");
        assert_eq!(stage.bob(&bobs, None).await.ok(200), Value::Null, "nobody else's");

        let changed = json!({"text": "Ana prefers aisle seats"});
        put(&stage, &["users", "ana"], "seat", changed.clone()).await;
        let item = get(&stage, "users.ana", "seat").await;
        assert_eq!((&item["value"], &item["created_at"]), (&changed, &created));

        // What is undone elsewhere is undone here, exactly.
        stage.put("POST /v1/undo", json!({})).await.ok(200);
        let item = get(&stage, "users.ana", "seat").await;
        assert_eq!(item["value"].to_string(), value.to_string(), "{}", stage.store);
    }
}

#[tokio::test]
async fn what_is_corrected_forgotten_or_erased_elsewhere_follows() {
    for stage in Stage::both().await {
        put(
            &stage,
            &["n"],
            "k",
            json!({"note": "Likes green tea", "stars": 5}),
        )
        .await;
        let listed = stage.get("GET /v1/memories").await.ok(200);
        let id = listed["memories"][0]["id"].as_str().unwrap().to_owned();
        let edit = json!({"content": "Likes black tea"});
        stage.put(&format!("PATCH /v1/memories/{id}"), edit).await.ok(200);
        let item = get(&stage, "n", "k").await;
        assert_eq!(item["value"], json!({"note": "Likes black tea", "stars": 5}));
        stage.get(&format!("DELETE /v1/memories/{id}")).await.ok(204);
        assert_eq!(get(&stage, "n", "k").await, Value::Null);
        stage
            .get(&format!("POST /v1/memories/{id}/restore"))
            .await
            .ok(200);
        assert_eq!(get(&stage, "n", "k").await["value"]["note"], "Likes black tea");
        stage
            .get(&format!("DELETE /v1/memories/{id}?erase=true"))
            .await
            .ok(204);
        assert_eq!(get(&stage, "n", "k").await, Value::Null);
        let archive = stage.get("GET /v1/export").await;
        assert!(!String::from_utf8_lossy(&archive.bytes).contains("black tea"));
    }
}

#[tokio::test]
async fn items_are_searched_filtered_and_removed() {
    for stage in Stage::both().await {
        put(
            &stage,
            &["docs", "a"],
            "one",
            json!({"text": "Kubernetes clusters", "rank": 1, "meta": {"lang": "en"}}),
        )
        .await;
        put(
            &stage,
            &["docs", "b"],
            "two",
            json!({"text": "Sourdough bread", "rank": 2, "meta": {"lang": "de"}}),
        )
        .await;
        put(&stage, &["other"], "three", json!({"rank": 3})).await;
        let all = json!({"namespace_prefix": ["docs"]});
        assert_eq!(keys(&stage, all).await, ["two", "one"]);
        let bread = json!({"namespace_prefix": [], "query": "baking bread"});
        let found = keys(&stage, bread).await;
        assert_eq!((found.len(), found[0].as_str()), (3, "two"), "{found:?}");
        let ranked = json!({"namespace_prefix": ["docs"], "filter": {"rank": {"$gte": 2}}});
        assert_eq!(keys(&stage, ranked).await, ["two"]);
        let nested = json!({"namespace_prefix": [], "filter": {"meta": {"lang": "en"}}});
        assert_eq!(keys(&stage, nested).await, ["one"]);
        let page = json!({"namespace_prefix": [], "limit": 1, "offset": 1});
        assert_eq!(keys(&stage, page).await, ["two"]);
        let bobs = stage
            .bob(
                &format!("POST {ITEMS}/search"),
                Some(json!({"namespace_prefix": []})),
            )
            .await;
        assert_eq!(bobs.ok(200), json!({"items": []}));

        let namespaces =
            async |body: Value| stage.put("POST /langgraph/store/namespaces", body).await.ok(200);
        assert_eq!(
            namespaces(json!({})).await,
            json!({"namespaces": [["docs", "a"], ["docs", "b"], ["other"]]})
        );
        assert_eq!(
            namespaces(json!({"max_depth": 1})).await,
            json!({"namespaces": [["docs"], ["other"]]})
        );
        assert_eq!(
            namespaces(json!({"prefix": ["*", "b"]})).await,
            json!({"namespaces": [["docs", "b"]]})
        );
        assert_eq!(
            namespaces(json!({"suffix": ["a"]})).await,
            json!({"namespaces": [["docs", "a"]]})
        );

        let gone = json!({"namespace": ["docs", "a"], "key": "one"});
        for _ in 0..2 {
            stage.put(&format!("DELETE {ITEMS}"), gone.clone()).await.ok(204);
        }
        assert_eq!(get(&stage, "docs.a", "one").await, Value::Null);
    }
}

#[tokio::test]
async fn time_to_live_is_counted_from_the_last_reading() {
    for stage in Stage::both().await {
        // The clock of the stage moves on by a second at each request.
        let body = json!({"namespace": ["t"], "key": "k", "value": {"text": "A short note"}, "ttl": 0.1});
        stage.put(&format!("PUT {ITEMS}"), body).await.ok(204);
        for _ in 0..8 {
            assert!(get(&stage, "t", "k").await.is_object(), "{}", stage.store);
        }
        let quiet = format!("GET {ITEMS}?namespace=t&key=k&refresh_ttl=false");
        let mut seen = 0;
        while stage.get(&quiet).await.ok(200).is_object() {
            seen += 1;
            assert!(seen < 60, "it ends");
        }
        let found = stage
            .put("POST /v1/search", json!({"query": "short note"}))
            .await
            .ok(200);
        assert_eq!(found["results"], json!([]), "{found}");
    }
}

#[tokio::test]
async fn refusals_have_the_shape_of_langgraph() {
    for stage in Stage::both().await {
        for (call, body, status) in [
            (
                format!("PUT {ITEMS}"),
                json!({"namespace": [], "key": "k", "value": {}}),
                422,
            ),
            (
                format!("PUT {ITEMS}"),
                json!({"namespace": ["a.b"], "key": "k", "value": {}}),
                422,
            ),
            (
                format!("PUT {ITEMS}"),
                json!({"namespace": ["langgraph"], "key": "k", "value": {}}),
                422,
            ),
            (
                format!("PUT {ITEMS}"),
                json!({"namespace": ["a"], "key": "k", "value": []}),
                400,
            ),
            (
                format!("PUT {ITEMS}"),
                json!({"namespace": ["a"], "key": "k", "value": {"t": "password: hunter2correct"}}),
                422,
            ),
            (
                format!("POST {ITEMS}/search"),
                json!({"namespace_prefix": [], "limit": 0}),
                400,
            ),
            ("POST /langgraph/threads".to_owned(), json!({}), 404),
            (format!("PATCH {ITEMS}"), json!({}), 405),
        ] {
            let refused = stage.put(&call, body.clone()).await;
            assert_eq!(refused.status, status, "{call} {body}: {}", refused.text);
            assert!(refused.json()["detail"].is_string(), "{call}: {}", refused.text);
            assert_eq!(refused.headers["content-type"], "application/json");
        }
        let unknown = stage
            .ask(
                "",
                &format!("GET {ITEMS}?key=k"),
                &[("x-api-key", "rk_wrong")],
                None,
            )
            .await;
        assert_eq!(unknown.status, 401);
        assert!(unknown.json()["detail"].is_string());
    }
}
