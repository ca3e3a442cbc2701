//! Models that talk, over HTTP: what is sent, what is understood, and what happens when the
//! endpoint is unwell.

#![expect(
    clippy::unwrap_used,
    reason = "all of this is test code, also what no test attribute marks"
)]

use std::time::Duration;

use futures::StreamExt;
use recalld_memory::ports::chat::{
    self, FinishReason, OutputShape, Part, ToolCall, ToolChoice, ToolSpec, Turn, Usage,
};
use recalld_memory::ports::{ChatError, ChatEvent, ChatModel, ChatRequest};
use recalld_models::chat::{ChatConfig, ChatLimits, Protocol, RemoteChat};
use recalld_models::remote::{ApiKey, BreakerLimits, RetryLimits};
use recalld_testing::chat_server::{Act, Double, called, said};
use serde_json::json;

mod protocols;

const KEY: &str = "sk-very-secret";

/// Limits that keep a test short: the pauses are real.
fn limits() -> ChatLimits {
    ChatLimits {
        stall_timeout: Duration::from_millis(200),
        retry: RetryLimits {
            pause_first: Duration::from_millis(1),
            ..RetryLimits::default()
        },
        ..ChatLimits::default()
    }
}

fn model(double: &Double, protocol: Protocol, limits: ChatLimits) -> RemoteChat {
    RemoteChat::new(ChatConfig {
        protocol,
        base_url: double.url.clone(),
        key: Some(ApiKey::new(KEY).unwrap()),
        model: "tiny".to_owned(),
        limits,
    })
    .unwrap()
}

fn hello() -> ChatRequest {
    ChatRequest {
        turns: vec![Turn::System("Be brief.".to_owned()), Turn::user("Hello")],
        ..ChatRequest::default()
    }
}

/// A conversation with everything a turn can be.
fn everything() -> ChatRequest {
    let image = Part::Image {
        url: "data:image/png;base64,AAAA".to_owned(),
    };
    let call = ToolCall {
        id: "c1".to_owned(),
        name: "look".to_owned(),
        arguments: "{\"at\":1}".to_owned(),
    };
    ChatRequest {
        turns: vec![
            Turn::System("Be brief.".to_owned()),
            Turn::User(vec![Part::Text("What is this?".to_owned()), image]),
            Turn::Assistant {
                text: String::new(),
                calls: vec![call],
            },
            Turn::Tool {
                call: "c1".to_owned(),
                name: "look".to_owned(),
                text: "a cat".to_owned(),
                failed: false,
            },
        ],
        tools: vec![ToolSpec {
            name: "look".to_owned(),
            description: "Looks.".to_owned(),
            schema: json!({ "type": "object" }),
            raw: None,
        }],
        tool_choice: ToolChoice::Required,
        tokens_max: Some(9),
        extra: json!({ "seed": 4, "stream": false }).as_object().unwrap().clone(),
        ..ChatRequest::default()
    }
}

async fn failure(acts: impl IntoIterator<Item = Act>) -> (ChatError, usize) {
    let double = Double::playing(acts).await;
    let model = model(&double, Protocol::OpenAiChat, limits());
    let error = chat::ask(&model, &hello()).await.unwrap_err();
    (error, double.asked().len())
}

#[tokio::test]
async fn a_text_comes_in_pieces_with_what_it_cost() {
    let double = Double::playing([said("Hello to you")]).await;
    let model = model(&double, Protocol::OpenAiChat, limits());
    let events: Vec<ChatEvent> = model
        .stream(&hello())
        .await
        .unwrap()
        .map(Result::unwrap)
        .collect()
        .await;
    let text = |text: &str| ChatEvent::Text(text.to_owned());
    let usage = Usage {
        tokens_in: 20,
        tokens_cached: 0,
        tokens_out: 5,
    };
    let finished = ChatEvent::Finished {
        reason: FinishReason::Stop,
        usage,
    };
    assert_eq!(events, [text("Hello "), text("to "), text("you"), finished]);
    let asked = double.asked();
    assert!(asked[0].head.starts_with("post /v1/chat/completions "));
    assert!(asked[0].head.contains(&format!("authorization: bearer {KEY}")));
}

