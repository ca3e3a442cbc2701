//! What a chat remembers by itself, what it tells the model, and what it counts.

use std::sync::Arc;

use recalld_agent::chat::{Request, begin};
use recalld_agent::prompts::TimeIn;
use recalld_agent::settings::AgentSettings;
use recalld_agent::wiring::AgentPorts;
use recalld_memory::change::Actor;
use recalld_memory::conversation::MessageText;
use recalld_memory::id::{ConversationId, UserId};
use recalld_memory::ports::chat::Turn;
use recalld_memory::ports::{ChatModels, ChatRole};
use recalld_memory::profile;
use recalld_memory::record_update::Update;
use recalld_memory::scope::Scope;
use recalld_memory::space::SpaceView;
use recalld_testing::script::stores;
use serde_json::json;

use crate::chat_model::{Act, ScriptedModel, agent};

fn scope(agent: &AgentPorts) -> Scope {
    let user = UserId::new("ana").unwrap();
    Scope::of_user(user, Actor::new("chat"), agent.memory.clock.now())
}

fn request(conversation: &str, text: &str) -> Request {
    Request {
        conversation: Some(ConversationId::new(conversation).unwrap()),
        ..Request::new(MessageText::new(text.to_owned()).unwrap())
    }
}

/// What the user asks to remember is stored when the reply ends, whatever the model does.
#[tokio::test]
async fn a_request_to_remember_is_stored_with_the_reply() {
    for (name, store, _keep) in stores().await {
        let model = ScriptedModel::new(|request| {
            let asked = request.turns.last().unwrap().text();
            match asked.contains("tea") {
                true => Act::Fail,
                false => Act::Say("All right.".to_owned()),
            }
        });
        let agent = agent(store, AgentSettings::default(), model);
        for (said, remembered) in [
            (
                "Please remember that I present on database performance in May.",
                Some("present on database performance"),
            ),
            ("Remember that my tea is Assam.", Some("Assam")),
            ("Remember to buy milk", None),
            ("Do you remember that I live in Oslo?", None),
        ] {
            let reply = begin(&agent, &scope(&agent), request("c", said)).await.unwrap();
            let started = reply.started.message.clone();
            reply.whole().await.unwrap();
            let look = |view: &SpaceView| {
                let of_message = view
                    .memories()
                    .filter(|memory| memory.message.as_ref() == Some(&started));
                of_message
                    .map(|memory| memory.content.to_string())
                    .collect::<Vec<_>>()
            };
            let found = agent
                .memory
                .spaces
                .read(scope(&agent).space(), look)
                .await
                .unwrap();
            match remembered {
                Some(words) => {
                    assert_eq!(found.len(), 1, "{name}: {said}: {found:?}");
                    assert!(found[0].contains(words), "{name}: {found:?}");
                }
                None => assert!(found.is_empty(), "{name}: {said}: {found:?}"),
            }
        }
    }
}

