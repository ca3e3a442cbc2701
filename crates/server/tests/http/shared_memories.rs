//! Memories that all users may recall, and names that other systems use.

use serde_json::json;

use crate::stage::Stage;

#[tokio::test]
async fn administrators_write_what_everybody_recalls() {
    for stage in Stage::both().await {
        recalled_by_all(&stage).await;
    }
}

async fn recalled_by_all(stage: &Stage) {
    let closing = json!({"content": "The office is closed on Fridays", "key": "closing_day"});
    let call = "POST /v1/shared/memories";
    for key in [&stage.ana, &stage.service] {
        stage
            .ask(key, call, &[], Some(closing.clone()))
            .await
            .refused(403, "forbidden");
    }
    let written = stage
        .ask(&stage.admin, call, &[], Some(closing.clone()))
        .await
        .ok(201);
    assert_eq!(written["outcome"], "stored");
    let again = stage.ask(&stage.admin, call, &[], Some(closing)).await.ok(200);
    assert_eq!(again["outcome"], "duplicate");
    let secret = json!({"content": "the password is hunter2hunter2"});
    stage
        .ask(&stage.admin, call, &[], Some(secret))
        .await
        .refused(422, "secret_refused");
    let listed = stage.get("GET /v1/shared/memories").await.ok(200);
    assert_eq!(
        listed["memories"][0]["content"],
        "The office is closed on Fridays"
    );
    let own = stage.get("GET /v1/memories").await.ok(200);
    assert_eq!(own["memories"], json!([]), "it is nobody's own");
    let asked = json!({"query": "when is the office closed?"});
    let found = stage.put("POST /v1/tools/recall_memory", asked).await.ok(200);
    assert!(found.to_string().contains("closed on Fridays"), "{found}");
    let gone = "DELETE /v1/shared/memories/key:closing_day?erase=true";
    stage.get(gone).await.refused(403, "forbidden");
    stage.ask(&stage.admin, gone, &[], None).await.ok(204);
    let listed = stage.get("GET /v1/shared/memories").await.ok(200);
    assert_eq!(listed["memories"], json!([]));
}

#[tokio::test]
async fn the_user_scope_names_the_user() {
    for stage in Stage::both().await {
        scope_of_user(&stage).await;
    }
}

async fn scope_of_user(stage: &Stage) {
    let me = stage.get("GET /v1/me").await.ok(200);
    assert_eq!((&me["user"], &me["scope"]), (&json!("ana"), &json!("user:ana")));
    let tea = json!({"content": "likes tea"});
    stage
        .ask(
            &stage.service,
            "POST /v1/memories",
            &[("recalld-user", "user:ana")],
            Some(tea),
        )
        .await
        .ok(201);
    for named in ["ana", "user:ana"] {
        let of_ana = [("recalld-user", named)];
        let page = stage
            .ask(&stage.service, "GET /v1/memories", &of_ana, None)
            .await
            .ok(200);
        assert_eq!(page["memories"][0]["content"], "likes tea");
    }
    let own = [("recalld-user", "user:ana")];
    stage
        .ask(&stage.ana, "GET /v1/memories", &own, None)
        .await
        .ok(200);
    let other = [("recalld-user", "user:bob")];
    stage
        .ask(&stage.ana, "GET /v1/memories", &other, None)
        .await
        .refused(403, "forbidden");
}

#[tokio::test]
async fn the_places_of_the_document_have_two_names() {
    for stage in Stage::both().await {
        two_names_of_places(&stage).await;
    }
}

async fn two_names_of_places(stage: &Stage) {
    let fact = json!({"content": "says \"places_of_interest\": [ in quotes"});
    stage.put("POST /v1/memories", fact).await.ok(201);
    let usual = stage.get("GET /v1/document").await.ok(200);
    let other = stage
        .get("GET /v1/document?places_as=placer_user_datapoints")
        .await
        .ok(200);
    assert_eq!(usual["places_of_interest"], other["placer_user_datapoints"]);
    assert_eq!(other["places_of_interest"], json!(null));
    assert_eq!(usual["facts"], other["facts"]);
    stage
        .get("GET /v1/document?places_as=nonsense")
        .await
        .refused(400, "invalid_request");
}

#[tokio::test]
async fn without_a_channel_there_is_no_webhook() {
    let stage = Stage::new().await;
    stage
        .ask("", "POST /channels/feishu", &[], Some(json!({})))
        .await
        .refused(404, "not_found");
}
