//! The run behind a reply: it goes on by itself, is heard as events, and ends with the reply kept
//! and learning promised.

use tokio::sync::{mpsc, oneshot};

use super::prepared::Prepared;
use super::reply::{MemoryState, Reply};
use super::request::Started;
use super::save::save;
use crate::agent_loop::{self, AgentEvent, Ending, EventSink, Failure, Outcome};
use crate::rollout::Counted;

/// A reply on its way.
#[derive(Debug)]
pub struct PendingReply {
    pub started: Started,
    /// What happens. Whoever stops listening stops the model.
    pub events: mpsc::Receiver<AgentEvent>,
    /// What it came to, after the last event.
    pub reply: oneshot::Receiver<Reply>,
}

impl PendingReply {
    /// Waits for the whole reply. None if the process is stopping.
    pub async fn whole(mut self) -> Option<Reply> {
        while self.events.recv().await.is_some() {}
        self.reply.await.ok()
    }
}

/// Lets it run.
pub(super) fn spawn(prepared: Prepared) -> PendingReply {
    let (sink, events) = EventSink::new();
    let (told, reply) = oneshot::channel();
    let started = prepared.started.clone();
    tokio::spawn(async move {
        let reply = run(prepared, sink).await;
        // Whoever went away needs no reply; it is kept all the same.
        let _ = told.send(reply);
    });
    PendingReply {
        started,
        events,
        reply,
    }
}

async fn run(mut prepared: Prepared, sink: EventSink) -> Reply {
    let state = std::mem::take(&mut prepared.state);
    let outcome = agent_loop::run(&prepared.job, state, &sink).await;
    let text = reply_text(&outcome);
    let saved = match prepared.started.memory.clone() {
        MemoryState::On => save(&prepared, &outcome, &text).await,
        off => off,
    };
    let storage_failed = |call: &agent_loop::CallMade| call.failure == Some(Failure::Storage);
    let fell_back = outcome.calls.iter().any(storage_failed);
    let memory = match (saved, fell_back) {
        (MemoryState::On, true) => MemoryState::Off("a tool could not reach memory"),
        (saved, _) => saved,
    };
    prepared.agent.rollout.count(&Counted {
        choice: &prepared.started.choice,
        opens: prepared.opens,
        follows: prepared.follows.as_deref(),
        outcome: &outcome,
        memory_off: memory != MemoryState::On,
        fell_back,
        queries: prepared.queries,
    });
    // Only now is the stream of events over: who has heard its end knows that what was said is
    // kept.
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
