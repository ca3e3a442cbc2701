//! Anthropic's memory stores.

use serde_json::{Value, json};

use crate::stage::Stage;

const STORES: &str = "/anthropic/v1/memory_stores";

async fn store(stage: &Stage) -> String {
    let made = stage
        .put(
            &format!("POST {STORES}"),
            json!({"name": "Notes", "metadata": {"a": "b"}}),
        )
        .await
        .ok(200);
    assert_eq!(
        (&made["type"], &made["description"]),
        (&json!("memory_store"), &json!(""))
    );
    made["id"].as_str().unwrap().to_owned()
}

async fn write(stage: &Stage, store: &str, path: &str, content: &str) -> Value {
    let body = json!({"path": path, "content": content});
    stage
        .put(&format!("POST {STORES}/{store}/memories"), body)
        .await
        .ok(200)
}

#[tokio::test]
async fn documents_are_written_read_and_found() {
    for stage in Stage::both().await {
        let store = store(&stage).await;
        let made = write(&stage, &store, "/a/tea.md", "Prefers oolong tea\n").await;
        assert_eq!(
            (&made["content"], &made["content_size_bytes"]),
            (&Value::Null, &json!(19))
        );
        let id = made["id"].as_str().unwrap();
        let one = format!("{STORES}/{store}/memories/{id}");
        let read = stage.get(&format!("GET {one}?beta=true")).await.ok(200);
        assert_eq!(
            (&read["content"], &read["path"]),
            (&json!("Prefers oolong tea\n"), &json!("/a/tea.md"))
        );
        let found = stage
            .put("POST /v1/search", json!({"query": "oolong"}))
            .await
            .ok(200);
        assert_eq!(found["results"].as_array().unwrap().len(), 1, "{found}");

        let taken = stage
            .put(
                &format!("POST {STORES}/{store}/memories"),
                json!({"path": "/a/tea.md", "content": "x"}),
            )
            .await;
        assert_eq!(
            (taken.status, taken.json()["error"]["type"].as_str()),
            (409, Some("memory_path_conflict_error"))
        );
        let sha = read["content_sha256"].clone();
        let guarded = |content: &str, sha: &Value| json!({"content": content, "precondition": {"type": "content_sha256", "content_sha256": sha}});
        let changed = stage
            .put(&format!("POST {one}"), guarded("Prefers sencha\n", &sha))
            .await
            .ok(200);
        assert_ne!(changed["memory_version_id"], made["memory_version_id"]);
        let stale = stage
            .put(&format!("POST {one}"), guarded("Prefers water\n", &sha))
            .await;
        assert_eq!(
            (stale.status, stale.json()["error"]["type"].as_str()),
            (409, Some("memory_precondition_failed_error"))
        );
        stage
            .put(&format!("POST {one}"), guarded("Prefers sencha\n", &sha))
            .await
            .ok(200);
        let moved = stage
            .put(&format!("POST {one}"), json!({"path": "/tea.md"}))
            .await
            .ok(200);
        assert_eq!((&moved["id"], &moved["path"]), (&json!(id), &json!("/tea.md")));
    }
}

#[tokio::test]
async fn documents_are_deleted_and_nobody_elses() {
    for stage in Stage::both().await {
        let store = store(&stage).await;
        let made = write(&stage, &store, "/a", "first").await;
        let sha = made["content_sha256"].clone();
        let id = made["id"].as_str().unwrap();
        let one = format!("{STORES}/{store}/memories/{id}");
        let changed = json!({"content": "second"});
        stage.put(&format!("POST {one}"), changed).await.ok(200);
        let foreign = stage.bob(&format!("GET {one}"), None).await;
        let unknown = stage
            .bob(&format!("GET {STORES}/memstore_none/memories/mem_none"), None)
            .await;
        assert_eq!((foreign.status, &foreign.text), (404, &unknown.text));
        assert_eq!(foreign.json()["type"], "error");
        let wrong = stage
            .get(&format!(
                "DELETE {one}?expected_content_sha256={}",
                sha.as_str().unwrap()
            ))
            .await;
        assert_eq!(wrong.status, 409);
        let gone = stage.get(&format!("DELETE {one}")).await.ok(200);
        assert_eq!(gone, json!({"id": id, "type": "memory_deleted"}));
        assert_eq!(stage.get(&format!("GET {one}")).await.status, 404);
    }
}

