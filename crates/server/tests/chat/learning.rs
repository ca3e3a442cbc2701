//! What is learned after replies, and what is not.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use recalld_agent::settings::{AgentSettings, Method};
use recalld_testing::chat_server::{Act, Double, called, said};
use serde_json::{Value, json};

use crate::stage::{Stage, tools_answered, wants_facts};

fn fact(content: &str, quote: &str) -> Value {
    json!({ "content": content, "quote": quote, "message": 1, "category": "personal_context", "key": null, "confidence": 0.95 })
}

fn facts(facts: &[Value]) -> Act {
    said(&json!({ "facts": facts }).to_string())
}

/// A service whose model answers "Fine." and finds what `find` says.
async fn finding(find: impl Fn(&Value) -> Act + Send + Sync + 'static) -> Stage {
    let script = move |_: usize, body: &Value| match wants_facts(body) {
        true => find(body),
        false => said("Fine."),
    };
    Stage::with(AgentSettings::default(), Double::answering(script).await).await
}

#[tokio::test]
async fn facts_need_the_words_of_the_user() {
    let stage = finding(|_| {
        facts(&[
            fact("Is moving to Porto", "I'm moving to Porto"),
            fact("Owns a yacht", "I own a yacht"),
            fact("Says fine", "Fine."),
        ])
    })
    .await;
    stage.say(None, "By the way, I'm moving to Porto").await;
    stage.learn().await;
    // The rules found it already, in the words of the user.
    assert_eq!(stage.memories().await, ["I'm moving to Porto"]);
    assert_eq!(stage.worker.metrics.rejected.load(Ordering::Relaxed), 2);
    let page = stage.ask(&stage.ana, "GET /v1/memories", &[], None).await.json();
    assert_eq!(page["memories"][0]["source"], "said: I'm moving to Porto");
}

#[tokio::test]
async fn nothing_is_learned_twice_over_two_hundred_turns() {
    let stage = finding(|body| {
        let said = body["messages"][1]["content"].as_str().unwrap();
        let told = [
            ("Lives in Porto", "I live in Porto"),
            ("Has a dog called Rex", "my dog Rex"),
        ];
        let found: Vec<Value> = told
            .iter()
            .filter(|(_, quote)| said.contains(quote))
            .map(|(content, quote)| fact(content, quote))
            .collect();
        facts(&found)
    })
    .await;
    let first = stage.say(None, "I live in Porto with my dog Rex").await;
    stage.learn().await;
    assert_eq!(stage.memories().await, ["I live in Porto with my dog Rex"]);
    let session = first["session_id"].as_str();
    for turn in 0..200 {
        let message = match turn % 2 {
            0 => "what do you know about me?",
            _ => "yes, I live in Porto, and my dog Rex too",
        };
        stage.say(session, message).await;
        if turn % 10 == 9 {
            stage.learn().await;
        }
    }
    stage.learn().await;
    assert_eq!(stage.memories().await.len(), 2);
}

#[tokio::test]
async fn an_answer_that_cannot_be_read_is_asked_for_again_and_nothing_is_stored_in_its_place() {
    let stage = finding(|_| said("I found nothing of the kind you want")).await;
    stage.say(None, "My stamps fill three albums").await;
    stage.learn().await;
    assert!(stage.memories().await.is_empty());
    let requests = stage.double.asked();
    let asked = requests.iter().filter(|asked| wants_facts(&asked.body)).count();
    assert!((2..=6).contains(&asked), "{asked}");
}

#[tokio::test]
async fn a_model_that_is_away_is_asked_later_and_nothing_is_lost() {
    let away = Arc::new(AtomicUsize::new(3));
    let left = Arc::clone(&away);
    let stage =
        finding(
            move |_| match left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1)) {
                Ok(_) => Act::Status(503, "", ""),
                Err(_) => facts(&[fact("Collects stamps", "My stamps fill three albums")]),
            },
        )
        .await;
    stage.say(None, "My stamps fill three albums").await;
    assert!(stage.worker.work().await.is_some(), "it is put off");
    assert_eq!(stage.memories().await.len(), 0);
    stage.learn().await;
    assert_eq!(stage.memories().await, ["Collects stamps"]);
}

#[tokio::test]
async fn without_a_model_rules_find_what_is_plainly_said() {
    let mut settings = AgentSettings::default();
    settings.extraction.method = Method::Rules;
    let stage = Stage::playing(settings, |_| said("Fine.")).await;
    for message in [
        "My name is Ana and I live in Lisbon.",
        "我喜欢喝茶",
        "Actually, I live in Porto",
        "I work at Acme",
        "I no longer work at Acme",
        "my password is hunter2secret",
    ] {
        stage.say(None, message).await;
        stage.learn().await;
    }
    let page = stage.ask(&stage.ana, "GET /v1/memories", &[], None).await.json();
    let line = |memory: &Value| {
        let content = memory["content"].as_str().unwrap();
        // What was replaced or has ended stays, with its end.
        match memory["valid_until"].is_null() {
            true => content.to_owned(),
            false => format!("past: {content}"),
        }
    };
    let mut known: Vec<String> = page["memories"].as_array().unwrap().iter().map(line).collect();
    known.sort();
    assert_eq!(
        known,
        [
            "I live in Porto",
            "My name is Ana",
            "past: I live in Lisbon",
            "past: I work at Acme",
            "我喜欢喝茶"
        ]
    );
}

