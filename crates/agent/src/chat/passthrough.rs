//! A conversation that the caller keeps themselves: their turns and tools pass through, memory is
//! added on the way.

use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use futures::future::ready;
use recalld_memory::conversation::MessageText;
use recalld_memory::id::{ConversationId, MessageId};
use recalld_memory::memory::Origin;
use recalld_memory::model_tokens;
use recalld_memory::ports::chat::{ToolSpec, Turn};
use recalld_memory::ports::{ChatModel, ChatRequest};
use recalld_memory::scope::Scope;
use recalld_memory::space::{SpaceError, SpaceView};
use recalld_memory::trust_context::TrustContext;
use tokio::time::timeout;

use super::begin::model;
use super::callers_thread::{CallersThread, digest};
use super::prepared::Prepared;
use super::recalled::{Breadth, Recalled, find_candidates};
use super::reply::MemoryState;
use super::request::{ChatRefusal, Started};
use super::run::{PendingReply, spawn};
use crate::agent_loop::{Bounds, Entry, Job, State, Toolbox};
use crate::rollout::{Choice, Mode};
use crate::summary::Fill;
use crate::wiring::AgentPorts;

/// What a caller asks who keeps the conversation themselves.
#[derive(Clone, Debug)]
pub struct PassthroughRequest {
    pub turns: Vec<Turn>,
    /// The caller's tools; their calls go back to the caller.
    pub tools: Vec<ToolSpec>,
    /// What else goes to the model: limits, choice of tools, fields of the endpoint's own.
    pub request: ChatRequest,
    /// A model of the deployment, or one that its endpoint knows.
    pub model: Option<String>,
    /// What the conversation is called; found by what was said so far, if none is named.
    pub conversation: Option<ConversationId>,
    /// Whether memory may take part.
    pub memory: MemoryState,
}

/// The most tokens of what is recalled into such a conversation.
const RECALLED_TOKENS_MAX: usize = 1_000;

/// How long memory may take before the reply goes on without it.
const PATIENCE: Duration = Duration::from_secs(2);

/// Such conversations have no modes: what they know is with their caller.
const CHOICE: Choice = Choice {
    mode: Mode::Conversation,
    reason: "the caller keeps the conversation",
    natural: Mode::Conversation,
    arm: "pass",
};

/// Begins a reply.
pub async fn begin_passthrough(
    agent: &AgentPorts,
    scope: &Scope,
    given: PassthroughRequest,
) -> Result<PendingReply, ChatRefusal> {
    let (model, request) = chosen(agent, &given)?;
    model_tokens::check(&agent.memory, scope).await?;
    let model = model_tokens::metered(&agent.memory, scope, model);
    let thread = CallersThread::of(&given.turns);
    let said = &thread.said;
    let last = MessageText::new(said.last().cloned().unwrap_or_default())?;
    let mut scope = scope.clone();
    let gathering = || load_recalled(agent, &scope, last.as_str(), &thread, given.conversation.as_ref());
    let is_stored = given.memory == MemoryState::On;
    let off = |why| (Recalled::default(), None, MemoryState::Off(why));
    let (recalled, known, memory) = match given.memory {
        MemoryState::Off(why) => off(why),
        MemoryState::On => match timeout(PATIENCE, gathering()).await {
            Ok(Ok((recalled, known))) => (recalled, known, MemoryState::On),
            _ => off("what is remembered could not be read"),
        },
    };
    let conversation = given.conversation.clone().or(known);
    let conversation = conversation.unwrap_or_else(|| thread.fresh_name(&agent.memory, &scope));
    let message = id_of(&conversation, "u", said);
    scope.conversation = Some(conversation.clone());
    scope.message = Some(message.clone());
    scope.heard = Some(heard(&given.turns, said));
    let reply = id_of(&conversation, "a", said);
    let used_model = request.model.clone().unwrap_or_else(|| model.name().to_owned());
    let started = Started {
        conversation,
        message,
        reply,
        choice: CHOICE,
        memory,
        prompt_tokens: recalled.tokens.most(),
        used: recalled.used,
        model: used_model,
    };
    let own = match started.memory {
        MemoryState::On => Toolbox::of_sets(&agent.settings.chat.tools, &[]),
        MemoryState::Off(_) => Toolbox::default(),
    };
    let job = Job {
        ports: agent.memory.clone(),
        scope,
        model,
        toolbox: own.with_callers(given.tools),
        bounds: Bounds {
            steps_max: agent.settings.chat.steps_max,
            ..Bounds::default()
        },
        request,
        fallback: ready(None).boxed().shared(),
    };
    Ok(spawn(Prepared {
        agent: agent.clone(),
        started,
        text: last,
        sender: None,
        opens: thread.opens(),
        opening: None,
        follows: None,
        joins: thread.opens(),
        // The caller keeps the conversation: nothing is summarised for it.
        is_stored,
        shown: Fill::default(),
        is_summary_late: false,
        queries: 1,
        state: state(given.turns, &recalled.text),
        job,
    }))
}

/// The model that is named, or one of that name at the endpoint of the first.
fn chosen(
    agent: &AgentPorts,
    given: &PassthroughRequest,
) -> Result<(Arc<dyn ChatModel>, ChatRequest), ChatRefusal> {
    match model(agent, given.model.as_deref()) {
        Err(ChatRefusal::UnknownModel { .. }) => {
            let request = ChatRequest {
                model: given.model.clone(),
                ..given.request.clone()
            };
            Ok((model(agent, None)?, request))
        }
        known => Ok((known?, given.request.clone())),
    }
}

/// What is remembered, and which stored conversation goes on, if the caller names none.
async fn load_recalled(
    agent: &AgentPorts,
    scope: &Scope,
    message: &str,
    thread: &CallersThread,
    named: Option<&ConversationId>,
) -> Result<(Recalled, Option<ConversationId>), SpaceError> {
    let candidates = |view: &SpaceView| match named {
        Some(_) => Vec::new(),
        None => thread.candidates(view, scope),
    };
    let (found, candidates) = find_candidates(&agent.memory, scope, message, candidates).await?;
    let known = thread.found(&agent.memory, scope, candidates).await?;
    Ok((found.written(Breadth::Memories, RECALLED_TOKENS_MAX), known))
}

/// The caller's turns, with what is recalled behind their own instructions, where it leaves what
/// providers cache as it is.
fn state(turns: Vec<Turn>, recalled: &str) -> State {
    let leading = turns
        .iter()
        .take_while(|turn| matches!(turn, Turn::System(_)))
        .count();
    let mut turns = turns;
    if !recalled.is_empty() {
        turns.insert(leading, Turn::System(recalled.to_owned()));
    }
    let entry = |(at, turn): (usize, Turn)| Entry {
        id: format!("given-{at}"),
        turn,
    };
    State::new(turns.into_iter().enumerate().map(entry).collect())
}

/// What the caller's tools said is no more trusted than any tool's.
fn heard(turns: &[Turn], said: &[String]) -> TrustContext {
    let said: Vec<&str> = said.iter().map(String::as_str).collect();
    let heard = TrustContext::user(&said);
    if turns.iter().any(|turn| matches!(turn, Turn::Tool { .. })) {
        heard.note(Origin::Tool);
    }
    heard
}

/// The same message of the same conversation has the same id, however often it is sent.
fn id_of(conversation: &ConversationId, kind: &str, said: &[String]) -> MessageId {
    let parts: Vec<&str> = [conversation.as_str(), kind]
        .into_iter()
        .chain(said.iter().map(String::as_str))
        .collect();
    MessageId::new(format!("{kind}-{}", digest(&parts))).expect("hexadecimal digits are a valid id")
}