#[tokio::test]
async fn versions_stay_and_can_be_redacted() {
    for stage in Stage::both().await {
        let store = store(&stage).await;
        let made = write(&stage, &store, "/n", "first draft").await;
        let id = made["id"].as_str().unwrap();
        let one = format!("{STORES}/{store}/memories/{id}");
        stage
            .put(&format!("POST {one}"), json!({"content": "second draft"}))
            .await
            .ok(200);
        stage.get(&format!("DELETE {one}")).await.ok(200);
        let versions = async |query: &str| {
            stage
                .get(&format!("GET {STORES}/{store}/memory_versions?{query}"))
                .await
                .ok(200)
        };
        let all = versions(&format!("memory_id={id}&view=full")).await;
        let operations: Vec<&str> = all["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["operation"].as_str().unwrap())
            .collect();
        assert_eq!(operations, ["deleted", "modified", "created"]);
        assert_eq!(all["data"][2]["content"], "first draft");
        let first = all["data"][2]["id"].as_str().unwrap();
        let redacted = stage
            .get(&format!("POST {STORES}/{store}/memory_versions/{first}/redact"))
            .await
            .ok(200);
        assert_eq!(
            (
                &redacted["content"],
                &redacted["path"],
                &redacted["content_sha256"]
            ),
            (&Value::Null, &Value::Null, &Value::Null)
        );
        assert!(redacted["redacted_at"].is_string());
        assert_eq!(
            versions("operation=modified").await["data"]
                .as_array()
                .unwrap()
                .len(),
            1
        );
        let page = versions("limit=2").await;
        let next = versions(&format!("limit=2&page={}", page["next_page"].as_str().unwrap())).await;
        assert_eq!(
            (next["data"].as_array().unwrap().len(), &next["next_page"]),
            (1, &Value::Null)
        );

        let live = write(&stage, &store, "/live", "present").await;
        let version = live["memory_version_id"].as_str().unwrap();
        let refused = stage
            .get(&format!("POST {STORES}/{store}/memory_versions/{version}/redact"))
            .await;
        assert_eq!(refused.status, 400, "{}", refused.text);
        // What is erased over REST leaves no version.
        let listed = stage.get("GET /v1/memories").await.ok(200);
        let memory = listed["memories"][0]["id"].as_str().unwrap().to_owned();
        stage
            .get(&format!("DELETE /v1/memories/{memory}?erase=true"))
            .await
            .ok(204);
        assert!(!versions("view=full").await.to_string().contains("present"));
    }
}

#[tokio::test]
async fn stores_are_listed_archived_and_deleted() {
    for stage in Stage::both().await {
        let (one, two) = (store(&stage).await, store(&stage).await);
        for path in ["/a/1", "/a/2", "/b", "/c/d/e"] {
            write(&stage, &one, path, path).await;
        }
        let list = async |query: &str| {
            stage
                .get(&format!("GET {STORES}/{one}/memories?{query}"))
                .await
                .ok(200)
        };
        let paths = |page: &Value| -> Vec<String> {
            page["data"]
                .as_array()
                .unwrap()
                .iter()
                .map(|one| one["path"].as_str().unwrap().to_owned())
                .collect()
        };
        assert_eq!(paths(&list("").await), ["/a/1", "/a/2", "/b", "/c/d/e"]);
        assert_eq!(paths(&list("depth=1").await), ["/a/", "/b", "/c/"]);
        assert_eq!(paths(&list("path_prefix=/a/").await), ["/a/1", "/a/2"]);
        let first = list("limit=3").await;
        let next = list(&format!("limit=3&page={}", first["next_page"].as_str().unwrap())).await;
        assert_eq!(paths(&next), ["/c/d/e"]);
        let renamed = stage
            .put(
                &format!("POST {STORES}/{one}"),
                json!({"name": "New", "metadata": {"a": null, "c": "d"}}),
            )
            .await
            .ok(200);
        assert_eq!(
            (&renamed["name"], &renamed["metadata"]),
            (&json!("New"), &json!({"c": "d"}))
        );
        stage.get(&format!("POST {STORES}/{two}/archive")).await.ok(200);
        let closed = stage
            .put(
                &format!("POST {STORES}/{two}/memories"),
                json!({"path": "/x", "content": ""}),
            )
            .await;
        assert_eq!(closed.status, 400);
        let stores = stage.get(&format!("GET {STORES}")).await.ok(200);
        assert_eq!(stores["data"].as_array().unwrap().len(), 1);
        let stores = stage
            .get(&format!("GET {STORES}?include_archived=true"))
            .await
            .ok(200);
        assert_eq!(stores["data"].as_array().unwrap().len(), 2);
        assert_eq!(
            stage.bob(&format!("GET {STORES}"), None).await.ok(200)["data"],
            json!([])
        );
        stage.get(&format!("DELETE {STORES}/{one}")).await.ok(200);
        assert_eq!(
            stage.get(&format!("GET {STORES}/{one}/memories")).await.status,
            404
        );
        let left = stage.get("GET /v1/memories").await.ok(200);
        assert_eq!(left["memories"], json!([]));
    }
}

#[tokio::test]
async fn paths_that_could_deceive_are_refused() {
    for stage in Stage::both().await {
        let one = store(&stage).await;
        for bad in ["a", "/", "/a//b", "/a/../b", "/a\u{202e}b", "/e\u{301}"] {
            let refused = stage
                .put(
                    &format!("POST {STORES}/{one}/memories"),
                    json!({"path": bad, "content": ""}),
                )
                .await;
            assert_eq!(refused.status, 400, "{bad}: {}", refused.text);
        }
    }
}
