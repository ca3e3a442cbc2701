//! The knowledge base.

use serde_json::json;

use crate::stage::Stage;

#[tokio::test]
async fn administrators_write_and_all_search() {
    let stage = Stage::new().await;
    let handbook =
        json!({"source": "handbook/leave.md", "content": "# Leave\n\nEveryone has 30 days of leave."});
    let call = "POST /v1/knowledge";
    stage.put(call, handbook.clone()).await.refused(403, "forbidden");
    let added = stage
        .ask(&stage.admin, call, &[], Some(handbook.clone()))
        .await
        .ok(201);
    assert_eq!(
        (&added["outcome"], &added["document"]["chunks"]),
        (&json!("added"), &json!(1))
    );
    let again = stage.ask(&stage.admin, call, &[], Some(handbook)).await.ok(200);
    assert_eq!(again["outcome"], "unchanged");
    let found = stage
        .put("POST /v1/knowledge/search", json!({"query": "days of leave"}))
        .await
        .ok(200);
    assert_eq!(found["results"][0]["source"], "handbook/leave.md");
    assert_eq!(found["results"][0]["heading"], "Leave");
    let in_all = stage
        .put("POST /v1/search", json!({"query": "days of leave"}))
        .await
        .ok(200);
    assert_eq!(in_all["results"][0]["kind"], "knowledge");

    let id = added["document"]["id"].as_str().unwrap();
    let read = stage.get(&format!("GET /v1/knowledge/{id}")).await.ok(200);
    assert!(read["chunks"][0]["content"].as_str().unwrap().contains("30 days"));
    assert_eq!(
        stage.get("GET /v1/knowledge?prefix=handbook").await.ok(200)["documents"][0]["id"],
        id
    );
    assert_eq!(
        stage.get("GET /v1/knowledge?prefix=hand").await.ok(200)["documents"],
        json!([])
    );
    stage
        .get(&format!("DELETE /v1/knowledge/{id}"))
        .await
        .refused(403, "forbidden");
    let erase = format!("DELETE /v1/knowledge/{id}");
    stage.ask(&stage.admin, &erase, &[], None).await.ok(204);
    stage
        .ask(&stage.admin, &erase, &[], None)
        .await
        .refused(404, "not_found");
}

#[tokio::test]
async fn a_document_that_cannot_be_read_is_refused() {
    let stage = Stage::new().await;
    for bad in [
        json!({"source": "a.md"}),
        json!({"source": "a.md", "content": "  "}),
        json!({"source": "a", "content": "no format"}),
        json!({"source": "", "content": "x", "format": "text"}),
        json!({"source": "a.md", "content": "x", "content_base64": "eA=="}),
        json!({"source": "a.txt", "content_base64": "not base64!"}),
        json!({"source": "a.pdf", "content_base64": "JVBERi0xLjQK"}),
        json!({"source": "a.json", "content": "{"}),
        json!({"source": "a.doc", "content": "x", "format": "word"}),
    ] {
        let reply = stage
            .ask(&stage.admin, "POST /v1/knowledge", &[], Some(bad.clone()))
            .await;
        assert_eq!(reply.status, 400, "{bad}: {}", reply.text);
    }
    assert_eq!(
        stage.get("GET /v1/knowledge").await.ok(200)["documents"],
        json!([])
    );
}

#[tokio::test]
async fn what_is_no_longer_in_a_folder_can_be_taken_out() {
    let stage = Stage::new().await;
    for source in ["docs/a.md", "docs/b.md", "docs2/c.md"] {
        let document = json!({"source": source, "content": format!("This is {source}")});
        stage
            .ask(&stage.admin, "POST /v1/knowledge", &[], Some(document))
            .await
            .ok(201);
    }
    let call = "POST /v1/knowledge/prune";
    let left = json!({"prefix": "docs", "keep": ["docs/a.md"]});
    stage.put(call, left.clone()).await.refused(403, "forbidden");
    let all = json!({"prefix": "", "keep": []});
    stage
        .ask(&stage.admin, call, &[], Some(all))
        .await
        .refused(400, "invalid_request");
    let pruned = stage.ask(&stage.admin, call, &[], Some(left)).await.ok(200);
    assert_eq!(pruned, json!({"pruned": ["docs/b.md"]}));
    let listed = stage.get("GET /v1/knowledge").await.ok(200);
    let sources: Vec<_> = listed["documents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|document| document["source"].as_str().unwrap())
        .collect();
    assert_eq!(sources, ["docs/a.md", "docs2/c.md"]);
}
