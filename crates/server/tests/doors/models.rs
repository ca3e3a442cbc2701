//! Doors behind which a model answers: OpenAI's responses and Anthropic's messages.

use std::sync::Arc;

use recalld_memory::ports::ChatModels;
use recalld_models::chat::{ChatConfig, ChatLimits, Protocol, RemoteChat};
use recalld_testing::chat_server::{Double, called, said};
use serde_json::{Value, json};

use crate::stage::{Reply, Stage};

/// A model that calls `weather` when it may, tells what a tool said, and else how often it was
/// spoken to and whether it knows of tea.
async fn double() -> (Double, ChatModels) {
    let script = |_: usize, body: &Value| {
        let messages = body["messages"].as_array().unwrap();
        let last = messages.last().unwrap();
        let tools = body["tools"].to_string();
        if last["role"] == "tool" {
            return said(&format!("The tool said {}", last["content"].as_str().unwrap()));
        }
        if tools.contains("\"weather\"") && last.to_string().contains("weather") {
            return called(&[("weather", "{\"city\": \"Porto\"}")]);
        }
        let spoken = messages
            .iter()
            .filter(|message| message["role"] == "user")
            .count();
        let knows = body.to_string().contains("oolong");
        said(&format!("Turn {spoken}, tea: {knows}"))
    };
    let double = Double::answering(script).await;
    let model = RemoteChat::new(ChatConfig {
        protocol: Protocol::OpenAiChat,
        base_url: double.url.clone(),
        key: None,
        model: "double".to_owned(),
        limits: ChatLimits::default(),
    });
    let models = ChatModels::new("main", Arc::new(model.unwrap()));
    (double, models)
}

fn events(reply: &Reply) -> Vec<Value> {
    let data = reply.text.lines().filter_map(|line| line.strip_prefix("data: "));
    data.filter_map(|data| serde_json::from_str(data).ok()).collect()
}

fn text(response: &Value) -> &str {
    response["output"][0]["content"][0]["text"].as_str().unwrap()
}

async fn respond(stage: &Stage, body: Value) -> Value {
    stage.put("POST /openai/v1/responses", body).await.ok(200)
}

#[tokio::test]
async fn responses_go_on_from_the_one_before_and_know_what_is_remembered() {
    let (_double, models) = double().await;
    for stage in Stage::both_with(Some(models)).await {
        stage
            .put("POST /v1/memories", json!({"content": "Drinks oolong tea"}))
            .await
            .ok(201);
        let first = respond(
            &stage,
            json!({"model": "default", "input": "Which tea do I drink?"}),
        )
        .await;
        assert_eq!(
            (text(&first), &first["status"]),
            ("Turn 1, tea: true", &json!("completed"))
        );
        let second = respond(
            &stage,
            json!({"input": "And now?", "previous_response_id": first["id"]}),
        )
        .await;
        assert_eq!(text(&second), "Turn 2, tea: true");
        let branch = respond(
            &stage,
            json!({"input": "Or?", "previous_response_id": first["id"]}),
        )
        .await;
        assert_eq!(text(&branch), "Turn 2, tea: true");
        let third = respond(
            &stage,
            json!({"input": "So?", "previous_response_id": second["id"]}),
        )
        .await;
        assert_eq!(text(&third), "Turn 3, tea: true");
        let id = first["id"].as_str().unwrap();
        let read = stage.get(&format!("GET /openai/v1/responses/{id}")).await.ok(200);
        assert_eq!(read, first);
        let input = stage
            .get(&format!("GET /openai/v1/responses/{id}/input_items"))
            .await
            .ok(200);
        assert_eq!(input["data"][0]["content"][0]["text"], "Which tea do I drink?");
        let foreign = stage.bob(&format!("GET /openai/v1/responses/{id}"), None).await;
        let unknown = stage.bob("GET /openai/v1/responses/resp_none", None).await;
        assert_eq!((foreign.status, &foreign.text), (404, &unknown.text));
        let stolen = stage
            .bob(
                "POST /openai/v1/responses",
                Some(json!({"input": "x", "previous_response_id": id})),
            )
            .await;
        assert_eq!(stolen.status, 404);
    }
}

#[tokio::test]
async fn responses_go_on_with_a_conversation_or_are_not_stored() {
    let (_double, models) = double().await;
    for stage in Stage::both_with(Some(models)).await {
        let made = stage
            .put("POST /openai/v1/conversations", json!({}))
            .await
            .ok(200);
        for turn in 1..3 {
            let reply = respond(&stage, json!({"input": "Hello", "conversation": made["id"]})).await;
            assert!(text(&reply).starts_with(&format!("Turn {turn}")), "{reply}");
        }
        let conversation = made["id"].as_str().unwrap();
        let items = stage
            .get(&format!("GET /openai/v1/conversations/{conversation}/items"))
            .await
            .ok(200);
        assert_eq!(items["data"].as_array().unwrap().len(), 4);
        let unstored = respond(&stage, json!({"input": "Hi", "store": false})).await;
        let id = unstored["id"].as_str().unwrap();
        assert_eq!(
            stage.get(&format!("GET /openai/v1/responses/{id}")).await.status,
            404
        );
    }
}

