//! Learning from what people say: facts, and changes with history and undo.

use std::sync::Arc;

use jiff::tz::TimeZone;
use recalld_agent::chat::{Request, begin};
use recalld_agent::settings::AgentSettings;
use recalld_agent::wiring::AgentPorts;
use recalld_memory::change::Actor;
use recalld_memory::conversation::MessageText;
use recalld_memory::id::{ConversationId, UserId};
use recalld_memory::lens::Lens;
use recalld_memory::memory::Memory;
use recalld_memory::scope::Scope;
use recalld_portability::undo::{Mode, Which, undo};
use recalld_testing::script::stores;

use crate::chat_model::{Act, ScriptedModel, agent};

pub fn scope(agent: &AgentPorts) -> Scope {
    let user = UserId::new("ana").unwrap();
    Scope::of_user(user, Actor::new("chat"), agent.memory.clock.now())
}

/// Says something, and waits until the reply has ended.
pub async fn say(agent: &AgentPorts, text: &str) {
    let request = Request {
        conversation: Some(ConversationId::new("c").unwrap()),
        ..Request::new(MessageText::new(text.to_owned()).unwrap())
    };
    let reply = begin(agent, &scope(agent), request).await.unwrap();
    reply.whole().await.unwrap();
}

/// What is known and holds, in alphabetical order.
pub async fn known(agent: &AgentPorts) -> Vec<String> {
    let now = agent.memory.clock.now();
    let lines = shown(agent, |memory| !memory.period.is_over(now)).await;
    lines.into_iter().map(|(content, _)| content).collect()
}

/// What held once, each with the day on which it ended.
pub async fn past(agent: &AgentPorts) -> Vec<String> {
    let now = agent.memory.clock.now();
    let lines = shown(agent, |memory| memory.period.is_over(now)).await;
    let line = |(content, until)| format!("{content} until {until}");
    lines.into_iter().map(line).collect()
}

/// What is shown, with its end.
async fn shown(agent: &AgentPorts, keep: impl Fn(&Memory) -> bool) -> Vec<(String, String)> {
    let now = agent.memory.clock.now();
    let day = |memory: &Memory| {
        let until = memory.period.until;
        until.map_or(String::new(), |at| at.to_zoned(TimeZone::UTC).date().to_string())
    };
    let read = |view: &recalld_memory::space::SpaceView| -> Vec<(String, String)> {
        view.current(Lens::everywhere(now))
            .map(|memory| view.shown(memory))
            .filter(|memory| keep(memory))
            .map(|memory| (memory.content.to_string(), day(&memory)))
            .collect()
    };
    let mut known = agent
        .memory
        .spaces
        .read(scope(agent).space(), read)
        .await
        .unwrap();
    known.sort();
    known
}

/// Every version of everything, with its source.
async fn history(agent: &AgentPorts) -> Vec<String> {
    let space = scope(agent).space().clone();
    let ids = |view: &recalld_memory::space::SpaceView| -> Vec<_> {
        view.memories().map(|memory| memory.id).collect()
    };
    let mut lines = Vec::new();
    for id in agent.memory.spaces.read(&space, ids).await.unwrap() {
        for version in agent.memory.store.history(&space, id).await.unwrap() {
            let source = version
                .stamp
                .source
                .map_or(String::new(), |source| source.to_string());
            lines.push(format!(
                "{:?}: {} <- {source}",
                version.act,
                version.memory.content.as_str()
            ));
        }
    }
    lines
}

pub fn silent() -> Arc<ScriptedModel> {
    ScriptedModel::new(|_| Act::Say("I see.".to_owned()))
}

/// Plays a conversation on each store.
pub async fn check(said: &[&str], expected: &[&str]) {
    for (name, store, _keep) in stores().await {
        let agent = agent(store, AgentSettings::default(), silent());
        for text in said {
            say(&agent, text).await;
        }
        assert_eq!(known(&agent).await, expected, "{name}: {said:?}");
    }
}

#[tokio::test]
async fn what_rules_find_is_stored_when_the_reply_ends() {
    check(
        &[
            "I live in Lisbon and I prefer tea",
            "Remember that the spare key is with Mrs. Pires",
        ],
        &[
            "I live in Lisbon",
            "I prefer tea",
            "the spare key is with Mrs. Pires",
        ],
    )
    .await;
}

