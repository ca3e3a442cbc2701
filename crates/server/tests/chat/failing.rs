//! When the store or the model fails.

use std::sync::atomic::Ordering;
use std::time::Duration;

use recalld_agent::settings::AgentSettings;
use recalld_testing::chat_server::{Act, Double, called, said};
use serde_json::json;

use crate::stage::{Stage, last};

#[tokio::test]
async fn a_store_that_is_down_costs_no_reply() {
    let stage = Stage::saying("Here I am.").await;
    stage.say(None, "hello").await;
    stage.store.down.store(true, Ordering::SeqCst);
    for number in 0..100 {
        // From the second on keys cannot be checked either.
        stage.pass_time(Duration::from_secs(1)).await;
        let session = (number % 2 == 0).then_some("chat-1");
        let reply = stage.say(session, "are you there?").await;
        assert_eq!(reply["reply"], "Here I am.");
        assert_eq!(reply["memory"]["on"], false, "{reply}");
        assert!(reply["memory"]["reason"].is_string());
    }
    stage.store.down.store(false, Ordering::SeqCst);
    assert_eq!(stage.say(None, "and now?").await["memory"]["on"], true);
}

#[tokio::test]
async fn whoever_was_known_before_the_store_went_away_may_talk_and_no_more() {
    let stage = Stage::saying("Here I am.").await;
    let chat = || Some(json!({ "message": "hi", "user_id": "carl" }));
    stage.ask(&stage.service, "POST /api/chat", &[], chat()).await;
    stage.say(None, "hello").await;
    stage.store.down.store(true, Ordering::SeqCst);
    stage.pass_time(Duration::from_secs(5)).await;

    let served = stage.ask(&stage.service, "POST /api/chat", &[], chat()).await;
    assert_eq!(served.json()["memory"]["on"], false, "{}", served.text);
    let body = json!({ "model": "any", "messages": [{ "role": "user", "content": "hi" }] });
    let passed = stage
        .ask(&stage.ana, "POST /openai/v1/chat/completions", &[], Some(body))
        .await;
    assert_eq!(passed.status, 200, "{}", passed.text);
    let asked = stage.asked();
    assert!(
        asked.last().unwrap().get("tools").is_none(),
        "there is nothing to look up"
    );

    let stored = stage.ask(&stage.ana, "GET /v1/memories", &[], None).await;
    assert_eq!(
        (stored.status, stored.json()["code"].as_str()),
        (503, Some("storage_unavailable"))
    );
    let stranger = stage.ask("rk_wrong", "POST /api/chat", &[], chat()).await;
    assert_eq!(stranger.status, 503, "nobody knows whether it is good");

    // What was good a while ago may have been taken back since.
    stage.pass_time(Duration::from_secs(16 * 60)).await;
    let later = stage.ask(&stage.service, "POST /api/chat", &[], chat()).await;
    assert_eq!(later.status, 503, "{}", later.text);
}

#[tokio::test]
async fn a_tool_that_fails_gives_way_to_what_is_at_hand() {
    let watched = crate::watched::Watched::new();
    let store = std::sync::Arc::clone(&watched);
    // The store goes down after the conversation was read, while the model thinks.
    let double = Double::answering(move |_, body| {
        store.down.store(true, Ordering::SeqCst);
        match last(body)["role"].as_str() {
            Some("tool") => said("I answer with what I have."),
            _ => called(&[("get_user_context", "{\"category\":\"icp\"}")]),
        }
    })
    .await;
    let failing = Stage::with_store(AgentSettings::default(), double, watched).await;
    let body = json!({ "message": "does this match my ICP?", "mode": "conversation" });
    let reply = failing.put("POST /api/chat", body).await;
    assert_eq!(reply["reply"], "I answer with what I have.");
    assert_eq!(
        (&reply["fell_back"], &reply["memory"]["on"]),
        (&json!(true), &json!(false))
    );
}

