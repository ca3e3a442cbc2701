//! The daily extraction: every interaction is read once, by one run at a time.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::SignedDuration;
use recalld_agent::daily::{self, Selection, Status};
use recalld_agent::interactions::{Interaction, note};
use recalld_agent::settings::AgentSettings;
use recalld_agent::wiring::AgentPorts;
use recalld_memory::change::Actor;
use recalld_memory::id::UserId;
use recalld_memory::scope::Scope;
use recalld_testing::clock::opening;
use recalld_testing::script::stores;
use serde_json::Value;

use crate::chat_model::{Act, ScriptedModel, agent};

/// The scope of the user some hours after the opening.
fn scope(hours: i64) -> Scope {
    let now = opening() + SignedDuration::from_hours(hours);
    Scope::of_user(UserId::new("ana").unwrap(), Actor::new("job:daily"), now)
}

async fn did(agent: &AgentPorts, hours: i64, texts: &[String]) {
    let scope = scope(hours);
    let interaction = |text: &String| Interaction {
        kind: "discussion".to_owned(),
        // When it was is the caller's word, and may be long before.
        at: opening(),
        text: Some(text.clone()),
        data: Value::Null,
    };
    for some in texts.chunks(100) {
        note(&agent.memory, &scope, some.iter().map(interaction).collect())
            .await
            .unwrap();
    }
}

/// Counts in how many prompts each of `texts` stands.
fn read(model: &ScriptedModel, texts: &[String]) -> BTreeMap<String, usize> {
    let asked = model.asked.lock();
    let prompts: Vec<String> = asked.iter().map(|turns| turns[1].text()).collect();
    let count = |text: &String| {
        prompts
            .iter()
            .filter(|prompt| prompt.contains(text.as_str()))
            .count()
    };
    texts.iter().map(|text| (text.clone(), count(text))).collect()
}

fn texts(from: usize, count: usize) -> Vec<String> {
    (from..from + count)
        .map(|n| format!("event-{n:05} happened to me"))
        .collect()
}

#[tokio::test]
async fn every_interaction_is_read_once_however_long_no_server_ran() {
    for (name, store, _keep) in stores().await {
        let model = ScriptedModel::new(|_| Act::Say("Nothing new.".to_owned()));
        let agent = agent(store, AgentSettings::default(), Arc::clone(&model));
        // Three days without a server, then a run; then a few that say they are old, and a run.
        for day in 0..3 {
            did(&agent, 24 * day, &texts(1_000 * day as usize, 400)).await;
        }
        let run = async |hours: i64| {
            let scope = scope(hours);
            let due = format!("{:.0}", scope.now);
            daily::run(&agent, &scope, &due, Selection::Unread).await.unwrap()
        };
        assert_eq!(run(72).await.unwrap().interactions, 1_200, "{name}");
        did(&agent, 80, &texts(3_000, 5)).await;
        assert_eq!(run(96).await.unwrap().status, Status::Done);
        assert_eq!(run(120).await, None, "nothing is left on {name}");
        let all: Vec<String> = (0..3)
            .flat_map(|day| texts(1_000 * day, 400))
            .chain(texts(3_000, 5))
            .collect();
        assert!(read(&model, &all).values().all(|times| *times == 1), "{name}");
    }
}

#[tokio::test]
async fn runs_of_one_user_do_not_overlap_in_one_process_either() {
    for (name, store, _keep) in stores().await {
        let model = ScriptedModel::new(|_| Act::Say("Nothing new.".to_owned()));
        let agent = agent(store, AgentSettings::default(), Arc::clone(&model));
        did(&agent, 0, &texts(0, 10)).await;
        let scopes: Vec<Scope> = (0..8).map(|_| scope(24)).collect();
        let names: Vec<String> = (0..8).map(|n| format!("2026-03-0{}", n + 1)).collect();
        let runs = scopes.iter().zip(&names);
        let runs = runs.map(|(scope, name)| daily::run(&agent, scope, name, Selection::Unread));
        let ran = futures::future::join_all(runs).await;
        let ran = ran.into_iter().filter_map(Result::unwrap);
        assert_eq!(ran.map(|run| run.interactions).sum::<usize>(), 10, "{name}");
        assert!(
            read(&model, &texts(0, 10)).values().all(|times| *times == 1),
            "{name}"
        );
    }
}

#[tokio::test]
async fn a_run_stops_at_its_token_limit_and_the_next_one_goes_on() {
    for (name, store, _keep) in stores().await {
        // Each answer costs 1,010 tokens, and a portion holds at most 500 interactions.
        let model = ScriptedModel::new(|_| Act::Say("Nothing new.".to_owned()));
        let mut settings = AgentSettings::default();
        settings.extraction.daily_tokens_max = 2_000;
        let agent = agent(store, settings, Arc::clone(&model));
        did(&agent, 0, &texts(0, 2_000)).await;
        let mut statuses = Vec::new();
        let mut read_by_runs = 0;
        for day in 1..20 {
            let scope = scope(24 * day);
            let due = format!("{:.0}", scope.now);
            let Some(run) = daily::run(&agent, &scope, &due, Selection::Unread).await.unwrap() else {
                break;
            };
            assert!(run.tokens() <= 3_000, "{} tokens on {name}", run.tokens());
            read_by_runs += run.interactions;
            statuses.push(run.status);
        }
        assert_eq!(read_by_runs, 2_000, "{name}");
        assert_eq!(statuses.first(), Some(&Status::Partial), "{name}");
        assert_eq!(statuses.last(), Some(&Status::Done), "{name}");
        assert!(
            read(&model, &texts(0, 2_000)).values().all(|times| *times == 1),
            "{name}"
        );
    }
}

#[tokio::test]
async fn a_model_that_fails_is_asked_again_and_reads_nothing_twice() {
    for (name, store, _keep) in stores().await {
        let asked = std::sync::atomic::AtomicUsize::new(0);
        let model =
            ScriptedModel::new(
                move |_| match asked.fetch_add(1, std::sync::atomic::Ordering::SeqCst) {
                    1 => Act::Fail,
                    _ => Act::Say("Nothing new.".to_owned()),
                },
            );
        let agent = agent(store, AgentSettings::default(), Arc::clone(&model));
        did(&agent, 0, &texts(0, 1_000)).await;
        let mut runs = Vec::new();
        for _ in 0..2 {
            let run = daily::run(&agent, &scope(24), "2026-03-02", Selection::Unread).await;
            runs.push(run.unwrap().unwrap());
        }
        assert_eq!(
            (runs[0].status, runs[1].status),
            (Status::Failed, Status::Done),
            "{name}"
        );
        assert_eq!(runs[0].interactions + runs[1].interactions, 1_000, "{name}");
    }
}
