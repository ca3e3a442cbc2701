//! Conversations with a model: nothing that was said is lost, whatever the model does.

use std::collections::BTreeSet;
use std::sync::Arc;

use recalld_agent::chat::{Request, begin};
use recalld_agent::settings::{AgentSettings, Method};
use recalld_agent::summary;
use recalld_agent::wiring::AgentPorts;
use recalld_memory::change::Actor;
use recalld_memory::conversation::{Message, MessageText, Role};
use recalld_memory::id::{ConversationId, MessageId, UserId};
use recalld_memory::ports::{ChatModels, ChatRole, MessagePage};
use recalld_memory::record::RecordKind;
use recalld_memory::scope::Scope;
use recalld_testing::script::stores;

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

async fn stored(agent: &AgentPorts, conversation: &str) -> Vec<Message> {
    let page = MessagePage {
        before: None,
        limit: 1_000,
    };
    let id = ConversationId::new(conversation).unwrap();
    let store = &agent.memory.store;
    store.messages(scope(agent).space(), &id, &page).await.unwrap()
}

/// The numbers of the messages that a prompt holds: as they were said, or in the range of a
/// summary.
fn covered(prompt: &[String], stored: &[Message]) -> BTreeSet<u64> {
    let mut covered = BTreeSet::new();
    for turn in prompt {
        if let Some(range) = turn.strip_prefix("Earlier in this conversation (messages ") {
            let (from, rest) = range.split_once(" to ").unwrap();
            let (through, _) = rest.split_once(',').unwrap();
            covered.extend(from.parse::<u64>().unwrap()..=through.parse::<u64>().unwrap());
        }
        let is_shown = |message: &&Message| turn.starts_with(message.content.as_str());
        covered.extend(stored.iter().filter(is_shown).map(|message| message.seq));
    }
    covered
}

/// Talks for 200 turns. The worker makes summaries after every turn, after some, or never.
async fn check_that_every_message_is_shown(summaries: fn() -> Option<Act>, worker_every: usize) {
    for (name, store, _keep) in stores().await {
        let chat = ScriptedModel::new(|request| {
            let last = request.turns.last().unwrap().text();
            let number = last.split_whitespace().nth(1).unwrap_or("0");
            Act::Say(format!("reply {number} it is so."))
        });
        let mut settings = AgentSettings::default();
        settings.extraction.method = Method::Off;
        let mut agent = agent(store, settings, Arc::clone(&chat));
        let summary = ScriptedModel::new(move |_| summaries().unwrap_or(Act::Fail));
        agent.models = Some(Arc::new(
            ChatModels::new("main", chat.clone()).with_role(ChatRole::Summary, summary),
        ));
        let conversation = ConversationId::new("long").unwrap();
        for turn in 0..200_usize {
            let before = stored(&agent, "long").await;
            let text = format!("question {turn} please.");
            let reply = begin(&agent, &scope(&agent), request("long", &text))
                .await
                .unwrap();
            assert_eq!(
                reply.whole().await.unwrap().text,
                format!("reply {turn} it is so.")
            );
            let said = before.iter().filter(|message| message.role != Role::System);
            let covered = covered(&chat.last_prompt(), &before);
            let missing: Vec<u64> = said.map(|m| m.seq).filter(|seq| !covered.contains(seq)).collect();
            assert_eq!(missing, Vec::<u64>::new(), "turn {turn} on {name}");
            let prompt = chat.last_prompt();
            assert!(prompt.len() <= 23, "{} turns on {name}", prompt.len());
            if worker_every != 0 && turn % worker_every == 0 {
                summary::update(&agent, &scope(&agent), &conversation)
                    .await
                    .unwrap();
            }
        }
    }
}

#[tokio::test]
async fn every_message_is_in_the_history_or_in_the_summary_at_every_turn() {
    check_that_every_message_is_shown(|| Some(Act::Say("They talk.".to_owned())), 1).await;
}

#[tokio::test]
async fn every_message_is_shown_when_summaries_come_late() {
    check_that_every_message_is_shown(|| Some(Act::Say("They talk.".to_owned())), 7).await;
}

#[tokio::test]
async fn every_message_is_shown_when_no_summary_is_ever_made() {
    check_that_every_message_is_shown(|| None, 0).await;
}

#[tokio::test]
async fn every_message_is_shown_when_the_summary_model_fails() {
    check_that_every_message_is_shown(|| None, 3).await;
}

