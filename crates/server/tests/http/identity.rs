//! Who may see what: two users never meet, and nobody says who they are in any other way than by
//! their key.

use serde_json::json;

use crate::stage::Stage;

#[tokio::test]
async fn nobody_passes_without_a_key() {
    let stage = Stage::new().await;
    for call in [
        "GET /v1/memories",
        "POST /v1/search",
        "GET /v1/tools",
        "GET /v1/admin/keys",
        "GET /v1/knowledge",
    ] {
        for key in ["", "rk_guessed", "x.y.z"] {
            let reply = stage.ask(key, call, &[], None).await;
            reply.refused(401, "unauthenticated");
            assert!(reply.header("www-authenticate").starts_with("Bearer"));
        }
    }
    for call in [
        "GET /health/live",
        "GET /health/ready",
        "GET /metrics",
        "GET /openapi.json",
        "GET /docs/",
    ] {
        assert_eq!(stage.ask("", call, &[], None).await.status, 200, "{call}");
    }
    let basic = [("authorization", "Basic eDp5")];
    stage
        .ask("", "GET /v1/memories", &basic, None)
        .await
        .refused(401, "unauthenticated");
    let other_header = [("x-api-key", stage.ana.as_str())];
    stage
        .ask("", "GET /v1/memories", &other_header, None)
        .await
        .ok(200);
}

