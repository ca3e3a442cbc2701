//! `/openai/v1`: what an OpenAI client gets when it only changes its base URL.

use recalld_agent::settings::AgentSettings;
use recalld_testing::chat_server::{Act, Double, called, said};
use serde_json::{Value, json};

use crate::stage::{Stage, last};

fn hello(stream: bool) -> Value {
    json!({
        "model": "gpt-any", "stream": stream, "stream_options": { "include_usage": true }, "seed": 7,
        "messages": [{ "role": "system", "content": "Be brief." }, { "role": "user", "content": "Where should I sit?" }],
    })
}

const PATH: &str = "POST /openai/v1/chat/completions";

#[tokio::test]
async fn what_is_remembered_comes_behind_the_callers_instructions() {
    let stage = Stage::saying("By the window.").await;
    stage
        .put(
            "POST /v1/memories",
            json!({ "content": "Likes to sit by the window" }),
        )
        .await;
    let reply = stage.put(PATH, hello(false)).await;
    assert_eq!(reply["choices"][0]["message"]["content"], "By the window.");
    assert_eq!(
        (&reply["object"], &reply["model"]),
        (&json!("chat.completion"), &json!("gpt-any"))
    );
    assert_eq!(reply["usage"]["total_tokens"], 25);
    let asked = &stage.asked()[0];
    assert_eq!(asked["messages"][0]["content"], "Be brief.");
    assert!(
        asked["messages"][1]["content"]
            .as_str()
            .unwrap()
            .contains("by the window")
    );
    assert_eq!((&asked["seed"], &asked["model"]), (&json!(7), &json!("gpt-any")));
}

