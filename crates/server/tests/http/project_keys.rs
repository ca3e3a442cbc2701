//! A key for one project sees what recall in that project sees, and writes there alone.

use serde_json::{Value, json};

use crate::stage::Stage;

/// Stores one memory in each of two projects and one everywhere, and makes a key for the first.
async fn stage() -> (Stage, String, Vec<String>) {
    let stage = Stage::new().await;
    let mut ids = Vec::new();
    for (content, project) in [
        ("The shop sells lanterns", Some("shop")),
        ("The bank stores lanterns in a vault", Some("bank")),
        ("Ana likes lanterns", None),
    ] {
        let body = json!({"content": content, "project": project});
        let made = stage.ask(&stage.ana, "POST /v1/memories", &[], Some(body)).await;
        ids.push(made.ok(201)["memory"]["id"].as_str().unwrap().to_owned());
    }
    let new = json!({"kind": "user", "user": "ana", "scopes": ["project:shop"]});
    let made = stage
        .ask(&stage.admin, "POST /v1/admin/keys", &[], Some(new))
        .await;
    let key = made.ok(201)["key"].as_str().unwrap().to_owned();
    (stage, key, ids)
}

#[tokio::test]
async fn it_sees_the_project_and_what_is_of_none() {
    let (stage, key, ids) = stage().await;
    let listed = stage.ask(&key, "GET /v1/memories", &[], None).await.ok(200);
    assert_eq!(listed["memories"].as_array().unwrap().len(), 2, "{listed}");
    let query = json!({"query": "who has lanterns?"});
    for call in [
        "POST /v1/search",
        "POST /v1/context",
        "POST /v1/tools/search_memory",
    ] {
        let body = match call.contains("context") {
            true => json!({"topic": "who has lanterns?"}),
            false => query.clone(),
        };
        let found = stage.ask(&key, call, &[], Some(body)).await;
        assert!(found.text.contains("shop sells"), "{call}: {}", found.text);
        assert!(!found.text.contains("vault"), "{call}: {}", found.text);
    }
    for (id, status) in ids.iter().zip([200, 404, 200]) {
        let read = stage
            .ask(&key, &format!("GET /v1/memories/{id}"), &[], None)
            .await;
        assert_eq!(read.status, status, "{}", read.text);
    }
    let other = [("recalld-project", "bank")];
    let named = stage.ask(&key, "GET /v1/memories", &other, None).await;
    named.refused(403, "forbidden");
    let same = [("recalld-project", "shop")];
    stage.ask(&key, "GET /v1/memories", &same, None).await.ok(200);
    let me = stage.ask(&key, "GET /v1/me", &[], None).await.ok(200);
    assert_eq!(me["scopes"], json!(["read", "write", "project:shop"]));
}

#[tokio::test]
async fn it_writes_into_the_project_alone() {
    let (stage, key, ids) = stage().await;
    // A preference would be the user's own everywhere, and words that are known elsewhere are not
    // known here.
    for content in [
        "I prefer short answers",
        "Ana likes lanterns",
        "The bank stores lanterns in a vault",
    ] {
        let body = json!({"content": content, "category": "preference", "key": "wish"});
        let made = stage.ask(&key, "POST /v1/memories", &[], Some(body)).await;
        if made.status == 201 {
            assert_eq!(made.ok(201)["memory"]["project"], json!("shop"), "{content}");
        }
    }
    for (call, body) in [
        (
            "POST /v1/memories".to_owned(),
            json!({"content": "x y", "project": "bank"}),
        ),
        (
            "POST /v1/memories/batch".to_owned(),
            json!({"memories": [{"content": "x y", "project": "bank"}]}),
        ),
        (format!("PATCH /v1/memories/{}", ids[0]), json!({"project": null})),
        (
            format!("PATCH /v1/memories/{}", ids[0]),
            json!({"project": "bank"}),
        ),
    ] {
        let reply = stage.ask(&key, &call, &[], Some(body)).await;
        reply.refused(403, "forbidden");
    }
    let edit = || Some(json!({"content": "taken over"}));
    for (id, status) in ids.iter().zip([200, 404, 404]) {
        let edited = stage
            .ask(&key, &format!("PATCH /v1/memories/{id}"), &[], edit())
            .await;
        assert_eq!(edited.status, status, "{}", edited.text);
    }
    for (id, status) in ids.iter().zip([204, 404, 404]) {
        for erase in ["", "?erase=true"] {
            let gone = stage
                .ask(&key, &format!("DELETE /v1/memories/{id}{erase}"), &[], None)
                .await;
            assert_eq!(gone.status, status, "{erase} {}", gone.text);
        }
    }
    for (tool, arguments) in [
        ("update_memory", json!({"id": ids[2], "value": "taken over"})),
        ("delete_memory", json!({"id": ids[2]})),
        ("manage_user_memory", json!({"action": "get"})),
    ] {
        stage
            .ask(&key, &format!("POST /v1/tools/{tool}"), &[], Some(arguments))
            .await;
    }
    let all: Value = stage.ask(&stage.ana, "GET /v1/memories", &[], None).await.ok(200);
    for kept in ["The bank stores lanterns in a vault", "Ana likes lanterns"] {
        assert!(all.to_string().contains(kept), "{all}");
    }
    assert!(!all.to_string().contains("taken over"), "{all}");
}
