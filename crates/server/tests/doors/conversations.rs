//! OpenAI's conversations.

use serde_json::{Value, json};

use crate::stage::Stage;

const CONVERSATIONS: &str = "/openai/v1/conversations";

async fn create(stage: &Stage, body: Value) -> String {
    let made = stage.put(&format!("POST {CONVERSATIONS}"), body).await.ok(200);
    assert_eq!(made["object"], "conversation");
    made["id"].as_str().unwrap().to_owned()
}

fn ids(list: &Value) -> Vec<&str> {
    let items = list["data"].as_array().unwrap();
    items.iter().map(|item| item["id"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn items_come_back_as_they_were_and_messages_are_found() {
    for stage in Stage::both().await {
        let call = json!({"id": "fc_1", "type": "function_call", "call_id": "c1", "name": "f", "arguments": "{\"a\": 1.0}", "status": "completed"});
        let id = create(&stage, json!({"metadata": {"topic": "tea"}, "items": [{"role": "user", "content": "I drink oolong tea"}]})).await;
        let items = json!({"items": [call, {"type": "function_call_output", "call_id": "c1", "output": "ok"},
            {"role": "assistant", "content": "Noted"}]});
        let added = stage
            .put(&format!("POST {CONVERSATIONS}/{id}/items"), items)
            .await
            .ok(200);
        assert_eq!(added["data"][0], call);
        let listed = stage
            .get(&format!("GET {CONVERSATIONS}/{id}/items?order=asc"))
            .await
            .ok(200);
        assert_eq!(
            (listed["data"].as_array().unwrap().len(), &listed["has_more"]),
            (4, &json!(false))
        );
        assert_eq!(
            listed["data"][0]["content"][0],
            json!({"type": "input_text", "text": "I drink oolong tea"})
        );
        assert_eq!(listed["data"][3]["content"][0]["type"], "output_text");
        assert_eq!(listed["data"][1].to_string(), call.to_string());
        let one = stage
            .get(&format!("GET {CONVERSATIONS}/{id}/items/fc_1"))
            .await
            .ok(200);
        assert_eq!(one, call);
        let messages = stage
            .get(&format!("GET /v1/conversations/{id}/messages"))
            .await
            .ok(200);
        assert_eq!(messages["messages"].as_array().unwrap().len(), 2, "{messages}");
        let found = stage
            .put("POST /v1/search", json!({"query": "oolong tea"}))
            .await
            .ok(200);
        assert!(found.to_string().contains("oolong"), "{found}");

        let changed = stage
            .put(
                &format!("POST {CONVERSATIONS}/{id}"),
                json!({"metadata": {"topic": "x"}}),
            )
            .await
            .ok(200);
        assert_eq!(changed["metadata"], json!({"topic": "x"}));
        let foreign = stage.bob(&format!("GET {CONVERSATIONS}/{id}/items"), None).await;
        let unknown = stage
            .bob(&format!("GET {CONVERSATIONS}/conv_none/items"), None)
            .await;
        assert_eq!((foreign.status, &foreign.text), (404, &unknown.text));
        assert_eq!(foreign.json()["error"]["type"], "invalid_request_error");
    }
}

#[tokio::test]
async fn items_are_paged_and_removed() {
    for stage in Stage::both().await {
        let items: Vec<Value> = (0..5)
            .map(|n| json!({"id": format!("msg_{n}"), "role": "user", "content": format!("Number {n}")}))
            .collect();
        let id = create(&stage, json!({ "items": items })).await;
        let page = async |query: &str| {
            stage
                .get(&format!("GET {CONVERSATIONS}/{id}/items?{query}"))
                .await
                .ok(200)
        };
        let first = page("limit=2").await;
        assert_eq!(
            (ids(&first), &first["has_more"]),
            (vec!["msg_4", "msg_3"], &json!(true))
        );
        assert_eq!(
            (&first["first_id"], &first["last_id"]),
            (&json!("msg_4"), &json!("msg_3"))
        );
        assert_eq!(
            ids(&page("limit=10&after=msg_3").await),
            ["msg_2", "msg_1", "msg_0"]
        );
        assert_eq!(ids(&page("order=asc&limit=1&after=msg_3").await), ["msg_4"]);
        let gone = stage
            .get(&format!("DELETE {CONVERSATIONS}/{id}/items/msg_2"))
            .await
            .ok(200);
        assert_eq!(gone["object"], "conversation");
        assert_eq!(
            ids(&page("order=asc").await),
            ["msg_0", "msg_1", "msg_3", "msg_4"]
        );
        let messages = stage
            .get(&format!("GET /v1/conversations/{id}/messages"))
            .await
            .ok(200);
        assert!(!messages.to_string().contains("Number 2"));

        // What is erased over REST is gone here.
        stage
            .get(&format!("DELETE /v1/conversations/{id}/messages/msg_3"))
            .await
            .ok(204);
        assert_eq!(ids(&page("order=asc").await), ["msg_0", "msg_1", "msg_4"]);
        let deleted = stage.get(&format!("DELETE {CONVERSATIONS}/{id}")).await.ok(200);
        assert_eq!(
            deleted,
            json!({"id": id, "object": "conversation.deleted", "deleted": true})
        );
        assert_eq!(stage.get(&format!("GET {CONVERSATIONS}/{id}")).await.status, 404);
        let archive = stage.get("GET /v1/export").await;
        assert!(!String::from_utf8_lossy(&archive.bytes).contains("Number 1"));
    }
}

#[tokio::test]
async fn secrets_are_redacted_and_bad_requests_refused() {
    for stage in Stage::both().await {
        let secret = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH";
        let id = create(
            &stage,
            json!({"items": [{"role": "user", "content": format!("My key is {secret}")}]}),
        )
        .await;
        let listed = stage.get(&format!("GET {CONVERSATIONS}/{id}/items")).await;
        assert!(!listed.text.contains(secret), "{}", listed.text);
        let many: Vec<Value> = (0..21).map(|_| json!({"role": "user", "content": "x"})).collect();
        for bad in [
            json!({"items": "x"}),
            json!({"items": [3]}),
            json!({"items": [{"content": "x"}]}),
            json!({ "items": many }),
            json!({"metadata": {"a": 1}}),
            json!({"metadata": []}),
        ] {
            let refused = stage.put(&format!("POST {CONVERSATIONS}"), bad.clone()).await;
            assert_eq!(refused.status, 400, "{bad}: {}", refused.text);
            assert!(refused.json()["error"]["message"].is_string());
        }
        let unknown = stage.get("GET /openai/v1/nothing").await;
        assert_eq!(
            (unknown.status, unknown.json()["error"]["type"].as_str()),
            (404, Some("invalid_request_error"))
        );
        let none = stage
            .ask("", &format!("GET {CONVERSATIONS}/{id}"), &[], None)
            .await;
        assert_eq!(
            (none.status, none.json()["error"]["type"].as_str()),
            (401, Some("authentication_error"))
        );
    }
}
