//! The shapes in which a reply is streamed.

use recalld_agent::settings::AgentSettings;
use recalld_testing::chat_server::{called, said};
use serde_json::{Value, json};

use crate::stage::{Reply, Stage, last};

async fn stage() -> Stage {
    Stage::playing(
        AgentSettings::default(),
        |body: &Value| match last(body)["role"].as_str() {
            Some("tool") => said("Nothing yet."),
            _ => called(&[("recall_memory", "{\"query\":\"pets\"}")]),
        },
    )
    .await
}

fn kinds(reply: &Reply) -> Vec<String> {
    let kinds = reply.events().into_iter();
    let mut kinds: Vec<String> = kinds
        .filter_map(|event| event["type"].as_str().map(str::to_owned))
        .collect();
    kinds.dedup();
    kinds
}

#[tokio::test]
async fn the_ai_sdk_sends_its_chat_and_reads_its_stream() {
    let stage = stage().await;
    let chat = json!({
        "id": "chat-1", "trigger": "submit-message", "anything": "else",
        "messages": [{ "id": "m1", "role": "user", "parts": [{ "type": "text", "text": "what pets do I have?" }] }],
    });
    let reply = stage
        .ask(&stage.ana, "POST /api/chat", &[], Some(chat.clone()))
        .await;
    assert_eq!(reply.headers["x-vercel-ai-ui-message-stream"], "v1");
    assert_eq!(reply.headers["content-type"], "text/event-stream");
    assert_eq!(
        kinds(&reply),
        [
            "start",
            "start-step",
            "tool-input-start",
            "tool-input-delta",
            "tool-input-available",
            "tool-output-available",
            "finish-step",
            "start-step",
            "text-start",
            "text-delta",
            "text-end",
            "finish-step",
            "finish",
        ]
    );
    assert!(reply.text.ends_with("data: [DONE]\n\n"));
    let events = reply.events();
    assert_eq!(events[0]["messageMetadata"]["session_id"], "chat-1");
    assert_eq!(events.last().unwrap()["messageMetadata"]["memory"]["on"], true);

    // The same message again is answered anew, and the new reply takes the place of the old one.
    let mut again = chat;
    again["trigger"] = json!("regenerate-message");
    again["messageId"] = events[0]["messageId"].clone();
    stage.ask(&stage.ana, "POST /api/chat", &[], Some(again)).await;
    let kept = stage
        .ask(&stage.ana, "GET /v1/conversations/chat-1/messages", &[], None)
        .await
        .json();
    assert_eq!(kept["messages"].as_array().unwrap().len(), 2, "{kept}");
}

#[tokio::test]
async fn own_events_and_openai_chunks_are_chosen_by_the_parameter() {
    let stage = stage().await;
    let body = Some(json!({ "message": "what pets do I have?" }));
    let own = stage
        .ask(&stage.ana, "POST /api/chat?stream=events", &[], body.clone())
        .await;
    let mut names: Vec<&str> = own
        .text
        .lines()
        .filter_map(|line| line.strip_prefix("event: "))
        .collect();
    names.dedup();
    assert_eq!(names, ["started", "tool_call", "tool_result", "text", "done"]);
    assert_eq!(own.events().last().unwrap()["reply"], "Nothing yet.");

    let chunks = stage
        .ask(&stage.ana, "POST /api/chat?stream=openai", &[], body.clone())
        .await;
    let text: String = chunks
        .events()
        .iter()
        .filter_map(|chunk| {
            chunk["choices"][0]["delta"]["content"]
                .as_str()
                .map(str::to_owned)
        })
        .collect();
    assert_eq!(text, "Nothing yet.");

    let accept = [("accept", "text/event-stream")];
    let ui = stage
        .ask(&stage.ana, "POST /api/chat", &accept, body.clone())
        .await;
    assert_eq!(kinds(&ui).last().unwrap(), "finish");
    let wrong = stage
        .ask(&stage.ana, "POST /api/chat?stream=morse", &[], body)
        .await;
    assert_eq!(wrong.status, 400);
}

#[tokio::test]
async fn a_failure_in_a_stream_is_an_event() {
    let double = recalld_testing::chat_server::Double::playing([recalld_testing::chat_server::Act::Status(
        401, "", "no",
    )])
    .await;
    let stage = Stage::with(AgentSettings::default(), double).await;
    let body = Some(json!({ "message": "hi", "stream": true }));
    let reply = stage.ask(&stage.ana, "POST /api/chat", &[], body).await;
    assert_eq!(kinds(&reply), ["start", "start-step", "finish-step", "error"]);
}
