//! The run behind a reply: it goes on by itself, sends events, and ends with the reply stored.

use std::sync::Arc;

use recalld_memory::trace;
use tokio::sync::{mpsc, oneshot};

use super::judge::{self, Case};
use super::needed::{LookUp, look_ups};
use super::prepared::Prepared;
use super::reply::{MemoryState, Reply};
use super::request::Started;
use super::save::{Saved, learn_from_message, save_message, save_reply};
use crate::agent_loop::{self, AgentEvent, Ending, EventSink, Failure, Outcome};
use crate::rollout::Counted;

/// A reply on its way.
#[derive(Debug)]
pub struct PendingReply {
    pub started: Started,
    /// What happens. Dropping the receiver stops the model.
    pub events: mpsc::Receiver<AgentEvent>,
    /// The reply, after the last event.
    pub reply: oneshot::Receiver<Reply>,
}

impl PendingReply {
    /// Waits for the whole reply. None if the process is stopping.
    pub async fn whole(mut self) -> Option<Reply> {
        while self.events.recv().await.is_some() {}
        self.reply.await.ok()
    }
}

/// Starts the run.
pub(super) fn spawn(prepared: Prepared) -> PendingReply {
    let (sink, events) = EventSink::new();
    let (sender, reply) = oneshot::channel();
    let started = prepared.started.clone();
    tokio::spawn(trace::carried(trace::current(), async move {
        let reply = run(prepared, sink).await;
        // A caller that went away needs no reply; it is stored all the same.
        let _ = sender.send(reply);
    }));
    PendingReply {
        started,
        events,
        reply,
    }
}

async fn run(mut prepared: Prepared, sink: EventSink) -> Reply {
    let state = std::mem::take(&mut prepared.state);
    let message = match prepared.started.memory {
        MemoryState::On => save_message(&prepared).await,
        // A store that cannot be read should not delay the model further: it is tried at the end.
        MemoryState::Off(why) => Saved::Failed(why),
    };
    let outcome = agent_loop::run(&prepared.job, state, &sink).await;
    let text = reply_text(&outcome);
    let saved = match prepared.is_stored {
        true => save_reply(&prepared, message, &outcome, &text).await,
        false => MemoryState::On,
    };
    let saved = match prepared.started.memory.clone() {
        MemoryState::On => saved,
        off => off,
    };
    if prepared.is_stored && saved == MemoryState::On {
        learn_from_message(&prepared, &outcome).await;
    }
    let storage_failed = |call: &agent_loop::CallMade| call.failure == Some(Failure::Storage);
    let fell_back = outcome.calls.iter().any(storage_failed);
    let memory = match (saved, fell_back) {
        (MemoryState::On, true) => MemoryState::Off("a tool could not reach memory"),
        (saved, _) => saved,
    };
    let look_ups = look_ups(&outcome, &text);
    prepared.agent.rollout.count(&Counted {
        choice: &prepared.started.choice,
        joins: prepared.joins,
        follows: prepared.follows.as_deref(),
        outcome: &outcome,
        memory_off: memory != MemoryState::On,
        fell_back,
        queries: prepared.queries,
    });
    count_needed(&prepared, look_ups, &text);
    // Only now does the stream of events end: a caller that has seen its end knows that what was
    // said is stored.
    drop(sink);
    let started = prepared.started;
    Reply {
        text,
        conversation: started.conversation,
        message: started.reply,
        choice: started.choice,
        fell_back,
        memory,
        calls_of_caller: match &outcome.ending {
            Ending::CallsOfCaller(calls) => calls.clone(),
            _ => Vec::new(),
        },
        ending: outcome.ending,
        tools: outcome.calls.into_iter().map(|call| call.name).collect(),
        usage: outcome.spent.usage,
        failure: outcome.failure,
        last: outcome.last,
        first_word: outcome.first_word,
    }
}

/// Counts which look-ups were needed: a judge decides if there is one, else the words of the reply.
fn count_needed(prepared: &Prepared, look_ups: Vec<LookUp>, reply: &str) {
    if look_ups.is_empty() {
        return;
    }
    let (agent, arm) = (&prepared.agent, prepared.started.choice.arm);
    let Some(judge) = agent.models.as_ref().and_then(|models| models.judge()) else {
        let needed: Vec<bool> = look_ups.iter().map(|look_up| look_up.is_used).collect();
        return agent.rollout.count_needed(arm, &needed);
    };
    let case = Case {
        arm: arm.to_owned(),
        message: prepared.text.as_str().to_owned(),
        look_ups,
        reply: reply.to_owned(),
    };
    tokio::spawn(judge::count(judge, case, Arc::clone(&agent.rollout)));
}

/// The text of the last answer; what was said before a call counts when nothing was said after it.
fn reply_text(outcome: &Outcome) -> String {
    use recalld_memory::ports::chat::Turn;
    let said = outcome.state.messages().iter().rev();
    let mut texts = said.map_while(|entry| match &entry.turn {
        Turn::Assistant { text, .. } => Some(text.as_str()),
        Turn::Tool { .. } => Some(""),
        _ => None,
    });
    texts.find(|text| !text.is_empty()).unwrap_or("").to_owned()
}
