//! Begins a reply: gathers what the model needs, and lets the run go on by itself.

use std::sync::Arc;

use recalld_index::text::tokens::TokenCount;
use recalld_memory::id::{ConversationId, MessageId};
use recalld_memory::model_tokens;
use recalld_memory::ports::chat::{Part, Turn};
use recalld_memory::ports::{ChatModel, ChatModels, ChatRequest, ChatRole};
use recalld_memory::scope::Scope;
use recalld_memory::trust_context::TrustContext;

use super::context::{ChatContext, fallback, load_context};
use super::history::{self, History, stamped};
use super::likely_lookups::likely_lookups;
use super::prepared::Prepared;
use super::recalled::Recalled;
use super::reply::MemoryState;
use super::request::{ChatRefusal, Request, Started};
use super::run::{PendingReply, spawn};
use crate::agent_loop::{Bounds, Entry, Job, State, Toolbox};
use crate::prompts::{TimeIn, filled, with_time};
use crate::rollout::Phase;
use crate::rollout::{Choice, Mode};
use crate::tools::ToolSet;
use crate::wiring::AgentPorts;

/// Finds the model that a request names, or else the one for chat.
pub(super) fn model(agent: &AgentPorts, name: Option<&str>) -> Result<Arc<dyn ChatModel>, ChatRefusal> {
    let models: &ChatModels = agent.models.as_deref().ok_or(ChatRefusal::NoModel)?;
    let Some(name) = name else {
        return Ok(models.of(ChatRole::Chat));
    };
    models.find(name).ok_or_else(|| ChatRefusal::UnknownModel {
        given: recalld_index::text::plain::shorten(name, 80),
        known: models.names().collect::<Vec<_>>().join(", "),
    })
}

/// Begins a reply to `request`.
pub async fn begin(agent: &AgentPorts, scope: &Scope, request: Request) -> Result<PendingReply, ChatRefusal> {
    let model = model(agent, request.model.as_deref())?;
    model_tokens::check(&agent.memory, scope).await?;
    let model = model_tokens::metered(&agent.memory, scope, model);
    let fresh = || scope.fresh_name(&*agent.memory.ids);
    let conversation = request.conversation.clone();
    let conversation =
        conversation.unwrap_or_else(|| ConversationId::new(fresh()).expect("a uuid is a valid id"));
    let fresh_message = || MessageId::new(fresh()).expect("a uuid is a valid id");
    let message_id = request.message_id.clone().unwrap_or_else(fresh_message);
    let reply_id = request.reply_id.clone().unwrap_or_else(fresh_message);
    let mut scope = scope.clone();
    scope.conversation = Some(conversation.clone());
    scope.message = Some(message_id.clone());

    let ChatContext {
        history,
        choice,
        recalled,
        opening,
        memory,
        prefetched,
    } = load_context(agent, &scope, &request).await;
    let time_in = agent.settings.chat.time_in;
    let system = system(agent, &choice, &history, &recalled, opening.as_deref());
    let system = timed(system, time_in, scope.now);
    let heard = TrustContext::user(&said_by_user(&history, &request));
    history.heard.into_iter().for_each(|origin| heard.note(origin));
    scope.heard = Some(heard);
    let prompt_tokens = prompt_tokens(agent, &choice, &recalled, &system);
    watch(agent, &choice, &request, prompt_tokens);

    let started = Started {
        conversation,
        message: message_id,
        reply: reply_id,
        memory,
        used: recalled.used.clone(),
        prompt_tokens,
        model: model.name().to_owned(),
        choice: choice.clone(),
    };
    let job = Job {
        ports: agent.memory.clone(),
        model,
        toolbox: toolbox(agent, choice.mode, &started.memory),
        bounds: Bounds {
            steps_max: agent.settings.chat.steps_max,
            ..Bounds::default()
        },
        request: ChatRequest::default(),
        fallback: fallback(agent, &recalled, prefetched),
        scope,
    };
    let state = state(&started, system, &history, &request, (job.scope.now, time_in));
    Ok(spawn(Prepared {
        agent: agent.clone(),
        started,
        text: request.message.clone(),
        sender: request.sender.clone(),
        opens: history.is_new,
        opening,
        shown: history.fill(),
        joins: !history.arms.iter().any(|arm| arm == choice.arm),
        follows: history.arms.into_iter().next(),
        is_stored: request.memory == MemoryState::On,
        is_summary_late: history.is_summary_late,
        queries: history.queries,
        state,
        job,
    }))
}

