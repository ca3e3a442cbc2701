//! The flows of the documents: context on demand, remembering across conversations, history,
//! bounds.

use recalld_agent::settings::AgentSettings;
use recalld_testing::chat_server::{called, said};
use serde_json::{Value, json};

use crate::stage::{Stage, last, tools_answered};

/// Does what a model would: looks the profile up when it is asked about it, and answers from it.
fn sales_assistant(body: &Value) -> recalld_testing::chat_server::Act {
    let message = last(body);
    match (
        message["role"].as_str(),
        message["content"].as_str().unwrap_or(""),
    ) {
        (Some("tool"), text) if text.contains("CISO") => {
            said("Yes, Gartner matches your ICP: you target a CISO.")
        }
        (Some("tool"), text) => said(if text.contains("data breach") {
            "Track data breach."
        } else {
            "I do not know."
        }),
        (_, text) if text.contains("ICP") => called(&[("get_user_context", "{\"category\":\"icp\"}")]),
        (_, text) if text.contains("signals") => {
            called(&[("get_user_context", "{\"category\":\"signals\"}")])
        }
        _ => said("Their CEO is Eugene Hall."),
    }
}

async fn with_profile(stage: &Stage) {
    let icp = json!({ "target_titles": ["CISO", "VP Security"], "company_types": ["Enterprise SaaS"] });
    stage.put("PUT /v1/profile/profile", icp).await;
    let signals = json!([{ "signal_type": "data breach", "min_severity": "high", "lookback_days": 30, "enabled": true }]);
    stage.put("PUT /v1/profile/signals", signals).await;
}

#[tokio::test]
async fn does_this_match_my_icp() {
    let stage = Stage::playing(AgentSettings::default(), sales_assistant).await;
    with_profile(&stage).await;
    let first = stage.say(None, "Research Gartner").await;
    assert_eq!(
        (&first["mode"], &first["memory"]["on"]),
        (&json!("task"), &json!(true))
    );
    assert!(
        stage.system().contains("CISO"),
        "task mode has the context up front"
    );
    let session = first["session_id"].as_str();

    let ceo = stage.say(session, "tell me about their CEO").await;
    assert_eq!(
        (&ceo["mode"], &ceo["tools"]),
        (&json!("conversation"), &json!([]))
    );
    assert!(!stage.system().contains("CISO"), "conversation mode looks it up");

    let icp = stage.say(session, "does this match my ICP?").await;
    assert_eq!(icp["reply"], "Yes, Gartner matches your ICP: you target a CISO.");
    assert_eq!(icp["tools"], json!(["get_user_context"]));
    assert_eq!(icp["mode_reason"], "it follows up");

    let signals = stage.say(session, "what signals should I track for them?").await;
    assert_eq!(signals["reply"], "Track data breach.");
    let page = stage
        .ask(&stage.admin, "GET /v1/admin/rollout", &[], None)
        .await
        .json();
    let arms = page["arms"].as_array().unwrap();
    let arm = arms.iter().find(|arm| arm["arm"] == "conversation").unwrap();
    assert_eq!(
        (&arm["messages"], &arm["categories"]),
        (&json!(3), &json!({ "icp": 1, "signals": 1 }))
    );
    assert!(arm["tool_share"]["low"].as_f64().unwrap() < 2.0 / 3.0);
    let metrics = stage.ask(&stage.admin, "GET /metrics", &[], None).await.text;
    // The recorder is that of the whole process, in which other tests talk too.
    for name in [
        "categories_total",
        "look_ups_total",
        "follow_ups_total",
        "store_questions_total",
    ] {
        assert!(
            metrics.contains(&format!("recalld_chat_{name}{{arm=\"conversation\"")),
            "{name}: {metrics}"
        );
    }
}

#[tokio::test]
async fn what_is_remembered_in_one_conversation_is_used_in_the_next() {
    let script = |body: &Value| match last(body)["role"].as_str() {
        Some("tool") => said("I will remember."),
        _ if last(body)["content"].as_str().unwrap().contains("Remember that") => called(&[(
            "store_memory",
            "{\"content\":\"Presents on database performance next week\"}",
        )]),
        _ => said("You present on database performance."),
    };
    let stage = Stage::playing(AgentSettings::default(), script).await;
    let first = stage
        .say(None, "Remember that I present on database performance next week")
        .await;
    assert_eq!(first["reply"], "I will remember.");
    let page = stage.ask(&stage.ana, "GET /v1/memories", &[], None).await.json();
    let memory = &page["memories"][0];
    assert_eq!(memory["content"], "Presents on database performance next week");
    assert_eq!(memory["conversation"], first["session_id"], "{memory}");
    let second = stage.say(None, "What do I have on?").await;
    assert_ne!(second["session_id"], first["session_id"]);
    assert!(
        stage.system().contains("Presents on database performance"),
        "{}",
        stage.system()
    );
}