/// What the user said is there when the model fails, says nothing, or calls tools for ever.
#[tokio::test]
async fn what_the_user_said_is_stored_whatever_the_model_does() {
    let scripts: [fn() -> Act; 3] = [
        || Act::Fail,
        || Act::Say(String::new()),
        || Act::Call("recall_memory", "{\"query\":\"x\"}"),
    ];
    for script in scripts {
        for (name, store, _keep) in stores().await {
            let model = ScriptedModel::new(move |_| script());
            let agent = agent(store, AgentSettings::default(), model);
            let reply = begin(&agent, &scope(&agent), request("c", "My dog is called Rex.")).await;
            reply.unwrap().whole().await.unwrap();
            let said: Vec<_> = stored(&agent, "c").await;
            let said = said.iter().filter(|message| message.role == Role::User);
            let said: Vec<&str> = said.map(|message| message.content.as_str()).collect();
            assert_eq!(said, ["My dog is called Rex."], "{name}");
        }
    }
}

/// When the model is asked the message is in the store already: also a crash then loses nothing.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_message_is_stored_before_the_model_is_asked() {
    for (name, store, _keep) in stores().await {
        let (asked, is_asked) = tokio::sync::oneshot::channel();
        let (go_on, gate) = std::sync::mpsc::channel::<()>();
        let (asked, gate) = (
            parking_lot::Mutex::new(Some(asked)),
            parking_lot::Mutex::new(gate),
        );
        let model = ScriptedModel::new(move |_| {
            asked.lock().take().unwrap().send(()).unwrap();
            gate.lock().recv().unwrap();
            Act::Say("Fine.".to_owned())
        });
        let agent = agent(store, AgentSettings::default(), model);
        let reply = begin(&agent, &scope(&agent), request("c", "hello"))
            .await
            .unwrap();
        is_asked.await.unwrap();
        let said = stored(&agent, "c").await;
        let said: Vec<&str> = said.iter().map(|message| message.content.as_str()).collect();
        assert_eq!(said, ["hello"], "{name}");
        go_on.send(()).unwrap();
        assert_eq!(reply.whole().await.unwrap().text, "Fine.");
        assert_eq!(stored(&agent, "c").await.len(), 2, "{name}");
    }
}

/// A request that fails and is sent again under the same id is there once, with one reply.
#[tokio::test]
async fn a_message_that_is_sent_again_is_stored_once() {
    for (name, store, _keep) in stores().await {
        let tries = std::sync::atomic::AtomicUsize::new(0);
        let model =
            ScriptedModel::new(
                move |_| match tries.fetch_add(1, std::sync::atomic::Ordering::SeqCst) {
                    0 => Act::Fail,
                    _ => Act::Say("Hello.".to_owned()),
                },
            );
        let agent = agent(store, AgentSettings::default(), model);
        // By the caller's own id…
        for _ in 0..2 {
            let request = Request {
                message_id: Some(MessageId::new("m1").unwrap()),
                reply_id: Some(MessageId::new("r1").unwrap()),
                ..request("c", "hi there")
            };
            let reply = begin(&agent, &scope(&agent), request).await.unwrap();
            reply.whole().await.unwrap();
        }
        let said = stored(&agent, "c").await;
        let said: Vec<&str> = said.iter().map(|message| message.content.as_str()).collect();
        assert_eq!(said, ["hi there", "Hello."], "{name}");
        // …or by the key of the request, which also names the conversation.
        let mut conversations = BTreeSet::new();
        for _ in 0..2 {
            let mut scope = scope(&agent);
            scope.once = Some([7; 32]);
            let request = Request::new(MessageText::new("good morning".to_owned()).unwrap());
            let reply = begin(&agent, &scope, request).await.unwrap();
            conversations.insert(reply.started.conversation.to_string());
            reply.whole().await.unwrap();
        }
        assert_eq!(conversations.len(), 1);
        let said = stored(&agent, conversations.first().unwrap()).await;
        let said = said.iter().filter(|message| message.role == Role::User);
        assert_eq!(said.count(), 1, "{name}");
    }
}

/// There is one task to extract facts from what the user said, although the model never answered.
#[tokio::test]
async fn what_was_said_to_a_failing_model_is_to_be_read_once() {
    for (name, store, _keep) in stores().await {
        let agent = agent(store, AgentSettings::default(), ScriptedModel::new(|_| Act::Fail));
        for _ in 0..3 {
            let request = Request {
                message_id: Some(MessageId::new("m1").unwrap()),
                ..request(
                    "c",
                    "My name is Ana, my key is sk-proj-4fQ9xT2mB7vK1nL8cR5wZ3yH6jD0sGpA",
                )
            };
            let reply = begin(&agent, &scope(&agent), request).await.unwrap();
            reply.whole().await.unwrap();
        }
        let (store, scope) = (&agent.memory.store, scope(&agent));
        let tasks = store.records(scope.space(), RecordKind::Task, Some("extract:"), 10);
        assert_eq!(tasks.await.unwrap().len(), 1, "{name}");
    }
}