#[tokio::test]
async fn what_is_erased_before_it_is_read_is_not_learned() {
    let stage = finding(|_| facts(&[fact("Collects stamps", "My stamps fill three albums")])).await;
    let reply = stage.say(None, "My stamps fill three albums").await;
    let session = reply["session_id"].as_str().unwrap();
    let erased = stage
        .ask(
            &stage.ana,
            &format!("DELETE /v1/conversations/{session}"),
            &[],
            None,
        )
        .await;
    assert!(erased.status < 300, "{}", erased.text);
    stage.learn().await;
    assert_eq!(stage.memories().await.len(), 0);
}

#[tokio::test]
async fn the_daily_extraction_searches_before_it_writes_and_is_done_once() {
    let script = |body: &Value| match tools_answered(body) {
        0 => called(&[("search_memory", "{\"query\":\"PostgreSQL\"}")]),
        1 => called(&[(
            "write_memory",
            "{\"key\":\"interest_postgresql\",\"value\":\"Follows PostgreSQL closely\",\"category\":\"preference\",\"durability\":\"durable\",\"confidence\":0.8}",
        )]),
        _ => said("One entry is new."),
    };
    let stage = Stage::playing(AgentSettings::default(), script).await;
    let did = json!({ "interactions": [
        { "type": "save", "data": { "title": "PostgreSQL 18 released" } },
        { "type": "discussion", "text": "I run PostgreSQL at work", "data": { "id": 42 } },
    ] });
    let noted = stage.put("POST /v1/interactions", did).await;
    assert_eq!(noted["ids"].as_array().unwrap().len(), 2);
    let agent = &stage.worker.agent;
    let ports = &agent.memory;
    let scope = || {
        let space = recalld_memory::id::SpaceId::of_user(&recalld_memory::id::UserId::new("ana").unwrap());
        let actor = recalld_memory::change::Actor::new("job:daily");
        recalld_memory::scope::Scope::of_job(space, actor, ports.clock.now()).unwrap()
    };
    let unread = recalld_agent::daily::Selection::Unread;
    let planned = recalld_agent::daily::rehearse(agent, &scope(), unread)
        .await
        .unwrap();
    assert_eq!(planned.len(), 1);
    assert_eq!(stage.memories().await.len(), 0, "a rehearsal changes nothing");

    let run = async |name: &str| {
        recalld_agent::daily::run(agent, &scope(), name, unread)
            .await
            .unwrap()
    };
    let (first, second) = (scope(), scope());
    let (one, other) = futures::join!(
        recalld_agent::daily::run(agent, &first, "2026-03-01", unread),
        recalld_agent::daily::run(agent, &second, "2026-03-01", unread),
    );
    let ran = [one.unwrap(), other.unwrap()].into_iter().flatten().count();
    assert_eq!(ran, 1, "one at a time");
    assert_eq!(run("2026-03-01").await, None, "once a day");
    assert_eq!(run("2026-03-02").await, None, "and everything was read");
    assert_eq!(stage.memories().await, ["Follows PostgreSQL closely"]);
    let runs = stage
        .ask(&stage.ana, "GET /v1/extraction/runs", &[], None)
        .await
        .json();
    assert_eq!(
        (&runs["runs"][0]["status"], &runs["runs"][0]["tool_calls"]),
        (&json!("done"), &json!(2))
    );
    let refused = stage
        .ask(
            &stage.ana,
            "POST /v1/interactions",
            &[],
            Some(json!({ "type": "Bad Type" })),
        )
        .await;
    assert_eq!(refused.status, 400);
}

#[tokio::test]
async fn messages_from_elsewhere_are_read_when_that_is_asked_for() {
    let stage = Stage::without_model().await;
    let said = json!({ "role": "user", "content": "My name is Ana and I live in Lisbon" });
    stage
        .put("POST /v1/conversations/c1/messages", said.clone())
        .await;
    stage.learn().await;
    assert_eq!(stage.memories().await.len(), 0);
    stage
        .put("POST /v1/conversations/c1/messages?extract=true", said)
        .await;
    stage.learn().await;
    let mut known = stage.memories().await;
    known.sort();
    assert_eq!(known, ["I live in Lisbon", "My name is Ana"]);
    let figures = stage.ask(&stage.ana, "GET /metrics", &[], None).await.text;
    assert!(figures.contains("recalld_extraction_total"), "{figures}");
}