/// In task mode the context is there already; in conversation mode it is looked up. Without memory
/// there is nothing to look up.
fn toolbox(agent: &AgentPorts, mode: Mode, memory: &MemoryState) -> Toolbox {
    if *memory != MemoryState::On {
        return Toolbox::default();
    }
    let wanted = |set: &ToolSet| mode == Mode::Conversation || *set != ToolSet::Context;
    let sets: Vec<ToolSet> = agent.settings.chat.tools.iter().copied().filter(wanted).collect();
    Toolbox::of_sets(&sets, &[])
}

fn system(
    agent: &AgentPorts,
    choice: &Choice,
    history: &History,
    recalled: &Recalled,
    opening: Option<&str>,
) -> String {
    let prompts = &agent.settings.chat.prompts;
    match choice.mode {
        Mode::Task => filled(&prompts.task, &recalled.text),
        Mode::Conversation => {
            let opening = history.opening.as_deref().or(opening).unwrap_or("");
            filled(&prompts.conversation, opening)
        }
    }
}

/// The system prompt, with the time if that is its place.
fn timed(system: String, time_in: TimeIn, now: jiff::Timestamp) -> String {
    match time_in {
        TimeIn::Message => system,
        TimeIn::System => with_time(&system, now),
    }
}

/// The size of the system prompt. A long one that is new with every message is not counted again.
fn prompt_tokens(agent: &AgentPorts, choice: &Choice, recalled: &Recalled, system: &str) -> usize {
    let count = match choice.mode {
        Mode::Task => TokenCount::of(&filled(&agent.settings.chat.prompts.task, "")) + recalled.tokens,
        Mode::Conversation => TokenCount::of(system),
    };
    count.most()
}

/// Notes what conversation mode would have done, while the rollout only watches.
fn watch(agent: &AgentPorts, choice: &Choice, request: &Request, tokens: usize) {
    let settings = &agent.settings.chat;
    if settings.rollout.phase != Phase::Shadow || choice.natural != Mode::Conversation {
        return;
    }
    let would_call = !likely_lookups(request.message.as_str(), &agent.memory.settings.profile).is_empty();
    let saved = tokens.saturating_sub(settings.conversation_tokens_max);
    tracing::info!(target: "recalld::rollout", would_call, tokens_saved = saved, "conversation mode was not used");
    agent.rollout.watch(would_call, saved);
}

fn said_by_user<'t>(history: &'t History, request: &'t Request) -> Vec<&'t str> {
    let earlier = history
        .said
        .iter()
        .filter(|message| message.role == recalld_memory::conversation::Role::User)
        .map(|message| message.content.as_str());
    earlier.chain([request.message.as_str()]).collect()
}

fn state(
    started: &Started,
    system: String,
    history: &History,
    request: &Request,
    (now, time_in): (jiff::Timestamp, TimeIn),
) -> State {
    let entry = |id: String, turn: Turn| Entry { id, turn };
    let mut messages = vec![entry("system".to_owned(), Turn::System(system))];
    if let Some(summary) = &history.summary {
        messages.push(entry("summary".to_owned(), Turn::System(summary.shown())));
    }
    // What the caller remembers serves where nothing is stored, or nothing can be read.
    if history.said.is_empty() {
        let earlier = request.earlier.iter().enumerate();
        messages.extend(earlier.map(|(at, turn)| entry(format!("earlier-{at}"), turn.clone())));
    }
    messages.extend(
        history
            .said
            .iter()
            .map(|message| entry(message.id.to_string(), history::turn(message, time_in))),
    );
    let mut parts = request.parts.clone();
    parts.push(Part::Text(stamped(request.message.as_str(), now, time_in)));
    messages.push(entry(started.message.to_string(), Turn::User(parts)));
    State::new(messages)
}