#[tokio::test]
async fn what_was_said_before_comes_first_and_tool_traffic_is_not_kept() {
    let stage = Stage::playing(AgentSettings::default(), sales_assistant).await;
    with_profile(&stage).await;
    let first = stage.say(None, "tell me about their CEO").await;
    let session = first["session_id"].as_str().unwrap();
    stage.say(Some(session), "does this match my ICP?").await;
    stage.say(Some(session), "thanks").await;
    let asked = stage.asked();
    let roles: Vec<&str> = asked.last().unwrap()["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| message["role"].as_str().unwrap())
        .collect();
    assert_eq!(
        roles,
        ["system", "user", "assistant", "user", "assistant", "user"]
    );
    // Everything but the last turns is the same as before, so that providers find it in their
    // caches.
    let (before, now) = (
        &asked[asked.len() - 2]["messages"],
        &asked[asked.len() - 1]["messages"],
    );
    assert_eq!(before[0], now[0]);
    assert_eq!(before[3], now[3], "the time stays with its message");
    let kept = stage
        .ask(
            &stage.ana,
            &format!("GET /v1/conversations/{session}/messages?limit=50"),
            &[],
            None,
        )
        .await
        .json();
    let kept: Vec<&str> = kept["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| message["role"].as_str().unwrap())
        .filter(|role| *role != "system")
        .collect();
    assert_eq!(
        kept,
        ["user", "assistant", "user", "assistant", "user", "assistant"]
    );
}

#[tokio::test]
async fn a_malformed_call_goes_back_to_the_model_which_mends_it() {
    let script = |body: &Value| match tools_answered(body) {
        0 => called(&[("get_user_context", "{\"category\":")]),
        1 => called(&[
            ("get_user_contxt", "{}"),
            ("get_user_context", "{\"category\":\"icp\",\"user_id\":\"bob\"}"),
        ]),
        3 => called(&[("get_user_context", "{\"category\":\"icp\"}")]),
        _ => said("Done."),
    };
    let stage = Stage::playing(AgentSettings::default(), script).await;
    let body = json!({ "message": "does this match my ICP?", "mode": "conversation" });
    let reply = stage.put("POST /api/chat", body).await;
    assert_eq!(reply["reply"], "Done.");
    let asked = stage.asked();
    let told: Vec<&str> = asked.last().unwrap()["messages"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|message| message["role"] == "tool")
        .map(|message| message["content"].as_str().unwrap())
        .collect();
    assert!(told[0].contains("not JSON"), "{}", told[0]);
    assert!(told[1].contains("there is no tool"), "{}", told[1]);
    assert!(told[2].contains("unknown argument"), "{}", told[2]);
    assert!(told[3].contains("is empty"), "{}", told[3]);
}

#[tokio::test]
async fn a_model_that_never_stops_calling_is_stopped() {
    let script = |body: &Value| match body["tool_choice"] == "none" {
        true => said("Enough."),
        false => called(&[("recall_memory", "{\"query\":\"x\"}")]),
    };
    let stage = Stage::playing(AgentSettings::default(), script).await;
    let reply = stage.say(None, "go").await;
    assert_eq!(reply["reply"], "Enough.");
    assert_eq!(stage.asked().len(), 8);
}

#[tokio::test]
async fn a_service_key_names_the_user_and_a_user_cannot() {
    let stage = Stage::saying("Hello.").await;
    let body = |user: &str| Some(json!({ "message": "hi", "user_id": user }));
    let served = stage
        .ask(&stage.service, "POST /api/chat", &[], body("carl"))
        .await;
    assert_eq!(served.status, 200, "{}", served.text);
    let refused = stage.ask(&stage.ana, "POST /api/chat", &[], body("carl")).await;
    assert_eq!(refused.status, 403, "{}", refused.text);
    let own = stage.ask(&stage.ana, "POST /api/chat", &[], body("ana")).await;
    assert_eq!(own.status, 200, "{}", own.text);
}

#[tokio::test]
async fn a_long_conversation_is_folded_and_its_beginning_is_not_lost() {
    let mut settings = AgentSettings::default();
    settings.chat.history_messages = 6;
    let script = |body: &Value| match body["messages"][0]["content"]
        .as_str()
        .unwrap()
        .contains("running summary")
    {
        true => said("The user plans a trip to Kyoto in May."),
        false => said("Noted."),
    };
    let stage = Stage::playing(settings, script).await;
    let first = stage.say(None, "I plan a trip to Kyoto in May").await;
    let session = first["session_id"].as_str();
    for number in 0..8 {
        stage.say(session, &format!("question number {number}")).await;
        stage.learn().await;
    }
    stage.say(session, "so where was I going?").await;
    let asked = stage.asked();
    let messages = asked.last().unwrap()["messages"].as_array().unwrap().clone();
    assert!(messages.len() <= 9, "{}", messages.len());
    let summary = messages[1]["content"].as_str().unwrap();
    assert!(
        summary.contains("trip to Kyoto") && summary.contains("messages 1 to"),
        "{summary}"
    );
}