/// Ana keeps something of every kind. Gives the id of her memory.
async fn ana_keeps_a_garden(stage: &Stage) -> String {
    let garden = json!({"content": "Ana's secret garden", "key": "garden"});
    let written = stage.put("POST /v1/memories", garden).await.ok(201);
    let said = json!({"id": "m", "role": "user", "content": "garden"});
    stage.put("POST /v1/conversations/c/messages", said).await.ok(201);
    for path in ["/v1/working-memory", "/v1/conversations/c/working-memory"] {
        stage
            .put(&format!("PUT {path}"), json!({"garden": 1}))
            .await
            .ok(200);
    }
    let titles = json!({"target_titles": ["garden"]});
    stage.put("PUT /v1/profile/icp", titles).await.ok(200);
    let place = json!({"id": "e", "kind": "place", "name": "Garden"});
    stage.put("POST /v1/entities", place).await.ok(201);
    written["memory"]["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn the_ids_of_another_user_name_nothing() {
    let stage = Stage::new().await;
    let id = ana_keeps_a_garden(&stage).await;
    for call in [
        "GET /v1/memories/ID",
        "GET /v1/memories/key:garden",
        "GET /v1/memories/ID/history",
        "DELETE /v1/memories/ID",
        "DELETE /v1/memories/ID?erase=true",
        "POST /v1/memories/ID/restore",
        "GET /v1/conversations/c",
        "GET /v1/conversations/c/messages",
        "DELETE /v1/conversations/c/messages/m",
        "DELETE /v1/conversations/c",
        "GET /v1/working-memory",
        "GET /v1/conversations/c/working-memory",
        "GET /v1/profile/icp",
        "GET /v1/entities/e",
        "DELETE /v1/entities/e",
    ] {
        let reply = stage.ask(&stage.bob, &call.replace("ID", &id), &[], None).await;
        reply.refused(404, "not_found");
    }
    let edit = Some(json!({"content": "Bob was here"}));
    let call = format!("PATCH /v1/memories/{id}");
    stage
        .ask(&stage.bob, &call, &[], edit)
        .await
        .refused(404, "not_found");
    assert_eq!(
        stage.get("GET /v1/memories/key:garden").await.ok(200)["version"],
        1
    );
}

#[tokio::test]
async fn no_search_or_list_shows_another_user() {
    let stage = Stage::new().await;
    let id = ana_keeps_a_garden(&stage).await;
    for (call, body) in [
        ("POST /v1/search", json!({"query": "garden"})),
        ("POST /v1/context", json!({"topic": "garden"})),
        ("POST /v1/conversations/c/context", json!({})),
        ("POST /v1/tools/search_memory", json!({"query": "garden"})),
        (
            "POST /v1/tools/get_conversation_history",
            json!({"search": "garden"}),
        ),
    ] {
        let reply = stage.ask(&stage.bob, call, &[], Some(body)).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        let shown =
            reply.text.contains("secret") || reply.text.contains("Garden") || reply.text.contains(&id);
        assert!(!shown, "{call}: {}", reply.text);
    }
    for list in ["memories", "entities", "conversations", "events", "document"] {
        let text = stage
            .ask(&stage.bob, &format!("GET /v1/{list}"), &[], None)
            .await
            .text;
        assert!(!text.contains("arden") && !text.contains(&id), "{list}: {text}");
    }
}

#[tokio::test]
async fn a_user_id_that_is_smuggled_in_is_refused() {
    let stage = Stage::new().await;
    for name in ["user", "user_id", "userId"] {
        let mut body = json!({"content": "x"});
        body[name] = json!("bob");
        stage
            .put("POST /v1/memories", body.clone())
            .await
            .refused(400, "invalid_json");
        stage
            .put("POST /v1/tools/store_memory", body)
            .await
            .refused(400, "invalid_request");
        stage
            .get(&format!("GET /v1/memories?{name}=bob"))
            .await
            .refused(400, "invalid_request");
        let mut body = json!({"category": "icp"});
        body[name] = json!("bob");
        stage
            .put("POST /api/tools/user-context", body)
            .await
            .refused(400, "invalid_json");
    }
    let named = [("recalld-user", "bob")];
    stage
        .ask(&stage.ana, "GET /v1/memories", &named, None)
        .await
        .refused(403, "forbidden");
    stage
        .ask(&stage.ana, "GET /v1/memories", &[("recalld-user", "ana")], None)
        .await
        .ok(200);
}

#[tokio::test]
async fn a_service_acts_for_the_user_it_names() {
    let stage = Stage::new().await;
    stage
        .ask(&stage.service, "GET /v1/memories", &[], None)
        .await
        .refused(400, "invalid_request");
    let named = [("recalld-user", "ana")];
    let body = Some(json!({"content": "Said to the service"}));
    stage
        .ask(&stage.service, "POST /v1/memories", &named, body)
        .await
        .ok(201);
    assert_eq!(
        stage.get("GET /v1/memories").await.ok(200)["memories"][0]["content"],
        "Said to the service"
    );
    let twice = [("recalld-user", "ana"), ("recalld-user", "bob")];
    stage
        .ask(&stage.service, "GET /v1/memories", &twice, None)
        .await
        .refused(400, "invalid_request");
    stage
        .ask(&stage.service, "GET /v1/memories", &[("recalld-user", " ")], None)
        .await
        .refused(400, "invalid_request");
    stage
        .ask(&stage.service, "GET /v1/admin/keys", &named, None)
        .await
        .refused(403, "forbidden");
}

#[tokio::test]
async fn keys_are_made_listed_and_revoked_by_administrators() {
    let stage = Stage::new().await;
    let new = json!({"kind": "user", "user": "carol", "namespace": "acme", "name": "laptop"});
    stage
        .put("POST /v1/admin/keys", new.clone())
        .await
        .refused(403, "forbidden");
    let idempotent = [("idempotency-key", "k1")];
    let made = stage
        .ask(
            &stage.admin,
            "POST /v1/admin/keys",
            &idempotent,
            Some(new.clone()),
        )
        .await
        .ok(201);
    let again = stage
        .ask(&stage.admin, "POST /v1/admin/keys", &idempotent, Some(new))
        .await
        .ok(201);
    assert_ne!(made["key"], again["key"], "a key is never replayed");
    let key = made["key"].as_str().unwrap();
    stage.ask(key, "GET /v1/memories", &[], None).await.ok(200);
    let listed = stage.ask(&stage.admin, "GET /v1/admin/keys", &[], None).await;
    assert!(listed.text.contains("laptop") && !listed.text.contains(key));
    let revoke = format!("DELETE /v1/admin/keys/{}", made["id"].as_str().unwrap());
    stage.ask(&stage.admin, &revoke, &[], None).await.ok(204);
    stage
        .ask(key, "GET /v1/memories", &[], None)
        .await
        .refused(401, "unauthenticated");
    stage
        .ask(&stage.admin, &revoke, &[], None)
        .await
        .refused(404, "not_found");
    for bad in [
        json!({"kind": "user"}),
        json!({"kind": "admin", "user": "carol"}),
        json!({"kind": "admin", "namespace": "acme"}),
        json!({"kind": "service", "namespace": "A B"}),
        json!({"kind": "service", "name": "two\nlines"}),
        json!({"kind": "service", "name": "x".repeat(129)}),
    ] {
        stage
            .ask(&stage.admin, "POST /v1/admin/keys", &[], Some(bad))
            .await
            .refused(400, "invalid_request");
    }
}

#[tokio::test]
async fn a_namespace_is_apart() {
    let stage = Stage::new().await;
    let new = json!({"kind": "user", "user": "ana", "namespace": "acme"});
    let made = stage
        .ask(&stage.admin, "POST /v1/admin/keys", &[], Some(new))
        .await
        .ok(201);
    stage
        .put("POST /v1/memories", json!({"content": "Outside"}))
        .await
        .ok(201);
    let inside = stage
        .ask(made["key"].as_str().unwrap(), "GET /v1/memories", &[], None)
        .await
        .ok(200);
    assert_eq!(inside["memories"], json!([]));
}