#[tokio::test]
async fn calls_whose_arguments_come_in_pieces_are_put_together() {
    let calls = [
        ("get_user_context", "{\"category\":\"icp\"}"),
        ("search_memory", "{\"query\":\"数据库\"}"),
    ];
    let double = Double::playing([called(&calls)]).await;
    let whole = chat::ask(&model(&double, Protocol::OpenAiChat, limits()), &hello())
        .await
        .unwrap();
    let made: Vec<(&str, &str)> = whole
        .calls
        .iter()
        .map(|call| (call.name.as_str(), call.arguments.as_str()))
        .collect();
    assert_eq!(made, calls);
    assert_eq!(whole.reason, FinishReason::ToolCalls);
    assert_ne!(whole.calls[0].id, whole.calls[1].id);
}

#[tokio::test]
async fn what_passes_is_asked_again_and_the_pause_is_honoured() {
    let limited = Act::Status(
        429,
        "retry-after: 0.2\r\n",
        "{\"error\":{\"message\":\"slow down\"}}",
    );
    let double = Double::playing([limited, Act::Status(500, "", "oh"), said("Hello")]).await;
    let began = std::time::Instant::now();
    let model = model(&double, Protocol::OpenAiChat, limits());
    assert_eq!(chat::ask(&model, &hello()).await.unwrap().text, "Hello");
    assert!(Duration::from_millis(200) <= began.elapsed());
    assert_eq!(double.asked().len(), 3);
}

#[tokio::test]
async fn what_is_refused_is_not_asked_again_and_the_key_stays_secret() {
    let (error, asked) = failure([Act::Status(401, "", "{\"error\":\"no such key sk-very-secret\"}")]).await;
    let ChatError::Refused {
        status: 401, reason, ..
    } = &error
    else {
        panic!("{error:?}");
    };
    assert!(!reason.contains(KEY), "{reason}");
    assert_eq!(asked, 1);
}

#[tokio::test]
async fn a_stall_or_a_cut_before_the_first_word_is_asked_again() {
    let double = Double::playing([Act::Stall(Vec::new()), Act::Cut(Vec::new()), said("Hello")]).await;
    let model = model(&double, Protocol::OpenAiChat, limits());
    assert_eq!(chat::ask(&model, &hello()).await.unwrap().text, "Hello");
}

#[tokio::test]
async fn a_stall_or_a_cut_in_the_middle_is_told_and_not_asked_again() {
    let Act::Events(events) = said("Hello to you") else {
        unreachable!()
    };
    let half = events[..3].to_vec();
    for (act, word) in [(Act::Stall(half.clone()), "silent"), (Act::Cut(half), "cut")] {
        let double = Double::playing([act]).await;
        let model = model(&double, Protocol::OpenAiChat, limits());
        let mut events: Vec<_> = model.stream(&hello()).await.unwrap().collect().await;
        let error = events.pop().unwrap().unwrap_err().to_string();
        assert!(error.contains(word), "{error}");
        assert_eq!((events.len(), double.asked().len()), (2, 1));
    }
}

#[tokio::test]
async fn nonsense_is_a_bad_answer() {
    let (error, asked) = failure([Act::Events(vec!["data: {\"choices\": [}\n\n".to_owned()])]).await;
    assert!(matches!(error, ChatError::BadAnswer { .. }), "{error:?}");
    assert_eq!(asked, 1);
}

#[tokio::test]
async fn an_error_in_the_stream_ends_it() {
    let told = recalld_testing::chat_server::data(
        &json!({ "error": { "message": "overloaded", "type": "server_error" } }),
    );
    let (error, _) = failure([Act::Events(vec![told])]).await;
    assert!(error.to_string().contains("overloaded"), "{error}");
}

