//! The two other protocols: what they are sent, and what their events mean.

use recalld_memory::ports::ChatRequest;
use recalld_memory::ports::chat::{self, FinishReason, OutputShape};
use recalld_models::chat::Protocol;
use recalld_testing::chat_server::{Act, Double, data};
use serde_json::{Value, json};

use super::{KEY, everything, hello, limits, model};

fn named(name: &str, value: Value) -> String {
    format!("event: {name}\n{}", data(&value))
}

fn anthropic(blocks: &[Value], stop: &str) -> Act {
    let start = json!({ "type": "message_start", "message": { "usage": {
        "input_tokens": 3, "cache_read_input_tokens": 7, "output_tokens": 1,
    } } });
    let mut events = vec![
        named("message_start", start),
        named("ping", json!({ "type": "ping" })),
    ];
    events.extend(blocks.iter().map(|block| named("x", block.clone())));
    let delta =
        json!({ "type": "message_delta", "delta": { "stop_reason": stop }, "usage": { "output_tokens": 5 } });
    events.push(named("message_delta", delta));
    events.push(named("message_stop", json!({ "type": "message_stop" })));
    Act::Events(events)
}

fn tool_block(name: &str) -> Vec<Value> {
    let begin = json!({ "type": "content_block_start", "index": 1,
        "content_block": { "type": "tool_use", "id": "t1", "name": name, "input": {} } });
    let delta = |text: &str| {
        json!({ "type": "content_block_delta", "index": 1,
            "delta": { "type": "input_json_delta", "partial_json": text } })
    };
    vec![begin, delta("{\"categ"), delta("ory\":\"icp\"}")]
}

#[tokio::test]
async fn anthropic_blocks_become_text_and_calls() {
    let text = json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "text_delta", "text": "Hm." } });
    let blocks: Vec<Value> = std::iter::once(text).chain(tool_block("look")).collect();
    let double = Double::playing([anthropic(&blocks, "tool_use")]).await;
    let whole = chat::ask(&model(&double, Protocol::Anthropic, limits()), &everything())
        .await
        .unwrap();
    assert_eq!(
        (whole.text.as_str(), whole.reason),
        ("Hm.", FinishReason::ToolCalls)
    );
    assert_eq!(whole.calls[0].arguments, "{\"category\":\"icp\"}");
    assert_eq!(
        (
            whole.usage.tokens_in,
            whole.usage.tokens_cached,
            whole.usage.tokens_out
        ),
        (10, 7, 5)
    );
    let asked = &double.asked()[0];
    assert!(asked.head.starts_with("post /v1/messages "));
    assert!(asked.head.contains(&format!("x-api-key: {KEY}")));
    assert!(asked.head.contains("anthropic-version: 2023-06-01"));
    assert_eq!(asked.body["system"][0]["text"], "Be brief.");
    assert_eq!(asked.body["tool_choice"], json!({ "type": "any" }));
    assert_eq!(
        asked.body["messages"],
        json!([
            { "role": "user", "content": [
                { "type": "text", "text": "What is this?" },
                { "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": "AAAA" } },
            ] },
            { "role": "assistant", "content": [{ "type": "tool_use", "id": "c1", "name": "look", "input": { "at": 1 } }] },
            { "role": "user", "content": [
                { "type": "tool_result", "tool_use_id": "c1", "content": "a cat", "is_error": false },
            ] },
        ])
    );
}

#[tokio::test]
async fn anthropic_gives_a_structured_answer_through_a_tool() {
    let double = Double::playing([anthropic(&tool_block("answer"), "tool_use")]).await;
    let request = ChatRequest {
        output: Some(OutputShape {
            name: "facts".to_owned(),
            schema: json!({ "type": "object" }),
        }),
        ..hello()
    };
    let whole = chat::ask(&model(&double, Protocol::Anthropic, limits()), &request)
        .await
        .unwrap();
    assert_eq!(whole.text, "{\"category\":\"icp\"}");
    assert_eq!((whole.calls.len(), whole.reason), (0, FinishReason::Stop));
    assert_eq!(double.asked()[0].body["tool_choice"]["name"], "answer");
}

#[tokio::test]
async fn anthropic_overload_is_asked_again() {
    let overloaded = named(
        "error",
        json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } }),
    );
    let text =
        json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "text_delta", "text": "Hi" } });
    let double = Double::playing([
        Act::Status(529, "", ""),
        Act::Events(vec![overloaded]),
        anthropic(&[text], "end_turn"),
    ])
    .await;
    let whole = chat::ask(&model(&double, Protocol::Anthropic, limits()), &hello())
        .await
        .unwrap();
    assert_eq!(whole.text, "Hi");
}

#[tokio::test]
async fn responses_events_become_text_and_calls() {
    let usage =
        json!({ "input_tokens": 8, "output_tokens": 2, "input_tokens_details": { "cached_tokens": 4 } });
    let events = [
        json!({ "type": "response.created", "response": {} }),
        json!({ "type": "response.output_text.delta", "output_index": 0, "delta": "Hm." }),
        json!({ "type": "response.output_item.added", "output_index": 1,
            "item": { "type": "function_call", "call_id": "c9", "name": "look", "arguments": "" } }),
        json!({ "type": "response.function_call_arguments.delta", "output_index": 1, "delta": "{\"a\"" }),
        json!({ "type": "response.function_call_arguments.delta", "output_index": 1, "delta": ":1}" }),
        json!({ "type": "response.function_call_arguments.done", "output_index": 1, "arguments": "{\"a\":1}" }),
        json!({ "type": "response.completed", "response": { "status": "completed", "usage": usage } }),
    ];
    let double = Double::playing([Act::Events(events.iter().map(data).collect())]).await;
    let whole = chat::ask(
        &model(&double, Protocol::OpenAiResponses, limits()),
        &everything(),
    )
    .await
    .unwrap();
    assert_eq!(
        (whole.text.as_str(), whole.reason),
        ("Hm.", FinishReason::ToolCalls)
    );
    assert_eq!(
        (whole.calls[0].id.as_str(), whole.calls[0].arguments.as_str()),
        ("c9", "{\"a\":1}")
    );
    assert_eq!((whole.usage.tokens_in, whole.usage.tokens_cached), (8, 4));
    let asked = &double.asked()[0];
    assert!(asked.head.starts_with("post /v1/responses "));
    assert_eq!(asked.body["instructions"], "Be brief.");
    assert_eq!(
        asked.body["input"][1],
        json!({ "type": "function_call", "call_id": "c1", "name": "look", "arguments": "{\"at\":1}" })
    );
    assert_eq!(
        asked.body["input"][2],
        json!({ "type": "function_call_output", "call_id": "c1", "output": "a cat" })
    );
}

#[tokio::test]
async fn a_failed_response_is_told() {
    let failed = json!({ "type": "response.failed", "response": { "error": { "code": "server_error", "message": "broken" } } });
    let double = Double::playing([Act::Events(vec![data(&failed)])]).await;
    let error = chat::ask(&model(&double, Protocol::OpenAiResponses, limits()), &hello())
        .await
        .unwrap_err();
    assert!(error.to_string().contains("broken"), "{error}");
}
