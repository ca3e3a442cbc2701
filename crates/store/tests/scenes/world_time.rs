//! What held once is kept with its end, when something else takes its place.

use recalld_agent::settings::AgentSettings;
use recalld_memory::settings::Settings;
use recalld_testing::script::{play, ports, scope, stores};

use crate::chat_model::agent;
use crate::learning::{check, known, past, say, silent};

/// Plays a conversation on each store, and compares what held once.
async fn check_past(said: &[&str], expected: &[&str]) {
    for (name, store, _keep) in stores().await {
        let agent = agent(store, AgentSettings::default(), silent());
        for text in said {
            say(&agent, text).await;
        }
        assert_eq!(past(&agent).await, expected, "{name}: {said:?}");
    }
}

#[tokio::test]
async fn what_held_before_is_kept_with_its_end() {
    check_past(
        &["I live in Lisbon", "We moved to Porto yesterday"],
        &["I live in Lisbon until 2026-02-28"],
    )
    .await;
    check_past(
        &["I work at Acme", "I quit my job at Acme last month"],
        &["I work at Acme until 2026-02-01"],
    )
    .await;
    check_past(
        &["我住在上海", "我不住在上海了"],
        &["我住在上海 until 2026-03-01"],
    )
    .await;
    // Who comes back says anew what held before.
    check(
        &["I live in Lisbon", "I moved to Porto", "I live in Lisbon"],
        &["I live in Lisbon"],
    )
    .await;
    check_past(&["I live in Lisbon", "Forget that I live in Lisbon"], &[]).await;
}

/// Home, job, boss, diet and phone in three languages: what is said last holds.
#[tokio::test]
async fn what_is_said_last_holds() {
    for (old, new) in [
        ("I live in Lisbon", "I live in Porto now"),
        ("I work at Acme", "I work at Globex now"),
        ("My boss is Karen", "My boss is Dmitri"),
        ("I'm vegan", "I eat everything again"),
        ("My phone number is 555-0142", "My phone number is 555-0199"),
        ("Ich wohne in Köln", "Ich wohne jetzt in Bonn"),
        ("Ich arbeite bei Bosch", "Ich arbeite jetzt bei Siemens"),
        ("Mein Chef heißt Klaus", "Mein Chef heißt Murat"),
        ("我住在上海", "我搬到了北京"),
        ("我在腾讯上班", "我现在在字节上班"),
        ("我的老板是张总", "我的老板是李总"),
    ] {
        for (name, store, _keep) in stores().await {
            let agent = agent(store, AgentSettings::default(), silent());
            say(&agent, old).await;
            assert_eq!(known(&agent).await, [old], "{name}: {old}");
            say(&agent, new).await;
            assert_eq!(known(&agent).await, [new], "{name}: {new}");
            assert_eq!(past(&agent).await, [format!("{old} until 2026-03-01")], "{name}");
        }
    }
}

/// Plays a script on each store, and compares what is found first.
async fn check_first(script: &[&str], asked: &[(&str, &str)]) {
    for (name, store, _keep) in stores().await {
        let ports = ports(store, Settings::default());
        let mut scope = scope("ana");
        for line in script {
            play(&ports, &mut scope, line).await;
        }
        for (question, expected) in asked {
            let found = play(&ports, &mut scope, &format!("recall {question}")).await;
            assert_eq!(
                found.lines().next(),
                Some(*expected),
                "{name}: {question}: {found}"
            );
        }
    }
}

#[tokio::test]
async fn an_event_whose_day_was_told_is_a_date() {
    check_first(
        &[
            "remember bought red shoes in town",
            "wait 52 days",
            "remember our wedding is on 27 April 2026",
            "remember bought blue shoes at the market",
            "wait 30 days",
            "remember bought green shoes online",
            "wait 10 days",
        ],
        &[
            (
                "which shoes did I buy the week before the wedding?",
                "bought blue shoes at the market",
            ),
            (
                "which shoes did I buy after the wedding?",
                "bought green shoes online",
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn what_held_before_a_change_is_asked_for_by_it() {
    check_first(
        &[
            "remember I live in Lisbon",
            "wait 45 days",
            "remember I moved to Porto on 10 April 2026",
            "wait 30 days",
        ],
        &[
            ("where did I live before my move to Porto?", "I live in Lisbon"),
            (
                "where did I live after the move to Porto?",
                "I moved to Porto on 10 April 2026",
            ),
        ],
    )
    .await;
}