#[tokio::test]
async fn responses_stream_and_call_the_tools_of_the_caller() {
    let (_double, models) = double().await;
    for stage in Stage::both_with(Some(models)).await {
        let tool = json!({"type": "function", "name": "weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}});
        let asked = json!({"input": "What is the weather?", "tools": [tool]});
        let whole = respond(&stage, asked.clone()).await;
        let call = &whole["output"][0];
        assert_eq!(
            (&call["type"], &call["name"], &call["arguments"]),
            (
                &json!("function_call"),
                &json!("weather"),
                &json!("{\"city\": \"Porto\"}")
            )
        );
        let output = json!({"type": "function_call_output", "call_id": call["call_id"], "output": "rain"});
        let told = respond(
            &stage,
            json!({"input": [output], "previous_response_id": whole["id"], "tools": [tool]}),
        )
        .await;
        assert_eq!(text(&told), "The tool said rain");

        let mut streamed = asked;
        streamed["stream"] = json!(true);
        let reply = stage.put("POST /openai/v1/responses", streamed).await;
        let seen = events(&reply);
        let kinds: Vec<&str> = seen.iter().map(|event| event["type"].as_str().unwrap()).collect();
        assert_eq!(kinds.first(), Some(&"response.created"));
        assert_eq!(kinds.last(), Some(&"response.completed"), "{kinds:?}");
        assert!(
            kinds.contains(&"response.function_call_arguments.done"),
            "{kinds:?}"
        );
        let numbers: Vec<u64> = seen
            .iter()
            .map(|event| event["sequence_number"].as_u64().unwrap())
            .collect();
        assert_eq!(numbers, (0..numbers.len() as u64).collect::<Vec<_>>());
        let done = &seen.last().unwrap()["response"];
        let next = respond(&stage, json!({"input": "Hm", "previous_response_id": done["id"]})).await;
        assert_eq!(next["previous_response_id"], done["id"]);
        let hello = stage
            .put(
                "POST /openai/v1/responses",
                json!({"input": "Hi", "stream": true}),
            )
            .await;
        let said: String = events(&hello)
            .iter()
            .filter(|event| event["type"] == "response.output_text.delta")
            .map(|event| event["delta"].as_str().unwrap().to_owned())
            .collect();
        assert_eq!(said, "Turn 1, tea: false");
        let refused = stage.put("POST /openai/v1/responses", json!({"input": 3})).await;
        assert_eq!(
            (refused.status, refused.json()["error"]["type"].as_str()),
            (400, Some("invalid_request_error"))
        );
    }
}

#[tokio::test]
async fn messages_know_what_is_remembered_and_call_the_tools_of_the_caller() {
    let (_double, models) = double().await;
    for stage in Stage::both_with(Some(models)).await {
        stage
            .put("POST /v1/memories", json!({"content": "Drinks oolong tea"}))
            .await
            .ok(201);
        let ask = async |body: Value| stage.put("POST /anthropic/v1/messages", body).await;
        let hello = json!({"model": "claude", "max_tokens": 100, "messages": [{"role": "user", "content": "Which tea do I drink?"}]});
        let whole = ask(hello.clone()).await.ok(200);
        assert_eq!(
            (&whole["type"], &whole["stop_reason"]),
            (&json!("message"), &json!("end_turn"))
        );
        assert_eq!(whole["content"][0]["text"], "Turn 1, tea: true");
        let mut streamed = hello;
        streamed["stream"] = json!(true);
        let seen = events(&ask(streamed).await);
        let kinds: Vec<&str> = seen.iter().map(|event| event["type"].as_str().unwrap()).collect();
        assert_eq!(
            (kinds[0], kinds[1], kinds[kinds.len() - 1]),
            ("message_start", "content_block_start", "message_stop")
        );
        let said: String = seen
            .iter()
            .filter_map(|event| event["delta"]["text"].as_str())
            .collect();
        assert_eq!(said, "Turn 1, tea: true");

        let tool = json!({"name": "weather", "description": "Tells the weather", "input_schema": {"type": "object", "properties": {}}});
        let question = json!({"role": "user", "content": "What is the weather?"});
        let asked = json!({"model": "claude", "max_tokens": 100, "tools": [tool], "messages": [question]});
        let whole = ask(asked.clone()).await.ok(200);
        assert_eq!(whole["stop_reason"], "tool_use");
        let call = &whole["content"][0];
        assert_eq!(
            (&call["name"], &call["input"]),
            (&json!("weather"), &json!({"city": "Porto"}))
        );
        let mut streamed = asked;
        streamed["stream"] = json!(true);
        let parts: String = events(&ask(streamed).await)
            .iter()
            .filter_map(|event| event["delta"]["partial_json"].as_str().map(str::to_owned))
            .collect();
        assert_eq!(parts, "{\"city\": \"Porto\"}");
        let result = json!({"role": "user", "content": [{"type": "tool_result", "tool_use_id": call["id"], "content": "rain"}]});
        let answer = json!({"role": "assistant", "content": whole["content"]});
        let told = ask(json!({"model": "claude", "max_tokens": 100, "tools": [tool], "messages": [question, answer, result]})).await.ok(200);
        assert_eq!(told["content"][0]["text"], "The tool said rain");
        let refused = ask(json!({"model": "claude", "messages": []})).await;
        assert_eq!(
            (refused.status, refused.json()["error"]["type"].as_str()),
            (400, Some("invalid_request_error"))
        );
    }
}
