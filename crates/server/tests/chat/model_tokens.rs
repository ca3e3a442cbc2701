//! How many tokens models may spend for a user on a day, on every door that asks one.

use std::sync::atomic::{AtomicUsize, Ordering};

use recalld_agent::settings::AgentSettings;
use recalld_memory::id::{SpaceId, UserId};
use recalld_memory::model_tokens::spent;
use recalld_testing::chat_server::{Double, said};
use serde_json::{Value, json};

use crate::stage::{Stage, wants_facts};

/// The doors that ask a model, with a request for each.
fn doors() -> [(&'static str, Value); 4] {
    let turns = json!([{ "role": "user", "content": "Hello" }]);
    [
        ("POST /api/chat", json!({ "message": "Hello" })),
        (
            "POST /openai/v1/chat/completions",
            json!({ "model": "any", "messages": turns }),
        ),
        (
            "POST /openai/v1/responses",
            json!({ "model": "any", "input": "Hello" }),
        ),
        (
            "POST /anthropic/v1/messages",
            json!({ "model": "any", "max_tokens": 100, "messages": turns }),
        ),
    ]
}

async fn spent_by(stage: &Stage, user: &str) -> u64 {
    let space = SpaceId::of_user(&UserId::new(user).unwrap());
    let now = stage.worker.agent.memory.clock.now();
    spent(&*stage.worker.agent.memory.store, &space, now)
        .await
        .unwrap()
}

#[tokio::test]
async fn who_has_spent_the_day_is_told_when_it_starts_anew() {
    // An answer of the double costs 25 tokens.
    let stage = Stage::saying("Hi.").await.with_model_tokens(30);
    for (call, body) in &doors()[..2] {
        stage.put(call, body.clone()).await;
    }
    assert_eq!(spent_by(&stage, "ana").await, 50, "the last answer may go beyond");
    let asked = stage.asked().len();
    for (call, body) in doors() {
        for stream in [false, true] {
            let mut body = body.clone();
            body["stream"] = json!(stream);
            if call.contains("/api/") {
                body.as_object_mut().unwrap().remove("stream");
            }
            let reply = stage.ask(&stage.ana, call, &[], Some(body)).await;
            assert_eq!(reply.status, 429, "{call}: {}", reply.text);
            assert!(reply.text.contains("T00:00:00Z"), "{call}: {}", reply.text);
            assert!(reply.headers.contains_key("retry-after"), "{call}");
        }
    }
    assert_eq!(stage.asked().len(), asked, "no model was asked");
    // Others have a day of their own, and another server on the same store knows the count.
    let bob = [("recalld-user", "bob")];
    let reply = stage
        .ask(
            &stage.service,
            "POST /api/chat",
            &bob,
            Some(json!({"message": "Hi"})),
        )
        .await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    let other = stage.with_model_tokens(30);
    let refused = other
        .ask(&other.ana, "POST /api/chat", &[], Some(json!({"message": "Hi"})))
        .await;
    assert_eq!(refused.status, 429, "{}", refused.text);
    let raised = other.with_model_tokens(1_000);
    raised.put("POST /api/chat", json!({"message": "Hi"})).await;
}

#[tokio::test]
async fn learning_waits_and_nothing_is_lost() {
    static FACTS: AtomicUsize = AtomicUsize::new(0);
    let script = |_: usize, body: &Value| match wants_facts(body) {
        true => {
            FACTS.fetch_add(1, Ordering::Relaxed);
            let fact = json!({
                "content": "Collects old maps", "quote": "the maps in my attic", "message": 1,
                "category": "personal_context", "key": null, "confidence": 0.95,
            });
            said(&json!({ "facts": [fact] }).to_string())
        }
        false => said("Fine."),
    };
    let stage = Stage::with(AgentSettings::default(), Double::answering(script).await)
        .await
        .with_model_tokens(20);
    stage
        .say(None, "We spent the whole evening with the maps in my attic")
        .await;
    let wait = stage.worker.work().await;
    assert!(wait.is_some(), "it is looked at again");
    assert_eq!(FACTS.load(Ordering::Relaxed), 0, "the day is spent");
    assert!(!stage.memories().await.contains(&"Collects old maps".to_owned()));
    let raised = stage.with_model_tokens(1_000_000);
    raised.learn().await;
    assert!(
        raised.memories().await.contains(&"Collects old maps".to_owned()),
        "{:?}",
        raised.memories().await
    );
}