#[tokio::test]
async fn a_move_takes_the_place_of_the_old_home() {
    check(
        &["I live in Lisbon", "We moved to Porto yesterday"],
        &["We moved to Porto yesterday (2026-02-28)"],
    )
    .await;
    check(
        &["I used to live in Rome but now I live in Milan"],
        &["I live in Milan"],
    )
    .await;
}

#[tokio::test]
async fn what_ends_or_is_forgotten_no_longer_holds() {
    check(&["I work at Acme", "I quit my job at Acme last month"], &[]).await;
    check(&["I live in Delft", "I don't live in Delft anymore"], &[]).await;
    check(&["I love sushi", "Forget that I love sushi"], &[]).await;
    check(
        &["I love tea", "I don't like tea any more"],
        &["I don't like tea any more"],
    )
    .await;
    check(&["我住在上海", "我不住在上海了"], &[]).await;
}

#[tokio::test]
async fn corrections_mend_what_was_said_last() {
    check(
        &["I'm allergic to peanuts", "That was my sister, not me"],
        &["my sister, not me: I'm allergic to peanuts"],
    )
    .await;
    check(
        &["I live in Braga", "It's actually Porto, not Braga"],
        &["I live in Porto"],
    )
    .await;
}

#[tokio::test]
async fn the_old_fact_stays_in_history_and_can_be_restored() {
    for (name, store, _keep) in stores().await {
        let agent = agent(store, AgentSettings::default(), silent());
        say(&agent, "I work at Acme").await;
        say(&agent, "I quit my job at Acme last month").await;
        assert_eq!(
            history(&agent).await,
            [
                "Remember: I work at Acme <- said: I work at Acme",
                "Revise: I work at Acme <- said: I quit my job at Acme last month",
            ],
            "{name}"
        );
        undo(&agent.memory, &scope(&agent), &Which::Last, Mode::Write)
            .await
            .unwrap();
        assert_eq!(known(&agent).await, ["I work at Acme"], "{name}");
        say(&agent, "I live in Lisbon").await;
        say(&agent, "I moved to Porto").await;
        undo(&agent.memory, &scope(&agent), &Which::Last, Mode::Write)
            .await
            .unwrap();
        assert_eq!(
            known(&agent).await,
            ["I live in Lisbon", "I work at Acme"],
            "{name}"
        );
    }
}

/// The changes above in other languages: what holds then, and that undo restores what was known.
#[tokio::test]
async fn changes_are_understood_in_each_language_and_can_be_undone() {
    for (before, change, after) in [
        ("Ich liebe Sushi", "Vergiss, dass ich Sushi liebe", ""),
        ("我喜欢寿司", "忘记我喜欢寿司", ""),
        ("Ich arbeite bei Bosch", "Ich habe bei Bosch gekündigt", ""),
        ("我在腾讯上班", "我从腾讯辞职了", ""),
        ("Ich wohne in Köln", "Ich wohne nicht mehr in Köln", ""),
        (
            "Ich wohne in Köln",
            "Wir sind gestern nach Bonn gezogen",
            "Wir sind gestern nach Bonn gezogen (2026-02-28)",
        ),
        (
            "我住在上海",
            "我们昨天搬到了北京",
            "我们昨天搬到了北京 (2026-02-28)",
        ),
        (
            "Ich bin allergisch gegen Nüsse",
            "Das war meine Schwester, nicht ich",
            "meine Schwester, not me: Ich bin allergisch gegen Nüsse",
        ),
        (
            "Ich wohne in Köln",
            "Es ist eigentlich Bonn, nicht Köln",
            "Ich wohne in Bonn",
        ),
        ("我住在上海", "应该是北京，不是上海", "我住在北京"),
    ] {
        for (name, store, _keep) in stores().await {
            let agent = agent(store, AgentSettings::default(), silent());
            say(&agent, before).await;
            assert_eq!(known(&agent).await, [before], "{name}: {before}");
            say(&agent, change).await;
            let expected: Vec<&str> = Some(after)
                .into_iter()
                .filter(|after| !after.is_empty())
                .collect();
            assert_eq!(known(&agent).await, expected, "{name}: {change}");
            let told = history(&agent).await;
            assert!(told.iter().any(|line| line.contains(before)), "{name}: {told:?}");
            let scope = scope(&agent);
            undo(&agent.memory, &scope, &Which::Last, Mode::Write)
                .await
                .unwrap();
            assert_eq!(known(&agent).await, [before], "{name}: undo of {change}");
        }
    }
}