#[tokio::test]
async fn an_endpoint_that_is_down_is_not_asked_for_a_while() {
    let double = Double::playing([Act::Status(503, "", "")]).await;
    let limits = ChatLimits {
        retry: RetryLimits {
            attempts_max: 1,
            ..RetryLimits::default()
        },
        breaker: BreakerLimits {
            failures_max: 2,
            ..BreakerLimits::default()
        },
        ..limits()
    };
    let model = model(&double, Protocol::OpenAiChat, limits);
    for _ in 0..5 {
        let error = chat::ask(&model, &hello()).await.unwrap_err();
        assert!(matches!(error, ChatError::Unavailable { .. }), "{error:?}");
    }
    assert_eq!(double.asked().len(), 2);
}

#[tokio::test]
async fn answers_beyond_the_places_wait_and_a_dropped_answer_gives_its_place_back() {
    let Act::Events(events) = said("Hello to you") else {
        unreachable!()
    };
    let double = Double::playing([Act::Stall(events[..2].to_vec()), said("second")]).await;
    let limits = ChatLimits {
        answers_at_once: 1,
        place_timeout: Duration::from_millis(50),
        ..limits()
    };
    let model = model(&double, Protocol::OpenAiChat, limits);
    let first = model.stream(&hello()).await.unwrap();
    let error = chat::ask(&model, &hello()).await.unwrap_err();
    assert!(error.to_string().contains("too many"), "{error}");
    drop(first);
    assert_eq!(chat::ask(&model, &hello()).await.unwrap().text, "second");
}

#[tokio::test]
async fn everything_a_turn_can_be_is_written_for_chat_completions() {
    let double = Double::playing([said("A cat.")]).await;
    chat::ask(&model(&double, Protocol::OpenAiChat, limits()), &everything())
        .await
        .unwrap();
    let body = &double.asked()[0].body;
    assert_eq!(
        body["messages"],
        json!([
            { "role": "system", "content": "Be brief." },
            { "role": "user", "content": [
                { "type": "text", "text": "What is this?" },
                { "type": "image_url", "image_url": { "url": "data:image/png;base64,AAAA" } },
            ] },
            { "role": "assistant", "content": null, "tool_calls": [
                { "id": "c1", "type": "function", "function": { "name": "look", "arguments": "{\"at\":1}" } },
            ] },
            { "role": "tool", "tool_call_id": "c1", "content": "a cat" },
        ])
    );
    assert_eq!(
        (&body["tool_choice"], &body["max_tokens"]),
        (&json!("required"), &json!(9))
    );
    assert_eq!(
        (&body["seed"], &body["stream"]),
        (&json!(4), &json!(true)),
        "what is passed on replaces nothing"
    );
}

#[tokio::test]
async fn a_shape_is_asked_for() {
    let double = Double::playing([said("{}")]).await;
    let request = ChatRequest {
        output: Some(OutputShape {
            name: "facts".to_owned(),
            schema: json!({ "type": "object" }),
        }),
        ..hello()
    };
    chat::ask(&model(&double, Protocol::OpenAiChat, limits()), &request)
        .await
        .unwrap();
    assert_eq!(
        double.asked()[0].body["response_format"]["json_schema"]["schema"],
        json!({ "type": "object" })
    );
}

/// Newer models refuse what older ones took; the request goes out again without it.
#[tokio::test]
async fn what_a_model_refuses_by_name_is_left_out() {
    let refusal = "{\"error\":{\"message\":\"'temperature' does not support 0.7 with this model\"}}";
    let double = Double::playing([Act::Status(400, "", refusal), said("Hi")]).await;
    let request = ChatRequest {
        temperature: Some(0.7),
        ..hello()
    };
    let whole = chat::ask(&model(&double, Protocol::OpenAiChat, limits()), &request)
        .await
        .unwrap();
    assert_eq!(whole.text, "Hi");
    let asked = double.asked();
    assert_eq!(
        (asked.len(), asked[0].body["temperature"].as_f64()),
        (2, Some(0.7))
    );
    assert!(asked[1].body.get("temperature").is_none());
}
