//! Loads what a reply begins with: what was said before, and what memory adds, read at the same
//! time where both are wanted.

use std::time::Duration;

use futures::FutureExt;
use recalld_memory::scope::Scope;
use recalld_memory::trace;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::history::{self, History};
use super::likely_lookups::likely_lookups;
use super::recalled::{Breadth, Candidates, Recalled, find_candidates};
use super::reply::MemoryState;
use super::request::Request;
use crate::agent_loop;
use crate::prompts::room;
use crate::rollout::{Choice, Mode, choose};
use crate::wiring::AgentPorts;

/// How long memory may take before the reply goes on without it.
const PATIENCE: Duration = Duration::from_secs(2);

/// What a reply begins with.
#[derive(Debug)]
pub(super) struct ChatContext {
    pub(super) history: History,
    pub(super) choice: Choice,
    pub(super) recalled: Recalled,
    /// What the conversation shall open with, when it is new.
    pub(super) opening: Option<String>,
    pub(super) memory: MemoryState,
    /// What was fetched because it will probably be asked for.
    pub(super) prefetched: Option<JoinHandle<Option<Candidates>>>,
}

/// Loads what a reply to `request` begins with, in the conversation and with the message of
/// `scope`. Whatever cannot be read is left out, and memory is off.
pub(super) async fn load_context(agent: &AgentPorts, scope: &Scope, request: &Request) -> ChatContext {
    let rollout = &agent.settings.chat.rollout;
    let message = request.message.as_str();
    let choose = |opens| choose(rollout, scope.space(), message, opens, request.mode);
    if request.memory != MemoryState::On {
        return ChatContext {
            history: History::default(),
            choice: choose(request.earlier.is_empty()),
            recalled: Recalled::default(),
            opening: None,
            memory: request.memory.clone(),
            prefetched: None,
        };
    }
    let looking = || async {
        let looked = timeout(PATIENCE, find_candidates(&agent.memory, scope, message, |_| ())).await;
        let looked = looked
            .ok()
            .and_then(Result::ok)
            .map(|(candidates, ())| candidates);
        looked.ok_or("what is remembered could not be read")
    };
    // Nobody has said anything in a conversation that is only now given a name, unless this request
    // was sent before and failed.
    let may_be_known = request.conversation.is_some() || scope.once.is_some();
    let new = || History {
        is_new: true,
        ..History::default()
    };
    let mut prefetched = None;
    let (history, early) = match may_be_known {
        false => (Ok(new()), None),
        // The context will be wanted, whatever was said before: both are read at the same time.
        true if choose(false).mode == Mode::Task => {
            let (history, candidates) = tokio::join!(read_history(agent, scope, request), looking());
            (history, Some(candidates))
        }
        true => {
            prefetched = prefetch(agent, scope, message);
            (read_history(agent, scope, request).await, None)
        }
    };
    let (mut history, unread) = match history {
        Ok(history) => (history, None),
        Err(why) => (History::default(), Some(why)),
    };
    let choice = choose(history.is_new && request.earlier.is_empty());
    let wanted = unread.is_none() && (history.is_new || choice.mode == Mode::Task);
    let candidates = match early {
        Some(candidates) => Some(candidates),
        None if wanted => Some(looking().await),
        None => None,
    };
    history.queries += u32::from(candidates.is_some());
    let (candidates, unknown) = match candidates.filter(|_| wanted) {
        Some(Ok(candidates)) => (Some(candidates), None),
        Some(Err(why)) => (None, Some(why)),
        None => (None, None),
    };
    let (recalled, opening) = reminded(agent, candidates.as_ref(), choice.mode, history.is_new);
    ChatContext {
        history,
        choice,
        recalled,
        opening,
        memory: unread.or(unknown).map_or(MemoryState::On, MemoryState::Off),
        prefetched,
    }
}

/// Reads what was said before, or says why it cannot.
async fn read_history(agent: &AgentPorts, scope: &Scope, request: &Request) -> Result<History, &'static str> {
    let may_be_sent_again = request.message_id.is_some() || scope.once.is_some();
    let again = scope.message.as_ref().filter(|_| may_be_sent_again);
    let Some(conversation) = &scope.conversation else {
        return Ok(History::default());
    };
    match timeout(PATIENCE, history::load(agent, scope, conversation, again)).await {
        Ok(loaded) => loaded.map_err(|error| {
            tracing::warn!(%error, "could not read the history of a conversation; going on without it");
            "the history could not be read"
        }),
        Err(_) => Err("the history was not read in time"),
    }
}

/// What memory adds, as the mode wants it, and what a conversation opens with: in conversation mode
/// that is shown ever after.
fn reminded(
    agent: &AgentPorts,
    candidates: Option<&Candidates>,
    mode: Mode,
    opens: bool,
) -> (Recalled, Option<String>) {
    let Some(candidates) = candidates else {
        return (Recalled::default(), None);
    };
    let settings = &agent.settings.chat;
    let light = room(
        &settings.prompts.conversation,
        settings.conversation_tokens_max,
        settings.time_in,
    );
    let light = opens.then(|| candidates.written(Breadth::Memories, light));
    let opening = light.as_ref().map(|light| light.text.clone());
    let recalled = match mode {
        Mode::Task => candidates.written(
            Breadth::Whole,
            room(&settings.prompts.task, settings.task_tokens_max, settings.time_in),
        ),
        Mode::Conversation => light.unwrap_or_default(),
    };
    (recalled, opening.filter(|text| !text.is_empty()))
}

/// The model will probably look something up: the space is brought forward while the history is
/// read and the model thinks. What is seen there is at hand, should the look-up fail.
fn prefetch(agent: &AgentPorts, scope: &Scope, message: &str) -> Option<JoinHandle<Option<Candidates>>> {
    if likely_lookups(message, &agent.memory.settings.profile).is_empty() {
        return None;
    }
    let (ports, scope, message) = (agent.memory.clone(), scope.clone(), message.to_owned());
    Some(tokio::spawn(trace::carried(trace::current(), async move {
        let looked = find_candidates(&ports, &scope, &message, |_| ()).await;
        looked.ok().map(|(candidates, ())| candidates)
    })))
}

/// What a model is given when a tool cannot reach memory: what it was to have in task mode.
pub(super) fn fallback(
    agent: &AgentPorts,
    recalled: &Recalled,
    prefetched: Option<JoinHandle<Option<Candidates>>>,
) -> agent_loop::Fallback {
    let text = Some(recalled.text.clone()).filter(|text| !text.is_empty());
    let settings = agent.settings.chat.clone();
    let given = async move {
        if text.is_some() {
            return text;
        }
        let candidates = prefetched?.await.ok()??;
        let room = room(&settings.prompts.task, settings.task_tokens_max, settings.time_in);
        Some(candidates.written(Breadth::Whole, room).text).filter(|text| !text.is_empty())
    };
    given.boxed().shared()
}
