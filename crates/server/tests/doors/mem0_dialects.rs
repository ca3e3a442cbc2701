//! mem0: who is named by `user_id`, and the dialect of its self-hosted server.

use serde_json::{Value, json};

use crate::mem0::texts;
use crate::stage::Stage;

#[tokio::test]
async fn a_service_names_the_user_and_a_user_only_a_label() {
    for stage in Stage::both().await {
        let body = json!({"messages": "Has a dog", "user_id": "bob", "infer": false});
        stage
            .put("POST /mem0/v3/memories/add/", body.clone())
            .await
            .ok(200);
        let bobs = stage.bob("GET /v1/memories", None).await.ok(200);
        assert_eq!(bobs["memories"], json!([]), "a label reaches nobody");
        let by_service =
            async |call: &str, body: Option<Value>| stage.ask(&stage.service, call, &[], body).await;
        by_service("POST /mem0/v3/memories/add/", Some(body))
            .await
            .ok(200);
        let bobs = stage.bob("GET /v1/memories", None).await.ok(200);
        assert_eq!(bobs["memories"][0]["content"], "Has a dog");
        let search = json!({"query": "dog", "filters": {"AND": [{"user_id": "bob"}]}});
        let found = by_service("POST /mem0/v3/memories/search/", Some(search))
            .await
            .ok(200);
        assert_eq!(texts(&found), ["Has a dog"]);
        let nobody = by_service("GET /mem0/v1/entities/", None).await;
        assert_eq!(nobody.status, 400, "{}", nobody.text);
    }
}

#[tokio::test]
async fn the_self_hosted_dialect_is_spoken_too() {
    for stage in Stage::both().await {
        let key = [("x-api-key", stage.ana.as_str())];
        let ask = async |call: &str, body: Option<Value>| stage.ask("", call, &key, body).await;
        let body =
            json!({"messages": [{"role": "user", "content": "Plays chess"}], "user_id": "u", "infer": false});
        let added = ask("POST /mem0/memories", Some(body)).await.ok(200);
        let id = added["results"][0]["id"].as_str().unwrap();
        assert_eq!(added["results"][0]["memory"], "Plays chess");
        assert_eq!(
            texts(&ask("GET /mem0/memories?user_id=u", None).await.ok(200)),
            ["Plays chess"]
        );
        let search = json!({"query": "chess", "user_id": "u"});
        assert_eq!(
            texts(&ask("POST /mem0/search", Some(search)).await.ok(200)),
            ["Plays chess"]
        );
        ask(
            &format!("PUT /mem0/memories/{id}"),
            Some(json!({"text": "Plays go"})),
        )
        .await
        .ok(200);
        assert_eq!(
            ask(&format!("GET /mem0/memories/{id}"), None).await.ok(200)["memory"],
            "Plays go"
        );
        ask(&format!("DELETE /mem0/memories/{id}"), None).await.ok(200);
        let infers = json!({"messages": [{"role": "user", "content": "My name is Alex."}], "user_id": "u"});
        let pending = ask("POST /mem0/v3/memories/add/", Some(infers)).await.ok(200);
        assert_eq!(pending["status"], "PENDING");
        let event = pending["event_id"].as_str().unwrap();
        assert_eq!(
            ask(&format!("GET /mem0/v1/event/{event}/"), None).await.ok(200)["status"],
            "PENDING"
        );
        let foreign = stage.bob(&format!("GET /mem0/v1/event/{event}/"), None).await;
        let unknown = stage.bob("GET /mem0/v1/event/nothing/", None).await;
        assert_eq!((foreign.status, &foreign.text), (404, &unknown.text));
        for (call, status) in [
            ("GET /mem0/v9/nothing/", 404),
            ("GET /mem0/v1/ping", 404),
            ("PATCH /mem0/memories", 405),
        ] {
            let refused = ask(call, None).await;
            assert_eq!(refused.status, status, "{call}");
            assert!(refused.json()["detail"].is_string(), "{call}: {}", refused.text);
        }
    }
}
