//! Conversations and messages.

use serde_json::{Value, json};

use crate::stage::Stage;

fn contents(page: &Value) -> Vec<&str> {
    page["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| message["content"].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn a_conversation_is_opened_renamed_listed_and_erased() {
    let stage = Stage::new().await;
    let thread = json!({"channel": "slack", "chat": "c9", "root": "m1", "title": "Trip"});
    assert_eq!(
        stage.put("POST /v1/conversations", thread.clone()).await.ok(201)["id"],
        "slack:c9:m1"
    );
    stage.put("POST /v1/conversations", thread).await.ok(200);
    let renamed = stage
        .put("PATCH /v1/conversations/slack:c9:m1", json!({"title": "Lisbon"}))
        .await
        .ok(200);
    assert_eq!(renamed["title"], "Lisbon");
    assert!(stage.put("POST /v1/conversations", json!({})).await.ok(201)["id"].is_string());
    let first = stage.get("GET /v1/conversations?limit=1").await.ok(200);
    let next = first["next_page"].as_str().unwrap();
    let second = stage
        .get(&format!("GET /v1/conversations?limit=1&after={next}"))
        .await
        .ok(200);
    assert_eq!(
        (&second["conversations"][0]["id"], &second["next_page"]),
        (&json!("slack:c9:m1"), &Value::Null)
    );
    stage
        .put("POST /v1/conversations", json!({"id": "x", "chat": "c"}))
        .await
        .refused(400, "invalid_request");
    stage
        .put("POST /v1/conversations", json!({"title": "a\nb"}))
        .await
        .refused(400, "invalid_request");
    stage
        .put("PATCH /v1/conversations/none", json!({"title": "x"}))
        .await
        .refused(404, "not_found");
    stage.get("DELETE /v1/conversations/slack:c9:m1").await.ok(200);
    stage
        .get("GET /v1/conversations/slack:c9:m1")
        .await
        .refused(404, "not_found");
    stage
        .get("DELETE /v1/conversations/slack:c9:m1")
        .await
        .refused(404, "not_found");
}

#[tokio::test]
async fn the_last_messages_come_oldest_first_and_none_is_dropped() {
    let stage = Stage::new().await;
    let call = "POST /v1/conversations/c/messages";
    let many: Vec<Value> = (1..=4)
        .map(|n| json!({"role": "user", "content": format!("m{n}")}))
        .collect();
    stage.put(call, json!({"messages": many})).await.ok(201);
    stage
        .put(
            call,
            json!({"id": "m5", "role": "assistant", "content": "m5", "metadata": {"a": [1]}}),
        )
        .await
        .ok(201);
    let last = stage
        .get("GET /v1/conversations/c/messages?limit=3")
        .await
        .ok(200);
    assert_eq!(contents(&last), ["m3", "m4", "m5"]);
    assert_eq!(last["messages"][2]["metadata"], json!({"a": [1]}));
    let earlier = format!(
        "GET /v1/conversations/c/messages?limit=3&before={}",
        last["next_page"]
    );
    assert_eq!(contents(&stage.get(&earlier).await.ok(200)), ["m1", "m2"]);
    stage.get("DELETE /v1/conversations/c/messages/m5").await.ok(204);
    stage
        .get("DELETE /v1/conversations/c/messages/m5")
        .await
        .refused(404, "not_found");
    assert_eq!(
        contents(&stage.get("GET /v1/conversations/c/messages").await.ok(200)),
        ["m1", "m2", "m3", "m4"]
    );
    stage
        .get("GET /v1/conversations/none/messages")
        .await
        .refused(404, "not_found");
    let huge = format!("GET /v1/conversations/c/messages?before={}", i64::MAX);
    assert_eq!(contents(&stage.get(&huge).await.ok(200)).len(), 4);
}

#[tokio::test]
async fn messages_that_do_not_fit_change_nothing() {
    let stage = Stage::new().await;
    let call = "POST /v1/conversations/c/messages";
    let good = json!({"role": "user", "content": "hello"});
    let second_is_blank = stage
        .put(
            call,
            json!({"messages": [good, {"role": "user", "content": " "}]}),
        )
        .await;
    second_is_blank.refused(400, "invalid_request");
    assert_eq!(
        second_is_blank.json()["errors"][0]["pointer"],
        "/messages/1/content"
    );
    for bad in [
        json!({"messages": []}),
        json!({"role": "tool", "content": "x"}),
        json!({"role": "user"}),
        json!({"role": "user", "content": "x", "at": "yesterday"}),
        json!({"role": "user", "content": "x", "user": "bob"}),
        json!({"role": "user", "content": "x", "metadata": "y".repeat(20_000)}),
        json!("hello"),
    ] {
        assert_eq!(stage.put(call, bad).await.status, 400);
    }
    stage
        .get("GET /v1/conversations/c")
        .await
        .refused(404, "not_found");
}

#[tokio::test]
async fn what_was_learned_from_a_conversation_goes_with_it_unless_it_is_kept() {
    let stage = Stage::new().await;
    for (id, query, left) in [("c1", "", 0), ("c2", "?keep_memories=true", 1)] {
        stage
            .put("POST /v1/conversations", json!({"id": id}))
            .await
            .ok(201);
        let learned = json!({"content": format!("Learned in {id}")});
        stage
            .ask(
                &stage.ana,
                "POST /v1/memories",
                &[("recalld-conversation", id)],
                Some(learned),
            )
            .await
            .ok(201);
        stage
            .get(&format!("DELETE /v1/conversations/{id}{query}"))
            .await
            .ok(200);
        let memories = stage.get("GET /v1/memories").await.ok(200);
        assert_eq!(memories["memories"].as_array().unwrap().len(), left);
    }
}

#[tokio::test]
async fn the_context_of_a_conversation_is_within_its_budget() {
    let stage = Stage::new().await;
    stage
        .put("POST /v1/memories", json!({"content": "Prefers window seats"}))
        .await
        .ok(201);
    let said = json!({"role": "user", "content": "Book a flight"});
    stage.put("POST /v1/conversations/c/messages", said).await.ok(201);
    let body = json!({"instructions": "Be brief.", "first_message": true});
    let context = stage.put("POST /v1/conversations/c/context", body).await.ok(200);
    assert!(context["system"].as_str().unwrap().starts_with("Be brief."));
    assert!(context["system"].as_str().unwrap().contains("window seats"));
    assert_eq!(contents(&context), ["Book a flight"]);
    let no_messages = json!({"max_messages": 0});
    for (role, expected) in [("user", true), ("assistant", false)] {
        let said = json!({"role": role, "content": "Well"});
        stage.put("POST /v1/conversations/c/messages", said).await.ok(201);
        let context = stage
            .put("POST /v1/conversations/c/context", no_messages.clone())
            .await
            .ok(200);
        let has_memories = context["system"].as_str().unwrap().contains("window seats");
        assert_eq!((has_memories, contents(&context).len()), (expected, 0), "{role}");
    }
    let tight = stage
        .put("POST /v1/conversations/c/context", json!({"max_tokens": 0}))
        .await
        .ok(200);
    assert_eq!(
        (contents(&tight).len(), &tight["tokens"]["o200k_base"]),
        (0, &json!(0))
    );
}

#[tokio::test]
async fn the_context_of_a_conversation_can_be_read_and_posted_for() {
    let stage = Stage::new().await;
    let said = json!({"role": "user", "content": "Book a flight"});
    stage.put("POST /v1/conversations/c/messages", said).await.ok(201);
    let read = stage
        .get("GET /v1/conversations/c/context?max_tokens=500&first_message=true")
        .await
        .ok(200);
    assert_eq!(contents(&read), ["Book a flight"]);
    let none = stage.get("GET /v1/conversations/c/context?max_messages=0").await;
    assert!(contents(&none.ok(200)).is_empty());
    for bad in [
        "max_messages=1001",
        "max_tokens=1000001",
        "instructions=x",
        "max_tokens=-1",
    ] {
        stage
            .get(&format!("GET /v1/conversations/c/context?{bad}"))
            .await
            .refused(400, "invalid_request");
    }
}