#[tokio::test]
async fn chunks_come_with_usage_and_memory_tools_stay_inside() {
    let script = |body: &Value| match last(body)["role"].as_str() {
        Some("tool") => said("By the window."),
        _ => called(&[("recall_memory", "{\"query\":\"seats\"}")]),
    };
    let stage = Stage::playing(AgentSettings::default(), script).await;
    let reply = stage
        .ask(
            &stage.ana,
            PATH,
            &[("recalld-conversation", "trip")],
            Some(hello(true)),
        )
        .await;
    assert_eq!(reply.headers["recalld-conversation"], "trip");
    let chunks = reply.events();
    assert!(chunks.iter().all(|chunk| chunk["id"] == chunks[0]["id"]));
    assert!(!reply.text.contains("recall_memory"), "{}", reply.text);
    assert_eq!(chunks[0]["choices"][0]["delta"]["role"], "assistant");
    let finish: Vec<&Value> = chunks
        .iter()
        .map(|chunk| &chunk["choices"][0]["finish_reason"])
        .collect();
    assert!(finish.contains(&&json!("stop")));
    let usage = &chunks.last().unwrap()["usage"];
    assert_eq!(usage["prompt_tokens"], 40, "of both steps");
    assert!(reply.text.ends_with("data: [DONE]\n\n"));
    let kept = stage
        .ask(&stage.ana, "GET /v1/conversations/trip/messages", &[], None)
        .await
        .json();
    assert_eq!(kept["messages"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn the_callers_tools_pass_through_and_their_calls_come_back() {
    let script = |body: &Value| match last(body)["role"].as_str() {
        Some("tool") => said("It rains."),
        _ => called(&[
            ("get_weather", "{\"city\":\"Porto\"}"),
            ("recall_memory", "{\"query\":\"Porto\"}"),
        ]),
    };
    let stage = Stage::playing(AgentSettings::default(), script).await;
    let tool = json!({ "type": "function", "strange": true, "function": { "name": "get_weather", "parameters": { "type": "object" } } });
    for stream in [false, true] {
        let mut body = hello(stream);
        body["tools"] = json!([tool]);
        let reply = stage.ask(&stage.ana, PATH, &[], Some(body)).await;
        let calls: Vec<Value> = match stream {
            false => reply.json()["choices"][0]["message"]["tool_calls"]
                .as_array()
                .unwrap()
                .clone(),
            true => reply
                .events()
                .into_iter()
                .map(|chunk| chunk["choices"][0]["delta"]["tool_calls"][0].clone())
                .filter(|call| !call.is_null())
                .collect(),
        };
        assert_eq!(calls[0]["function"]["name"], "get_weather");
        let arguments: String = calls
            .iter()
            .filter_map(|call| call["function"]["arguments"].as_str())
            .collect();
        assert_eq!(arguments, "{\"city\":\"Porto\"}");
        assert!(!reply.text.contains("recall_memory"), "{}", reply.text);
        assert!(
            reply.text.contains("\"finish_reason\":\"tool_calls\""),
            "{}",
            reply.text
        );
    }
    let tools = stage.asked()[0]["tools"].as_array().unwrap().clone();
    assert!(tools.contains(&tool), "it is passed on untouched");
    assert_eq!(
        stage.say_count().await,
        2,
        "each message is stored, the answers are yet to come"
    );

    let mut body = hello(false);
    body["tools"] = json!([tool]);
    let messages = body["messages"].as_array_mut().unwrap();
    messages.push(json!({ "role": "assistant", "content": null, "tool_calls": [{ "id": "c1", "type": "function", "function": { "name": "get_weather", "arguments": "{}" } }] }));
    messages.push(json!({ "role": "tool", "tool_call_id": "c1", "content": "rain" }));
    let reply = stage.put(PATH, body).await;
    assert_eq!(reply["choices"][0]["message"]["content"], "It rains.");
    assert_eq!(
        stage.say_count().await,
        2,
        "it goes on where the message is stored"
    );
}

#[tokio::test]
async fn errors_have_the_shape_that_clients_know() {
    let stage = Stage::with(
        AgentSettings::default(),
        Double::playing([Act::Status(429, "retry-after: 700\r\n", "slow")]).await,
    )
    .await;
    for stream in [false, true] {
        let reply = stage.ask(&stage.ana, PATH, &[], Some(hello(stream))).await;
        assert_eq!(reply.status, 503, "{}", reply.text);
        assert_eq!(reply.json()["error"]["type"], "server_error");
        assert!(reply.headers.contains_key("retry-after"));
    }
    for body in [
        json!({}),
        json!({ "messages": [{ "role": "ghost" }] }),
        json!({ "messages": [], "n": 2 }),
        json!([]),
    ] {
        let reply = stage.ask(&stage.ana, PATH, &[], Some(body.clone())).await;
        assert_eq!(
            (reply.status, reply.json()["error"]["type"].as_str()),
            (400, Some("invalid_request_error")),
            "{body}"
        );
    }
    let stranger = stage.ask("rk_wrong", PATH, &[], Some(hello(false))).await;
    let kind = stranger.json()["error"]["type"].as_str().map(str::to_owned);
    assert_eq!(
        (stranger.status, kind.as_deref()),
        (401, Some("authentication_error"))
    );
    let models = stage
        .ask(&stage.ana, "GET /openai/v1/models", &[], None)
        .await
        .json();
    assert_eq!(models["data"][0]["id"], "main");
    assert_eq!(
        stage
            .ask(&stage.ana, "GET /openai/v1/models/none", &[], None)
            .await
            .status,
        404
    );
}

/// What a client sends that keeps its conversation itself.
struct Client<'s> {
    stage: &'s Stage,
    messages: Vec<Value>,
}

impl Client<'_> {
    /// Says something, and gives the conversation in which it was kept.
    async fn say(&mut self, text: &str) -> String {
        self.messages.push(json!({ "role": "user", "content": text }));
        let body = json!({ "model": "gpt-any", "messages": self.messages });
        let reply = self.stage.ask(&self.stage.ana, PATH, &[], Some(body)).await;
        let answer = reply.json()["choices"][0]["message"]["content"].clone();
        self.messages
            .push(json!({ "role": "assistant", "content": answer }));
        reply.headers["recalld-conversation"].to_str().unwrap().to_owned()
    }
}

async fn kept(stage: &Stage, conversation: &str) -> Vec<String> {
    let call = format!("GET /v1/conversations/{conversation}/messages?limit=50");
    let page = stage.ask(&stage.ana, &call, &[], None).await.json();
    let messages = page["messages"].as_array().unwrap().clone();
    messages
        .iter()
        .map(|message| message["content"].as_str().unwrap().to_owned())
        .collect()
}

#[tokio::test]
async fn chats_that_begin_alike_do_not_mix() {
    let stage = Stage::saying("Hello!").await;
    let client = || Client {
        stage: &stage,
        messages: Vec::new(),
    };
    let (mut one, mut two) = (client(), client());
    let (first, second) = (one.say("hi").await, two.say("hi").await);
    assert_ne!(first, second);
    let named = two.say("my cat is Tom").await;
    let other = one.say("my dog is Rex").await;
    assert_ne!(named, other);
    assert_eq!(one.say("bye").await, other, "it goes on");
    assert_eq!(
        kept(&stage, &named).await,
        ["hi", "Hello!", "my cat is Tom", "Hello!"]
    );
    assert_eq!(
        kept(&stage, &other).await,
        ["hi", "Hello!", "my dog is Rex", "Hello!", "bye", "Hello!"]
    );
    // The same message once more, as clients send it when the line broke.
    one.messages.truncate(one.messages.len() - 2);
    assert_eq!(one.say("bye").await, other);
    assert_eq!(kept(&stage, &other).await.len(), 6);
    assert_eq!(stage.say_count().await, 2);
}

#[tokio::test]
async fn a_conversation_is_named_by_header_or_metadata() {
    let stage = Stage::saying("Hello!").await;
    let mut body = hello(false);
    body["metadata"] = json!({ "conversation_id": "by-metadata", "team": "red" });
    let reply = stage.ask(&stage.ana, PATH, &[], Some(body.clone())).await;
    assert_eq!(reply.headers["recalld-conversation"], "by-metadata");
    let header = [("recalld-conversation", "by-header")];
    let reply = stage.ask(&stage.ana, PATH, &header, Some(body.clone())).await;
    assert_eq!(
        reply.headers["recalld-conversation"], "by-header",
        "the header counts more"
    );
    assert_eq!(kept(&stage, "by-metadata").await.len(), 2);
    assert!(stage.asked()[0].get("metadata").is_none(), "it is for us alone");
    body["metadata"]["conversation_id"] = json!("a\u{0}b");
    let refused = stage.ask(&stage.ana, PATH, &[], Some(body)).await;
    assert_eq!(refused.status, 400, "{}", refused.text);
}
