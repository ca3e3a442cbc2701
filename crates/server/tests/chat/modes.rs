//! The size of the prompts, what a follow-up costs, and the phases of the rollout.

use std::sync::{Arc, Mutex};

use recalld_agent::rollout::{Phase, Rollout};
use recalld_agent::settings::AgentSettings;
use recalld_index::text::tokens::TokenCount;
use recalld_testing::chat_server::{Double, said};
use serde_json::json;

use crate::stage::{Stage, wants_facts};
use crate::watched::Watched;

/// A user like the one of the documents: a full profile and a year of memories.
async fn example_user(stage: &Stage) {
    let list = |what: &str, count: usize| (0..count).map(|n| format!("{what} {n}")).collect::<Vec<_>>();
    let icp = json!({
        "company_types": list("Enterprise software company of kind", 12),
        "target_titles": list("Vice President of Security and Compliance, region", 12),
        "employee_range": "1000-5000", "revenue_range": "$50M-$500M",
        "focus_industries": list("Regulated industry number", 12),
        "icp_definition": "Companies with a security team of their own, that buy software every year. ".repeat(6),
    });
    stage.put("PUT /v1/profile/profile", icp).await;
    let signal = |n: usize| json!({ "signal_type": format!("leadership change in department {n}"), "min_severity": "medium", "lookback_days": 90, "enabled": true });
    stage
        .put(
            "PUT /v1/profile/signals",
            json!((0..20).map(signal).collect::<Vec<_>>()),
        )
        .await;
    let criterion = |n: usize| json!({ "criterion": format!("uses a cloud provider in region {n}"), "weight": 3, "is_disqualifier": false, "enabled": true });
    stage
        .put(
            "PUT /v1/profile/criteria",
            json!((0..20).map(criterion).collect::<Vec<_>>()),
        )
        .await;
    for n in 0..80 {
        let content = format!(
            "Told the team on day {n} that the account review number {n} went well and needs a follow-up call"
        );
        stage
            .put("POST /v1/memories", json!({ "content": content }))
            .await;
    }
}

fn tokens(prompt: &str) -> usize {
    TokenCount::of(prompt).most()
}

#[tokio::test]
async fn the_light_prompt_is_a_tenth_of_the_whole_one() {
    let stage = Stage::saying("Fine.").await;
    example_user(&stage).await;
    let first = stage.say(None, "Research Gartner").await;
    let whole = tokens(&stage.system());
    let session = first["session_id"].as_str();
    let second = stage.say(session, "tell me about their CEO").await;
    assert_eq!(second["mode"], "conversation");
    let light = tokens(&stage.system());
    assert!(whole <= 3_500 && light <= 300, "{whole} and {light} tokens");
    assert!(light * 10 <= whole, "{light} is more than a tenth of {whole}");
}

#[tokio::test]
async fn a_follow_up_reads_with_one_question_to_the_store() {
    let store = Watched::new();
    let (asked, counts) = (Arc::clone(&store), Arc::new(Mutex::new(Vec::new())));
    let seen = Arc::clone(&counts);
    // Counted when the model is asked: what is stored afterwards delays nobody. One question reads
    // the conversation, and two more come with storing the message.
    let double = Double::answering(move |_, body| match wants_facts(body) {
        true => said("{\"facts\": []}"),
        false => {
            seen.lock().unwrap().push(asked.reads());
            said("Fine.")
        }
    });
    let stage = Stage::with_store(AgentSettings::default(), double.await, store).await;
    example_user(&stage).await;
    let first = stage.say(None, "Research Gartner").await;
    let session = first["session_id"].as_str();
    for message in ["tell me about their CEO", "and their products?", "thanks"] {
        stage.store.reads();
        stage.say(session, message).await;
    }
    assert_eq!(counts.lock().unwrap()[1..], [3, 3, 3]);
    let page = stage
        .ask(&stage.admin, "GET /v1/admin/rollout", &[], None)
        .await
        .json();
    let arms = page["arms"].as_array().unwrap();
    let arm = arms.iter().find(|arm| arm["arm"] == "conversation").unwrap();
    assert_eq!(arm["queries"]["high"], 1.0, "{arm}");
}

#[tokio::test]
async fn the_light_prompt_holds_what_was_remembered_when_the_conversation_opened() {
    let stage = Stage::saying("Fine.").await;
    stage
        .put("POST /v1/memories", json!({ "content": "Prefers short answers" }))
        .await;
    let first = stage
        .put(
            "POST /api/chat",
            json!({ "message": "hi", "mode": "conversation" }),
        )
        .await;
    let opening = stage.system();
    assert!(opening.contains("Prefers short answers"), "{opening}");
    stage
        .put("POST /v1/memories", json!({ "content": "Lives in Lisbon" }))
        .await;
    stage.say(first["session_id"].as_str(), "and then?").await;
    assert_eq!(stage.system(), opening, "the prefix stays as it was");
}

#[tokio::test]
async fn phases_decide_and_the_shadow_only_watches() {
    for (phase, percent, mode) in [
        (Phase::TaskOnly, 100.0, "task"),
        (Phase::Shadow, 100.0, "task"),
        (Phase::Experiment, 0.0, "task"),
        (Phase::Experiment, 100.0, "conversation"),
        (Phase::Full, 0.0, "conversation"),
    ] {
        let mut settings = AgentSettings::default();
        settings.chat.rollout = Rollout { phase, percent };
        let stage = Stage::playing(settings, |_| said("Fine.")).await;
        let first = stage.say(None, "hello").await;
        let second = stage
            .say(first["session_id"].as_str(), "does this match my ICP?")
            .await;
        assert_eq!(second["mode"], mode, "{phase:?}");
        let page = stage
            .ask(&stage.admin, "GET /v1/admin/rollout", &[], None)
            .await
            .json();
        let watched = u64::from(phase == Phase::Shadow);
        assert_eq!(page["shadow"]["messages"], watched, "{phase:?}");
        if phase == Phase::Shadow {
            assert_eq!(page["shadow"]["would_call_share"]["value"], 1.0);
        }
    }
}