/// What the model stored by itself is not stored again.
#[tokio::test]
async fn a_request_to_remember_that_the_model_fulfils_is_stored_once() {
    for (name, store, _keep) in stores().await {
        let model = ScriptedModel::new(|request| {
            let is_done = request.turns.iter().any(|turn| matches!(turn, Turn::Tool { .. }));
            match is_done {
                true => Act::Say("Stored.".to_owned()),
                false => Act::Call("store_memory", r#"{"content": "The user is allergic to bees"}"#),
            }
        });
        let agent = agent(store, AgentSettings::default(), model);
        let asked = request("c", "Remember that bees are dangerous for me");
        let reply = begin(&agent, &scope(&agent), asked).await.unwrap();
        reply.whole().await.unwrap();
        let look = |view: &SpaceView| view.memories().count();
        let found = agent
            .memory
            .spaces
            .read(scope(&agent).space(), look)
            .await
            .unwrap();
        assert_eq!(found, 1, "{name}");
    }
}

/// The time stands in the user's message, or in the system prompt if the deployment wants that.
#[tokio::test]
async fn the_model_knows_the_time_where_it_is_configured() {
    for (name, store, _keep) in stores().await {
        let model = ScriptedModel::new(|_| Act::Say("Hello.".to_owned()));
        let mut settings = AgentSettings::default();
        settings.chat.time_in = TimeIn::System;
        let agent = agent(store, settings, Arc::clone(&model));
        for said in ["Research Gartner", "and their CEO?"] {
            let reply = begin(&agent, &scope(&agent), request("c", said)).await.unwrap();
            reply.whole().await.unwrap();
            let prompt = model.last_prompt();
            assert!(
                prompt[0].contains("Current date and time: 20"),
                "{name}: {prompt:?}"
            );
            assert!(!prompt[0].contains("do not repeat it"), "{name}");
            assert_eq!(prompt.last().unwrap(), said, "{name}");
            assert!(
                prompt[1..].iter().all(|turn| !turn.contains("[sent ")),
                "{name}: {prompt:?}"
            );
        }
    }
}

/// Figures of conversation mode: conversations that began in task mode count, and a look-up is
/// needed if the reply uses what it found.
#[tokio::test]
async fn look_ups_are_counted_per_conversation_and_judged_by_the_reply() {
    for (name, store, _keep) in stores().await {
        let model = ScriptedModel::new(|request| {
            let asked = request.turns.iter().rev().find_map(|turn| match turn {
                Turn::User(_) => Some(turn.text()),
                _ => None,
            });
            let asked = asked.unwrap_or_default();
            let last = request.turns.last().unwrap();
            match (last, asked.contains("Research")) {
                (_, true) => Act::Say("Done.".to_owned()),
                (Turn::Tool { .. }, _) if asked.contains("match") => {
                    Act::Say("Yes, you look for a CISO.".to_owned())
                }
                (Turn::Tool { .. }, _) => Act::Say("I do not know.".to_owned()),
                (_, _) if asked.contains("signals") => {
                    Act::Call("get_user_context", r#"{"category": "signals"}"#)
                }
                _ => Act::Call("get_user_context", r#"{"category": "icp"}"#),
            }
        });
        let agent = agent(store, AgentSettings::default(), model);
        let icp = json!({"target_titles": ["CISO"]});
        let put = Update::Replace(icp);
        profile::update(&agent.memory, &scope(&agent), "icp", put, None)
            .await
            .unwrap();
        for said in [
            "Research Gartner",
            "does this match it?",
            "and what else?",
            "which signals?",
        ] {
            let reply = begin(&agent, &scope(&agent), request("c", said)).await.unwrap();
            reply.whole().await.unwrap();
        }
        let arms = agent.rollout.arms();
        let (_, figures) = arms.iter().find(|(arm, _)| arm == "conversation").unwrap();
        assert_eq!((figures.messages, figures.conversations), (3, 1), "{name}");
        assert_eq!(
            (figures.calls, figures.look_ups, figures.misses),
            (3, 3, 1),
            "{name}"
        );
        assert_eq!((figures.judged, figures.needed), (2, 1), "{name}");
    }
}

/// With a judge, its verdict counts; if it talks nonsense, the words of the reply do.
#[tokio::test]
async fn a_model_judges_whether_look_ups_were_needed() {
    for (answer, needed) in [("1", 1), ("none", 0), ("I think so!", 1)] {
        for (name, store, _keep) in stores().await {
            let chat = ScriptedModel::new(|request| match request.turns.last().unwrap() {
                Turn::Tool { .. } => Act::Say("You look for a CISO.".to_owned()),
                turn if turn.text().contains("Research") => Act::Say("Done.".to_owned()),
                _ => Act::Call("get_user_context", r#"{"category": "icp"}"#),
            });
            let judge = ScriptedModel::new(move |_| Act::Say(answer.to_owned()));
            let mut agent = agent(store, AgentSettings::default(), Arc::clone(&chat));
            let models = ChatModels::new("main", chat.clone());
            agent.models = Some(Arc::new(models.with_role(ChatRole::Judge, judge.clone())));
            let icp = Update::Replace(json!({"target_titles": ["CISO"]}));
            profile::update(&agent.memory, &scope(&agent), "icp", icp, None)
                .await
                .unwrap();
            for said in ["Research Gartner", "does this match it?"] {
                let reply = begin(&agent, &scope(&agent), request("c", said)).await.unwrap();
                reply.whole().await.unwrap();
            }
            // It is asked after the reply.
            let figures = loop {
                let arms = agent.rollout.arms();
                if let Some((_, figures)) = arms.into_iter().find(|(_, figures)| figures.judged > 0) {
                    break figures;
                }
                tokio::task::yield_now().await;
            };
            assert_eq!(
                (figures.judged, figures.needed),
                (1, needed),
                "{answer} on {name}"
            );
            let shown = judge.last_prompt().join("\n");
            assert!(
                shown.contains("does this match it?") && shown.contains("CISO"),
                "{shown}"
            );
        }
    }
}
