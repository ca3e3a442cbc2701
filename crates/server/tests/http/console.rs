//! The console's files, and the endpoints that were added for it.

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

use crate::description::is_described;
use crate::stage::{Reply, Stage};

async fn fetched(stage: &Stage, path: &str, headers: &[(&str, &str)]) -> Reply {
    let mut request = Request::get(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    stage.send(request.body(Body::empty()).unwrap()).await
}

async fn learned(stage: &Stage, content: &str) -> Value {
    let body = json!({"content": content});
    stage.put("POST /v1/memories", body).await.ok(201)["memory"].clone()
}

#[tokio::test]
async fn the_console_needs_no_key_and_allows_only_itself() {
    let stage = Stage::new().await;
    let page = fetched(&stage, "/", &[]).await;
    assert_eq!(page.status, 200);
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    let policy = page.header("content-security-policy");
    assert!(
        policy.starts_with("default-src 'none'; script-src 'self'"),
        "{policy}"
    );
    assert!(!policy.contains("unsafe"), "{policy}");
    let again = fetched(&stage, "/", &[("if-none-match", page.header("etag"))]).await;
    assert_eq!((again.status, again.text.as_str()), (304, ""));
}

#[tokio::test]
async fn every_file_that_the_page_names_is_there_and_never_changes() {
    let stage = Stage::new().await;
    let page = fetched(&stage, "/", &[]).await.text;
    let names: Vec<&str> = page
        .split('"')
        .filter(|part| part.starts_with("console/"))
        .collect();
    assert_eq!(names.len(), 2, "{page}");
    for name in names {
        let file = fetched(&stage, &format!("/{name}"), &[]).await;
        assert_eq!(file.status, 200, "{name}");
        assert!(file.header("cache-control").contains("immutable"), "{name}");
        assert!(
            file.header("content-security-policy").contains("'none'"),
            "{name}"
        );
    }
    fetched(&stage, "/console/nothing.js", &[])
        .await
        .refused(404, "not_found");
}

#[tokio::test]
async fn a_caller_is_told_who_they_are() {
    let stage = Stage::new().await;
    let ana = stage.get("GET /v1/me").await.ok(200);
    is_described(&stage, "GET /v1/me", &ana).await;
    assert_eq!((&ana["kind"], &ana["user"]), (&json!("user"), &json!("ana")));
    let named = [("recalld-user", "bob")];
    let service = stage
        .ask(&stage.service, "GET /v1/me", &named, None)
        .await
        .ok(200);
    assert_eq!(
        (&service["kind"], &service["user"]),
        (&json!("service"), &json!("bob"))
    );
    let admin = stage.ask(&stage.admin, "GET /v1/me", &[], None).await.ok(200);
    assert_eq!((&admin["kind"], &admin["user"]), (&json!("admin"), &Value::Null));
}

#[tokio::test]
async fn what_a_user_has_is_counted() {
    for stage in Stage::both().await {
        counted(&stage).await;
    }
}

async fn counted(stage: &Stage) {
    let tea = learned(stage, "Likes tea").await;
    learned(stage, "Has a dog").await;
    let gone = format!("DELETE /v1/memories/{}", tea["id"].as_str().unwrap());
    stage.get(&gone).await.ok(204);
    let stats = stage.get("GET /v1/stats").await.ok(200);
    is_described(stage, "GET /v1/stats", &stats).await;
    assert_eq!(
        (&stats["memories"]["current"], &stats["memories"]["forgotten"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(stats["categories"], json!({"personal_context": 1}));
    assert_eq!(
        (&stats["conversations"], &stats["knowledge"]),
        (&json!(0), &json!(0))
    );
}

#[tokio::test]
async fn what_waits_for_a_person_is_counted_until_it_is_confirmed() {
    for stage in Stage::both().await {
        counted_until_confirmed(&stage).await;
    }
}

async fn counted_until_confirmed(stage: &Stage) {
    let within = [("recalld-conversation", "c1")];
    let unsure = json!({"content": "Might like jazz", "confidence": 0.5});
    stage
        .ask(&stage.ana, "POST /v1/memories", &within, Some(unsure))
        .await
        .ok(201);
    let noted = json!({"content": "Travels to Porto for work"});
    stage
        .ask(&stage.ana, "POST /v1/tools/store_memory", &[], Some(noted))
        .await
        .ok(200);
    let said = json!({"role": "user", "content": "Hello"});
    stage
        .ask(&stage.ana, "POST /v1/conversations/c1/messages", &[], Some(said))
        .await
        .ok(201);
    let handbook = json!({"source": "travel.md", "content": "# Travel\n\nBook early."});
    stage
        .ask(&stage.admin, "POST /v1/knowledge", &[], Some(handbook))
        .await
        .ok(201);
    let stats = stage.get("GET /v1/stats").await.ok(200);
    let counts = ["unconfirmed", "conversations", "knowledge"].map(|name| stats[name].clone());
    assert_eq!(counts, [json!(2), json!(1), json!(1)]);
    let page = stage.get("GET /v1/memories").await.ok(200);
    for memory in page["memories"].as_array().unwrap() {
        let id = memory["id"].as_str().unwrap();
        let confirm = format!("POST /v1/memories/{id}/confirm");
        stage.ask(&stage.ana, &confirm, &[], None).await.ok(200);
        let certain = json!({"confidence": 1});
        let path = format!("PATCH /v1/memories/{id}");
        stage.ask(&stage.ana, &path, &[], Some(certain)).await.ok(200);
    }
    let stats = stage.get("GET /v1/stats").await.ok(200);
    assert_eq!(stats["unconfirmed"], json!(0));
}

#[tokio::test]
async fn memories_are_listed_by_origin_confidence_time_and_conversation() {
    let stage = Stage::new().await;
    learned(&stage, "Likes tea").await;
    let unsure = json!({"content": "Might like jazz", "confidence": 0.5});
    let within = [("recalld-conversation", "c1")];
    stage
        .ask(&stage.ana, "POST /v1/memories", &within, Some(unsure))
        .await
        .ok(201);
    let count = async |query: &str| {
        let page = stage.get(&format!("GET /v1/memories?{query}")).await.ok(200);
        page["memories"].as_array().unwrap().len()
    };
    assert_eq!(count("origin=user").await, 2);
    assert_eq!(count("origin=inferred").await, 0);
    assert_eq!(count("confidence_below=0.7").await, 1);
    assert_eq!(count("conversation=c1").await, 1);
    assert_eq!(count("since=2020-01-01").await, 2);
    assert_eq!(count("since=2099-01-01").await, 0);
    for query in [
        "origin=nobody",
        "confidence_below=2",
        "since=yesterday",
        "conversation=",
    ] {
        let refused = stage.get(&format!("GET /v1/memories?{query}")).await;
        refused.refused(400, "invalid_request");
    }
}

#[tokio::test]
async fn similar_memories_are_found_and_do_not_count_as_recalled() {
    let stage = Stage::new().await;
    let tea = learned(&stage, "Likes green tea in the morning").await;
    let other = learned(&stage, "Drinks green tea").await;
    let call = |what: &str| format!("GET /v1/memories/{}/{what}", tea["id"].as_str().unwrap());
    let similar = stage.get(&call("similar?limit=3")).await.ok(200);
    is_described(&stage, "GET /v1/memories/{id}/similar", &similar).await;
    assert_eq!(similar["results"][0]["memory"]["id"], other["id"]);
    assert!(!similar.to_string().contains(tea["id"].as_str().unwrap()));
    let recalls = stage.get(&call("recalls")).await.ok(200);
    assert_eq!(recalls, json!({"times": 0, "last_on": null}));
    stage
        .put("POST /v1/search", json!({"query": "green tea morning"}))
        .await
        .ok(200);
    let recalls = stage.get(&call("recalls")).await.ok(200);
    assert_eq!(
        (&recalls["times"], &recalls["last_on"]),
        (&json!(1), &json!("2026-03-01"))
    );
    stage
        .get(&call("similar?limit=0"))
        .await
        .refused(400, "invalid_request");
    let bobs = stage.ask(&stage.bob, &call("similar"), &[], None).await;
    bobs.refused(404, "not_found");
}

#[tokio::test]
async fn many_are_forgotten_in_one_change_and_strangers_stay() {
    let stage = Stage::new().await;
    let (tea, dog) = (
        learned(&stage, "Likes tea").await,
        learned(&stage, "Has a dog").await,
    );
    let stranger = "01890000-0000-7000-8000-000000000000";
    let body = json!({"ids": [tea["id"], dog["id"], tea["id"], stranger]});
    // Bob's key hides nothing of Ana's.
    let bobs = stage
        .ask(&stage.bob, "POST /v1/memories/forget", &[], Some(body.clone()))
        .await
        .ok(200);
    assert_eq!(bobs["hidden"], json!([]));
    let done = stage.put("POST /v1/memories/forget", body).await.ok(200);
    is_described(&stage, "POST /v1/memories/forget", &done).await;
    assert_eq!(done["hidden"], json!([tea["id"], dog["id"]]));
    assert_eq!(done["not_found"], json!([stranger]));
    assert_eq!(stage.get("GET /v1/memories").await.ok(200)["memories"], json!([]));
    // One change: undo brings back both.
    let undone = stage.put("POST /v1/undo", json!({})).await.ok(200);
    assert_eq!(undone["restored"].as_array().unwrap().len(), 2);
    for ids in [json!([]), json!(["key:tea"]), json!(vec![stranger; 501])] {
        let refused = stage.put("POST /v1/memories/forget", json!({"ids": ids})).await;
        refused.refused(400, "invalid_request");
    }
}

#[tokio::test]
async fn users_are_listed_for_those_who_act_for_them() {
    let stage = Stage::new().await;
    learned(&stage, "Likes tea").await;
    let bob = json!({"content": "Likes rum"});
    stage
        .ask(&stage.bob, "POST /v1/memories", &[], Some(bob))
        .await
        .ok(201);
    let first = stage
        .ask(&stage.admin, "GET /v1/admin/users?limit=1", &[], None)
        .await
        .ok(200);
    is_described(&stage, "GET /v1/admin/users", &first).await;
    assert_eq!(first["users"][0]["id"], "ana");
    assert_eq!(first["users"][0]["memories"], 1);
    assert!(first["users"][0]["last_active_at"].is_string());
    let next = first["next_page"].as_str().unwrap();
    let second = stage
        .ask(
            &stage.service,
            &format!("GET /v1/admin/users?after={next}"),
            &[],
            None,
        )
        .await
        .ok(200);
    assert_eq!(second["users"].as_array().unwrap().len(), 1);
    assert_eq!(second["users"][0]["id"], "bob");
    stage.get("GET /v1/admin/users").await.refused(403, "forbidden");
    stage.get("GET /v1/admin/store").await.refused(403, "forbidden");
    let store = stage
        .ask(&stage.admin, "GET /v1/admin/store", &[], None)
        .await
        .ok(200);
    assert_eq!(store["embedding_model"], Value::Null);
}

#[tokio::test]
async fn a_sign_in_link_gives_its_key_once() {
    let stage = Stage::new().await;
    let link = stage.get("POST /v1/sign-in-links").await.ok(201);
    assert_eq!(
        link["path"],
        format!("/#signin={}", link["code"].as_str().unwrap())
    );
    let redeem = async || {
        let body = json!({"code": link["code"]}).to_string();
        let request = Request::post("/v1/sign-in").header("content-type", "application/json");
        stage.send(request.body(Body::from(body)).unwrap()).await
    };
    assert_eq!(redeem().await.ok(200)["key"], stage.ana);
    redeem().await.refused(401, "unauthenticated");
}