#[tokio::test]
async fn what_was_fetched_for_a_look_up_is_there_when_the_look_up_fails() {
    let watched = crate::watched::Watched::new();
    let store = std::sync::Arc::clone(&watched);
    let double = Double::answering(move |_, body| match last(body)["role"].as_str() {
        Some("tool") => said("You target a CISO."),
        _ if !last(body)["content"].as_str().unwrap().contains("ICP") => said("Fine."),
        _ => {
            store.down.store(true, Ordering::SeqCst);
            called(&[("get_user_context", "{\"category\":\"icp\"}")])
        }
    })
    .await;
    let stage = Stage::with_store(AgentSettings::default(), double, watched).await;
    stage
        .put("PUT /v1/profile/profile", json!({ "target_titles": ["CISO"] }))
        .await;
    stage.say(Some("chat-1"), "hello").await;
    let reply = stage.say(Some("chat-1"), "does this match my ICP?").await;
    assert_eq!(
        (&reply["mode"], &reply["fell_back"]),
        (&json!("conversation"), &json!(true))
    );
    let asked = stage.asked();
    let told = last(asked.last().unwrap())["content"].as_str().unwrap();
    assert!(
        told.contains("cannot be reached") && told.contains("CISO"),
        "{told}"
    );
}

#[tokio::test]
async fn without_a_model_chat_says_what_to_do() {
    let stage = Stage::without_model().await;
    let refused = stage
        .ask(
            &stage.ana,
            "POST /api/chat",
            &[],
            Some(json!({ "message": "hi" })),
        )
        .await;
    assert_eq!(
        (refused.status, refused.json()["code"].as_str()),
        (503, Some("no_model"))
    );
    assert!(
        refused.json()["hint"]
            .as_str()
            .unwrap()
            .contains("OPENAI_API_KEY")
    );
    assert_eq!(
        stage.ask(&stage.ana, "GET /v1/memories", &[], None).await.status,
        200
    );
}

#[tokio::test]
async fn a_model_that_fails_is_told_with_a_status() {
    for (act, status, code) in [
        (Act::Status(500, "", "oh"), 503, "model_unavailable"),
        (Act::Status(401, "", "no"), 502, "model_failed"),
        (Act::Status(400, "", "too long"), 400, "invalid_request"),
        (Act::Events(vec!["data: {\n\n".to_owned()]), 502, "model_failed"),
    ] {
        let stage = Stage::with(AgentSettings::default(), Double::playing([act]).await).await;
        let refused = stage
            .ask(
                &stage.ana,
                "POST /api/chat",
                &[],
                Some(json!({ "message": "hi" })),
            )
            .await;
        assert_eq!(
            (refused.status, refused.json()["code"].as_str()),
            (status, Some(code)),
            "{}",
            refused.text
        );
        assert_eq!(stage.say_count().await, 1, "what the user said is stored");
    }
}

#[tokio::test]
async fn a_reply_that_breaks_off_is_kept_as_far_as_it_came() {
    let Act::Events(events) = said("One two three") else {
        unreachable!()
    };
    let stage = Stage::with(
        AgentSettings::default(),
        Double::playing([Act::Cut(events[..3].to_vec())]).await,
    )
    .await;
    let reply = stage.say(None, "count").await;
    assert_eq!(
        (&reply["reply"], &reply["cut"]),
        (&json!("One two "), &json!(true))
    );
    assert_eq!(stage.say_count().await, 1);
}

#[tokio::test]
async fn what_cannot_be_a_message_is_refused_and_nothing_is_asked() {
    let stage = Stage::saying("Hello.").await;
    for body in [
        json!({}),
        json!({ "message": "" }),
        json!({ "message": "hi", "mode": "dream" }),
        json!({ "message": "hi", "model": "none such" }),
        json!({ "message": "hi", "session_id": "a\u{0}b" }),
        json!({ "message": "hi", "sesion_id": "x" }),
        json!({ "messages": [] }),
        json!({ "messages": [{ "role": "assistant", "parts": [] }] }),
        json!({ "message": 7 }),
        json!([]),
    ] {
        let refused = stage
            .ask(&stage.ana, "POST /api/chat", &[], Some(body.clone()))
            .await;
        assert_eq!(refused.status, 400, "{body}: {}", refused.text);
    }
    assert_eq!(stage.asked().len(), 0);
}
