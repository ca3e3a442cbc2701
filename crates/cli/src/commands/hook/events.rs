//! What happens at each event.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use data_encoding::HEXLOWER;
use recalld_agent::extract::{self, Worker, WorkerSettings};
use recalld_agent::settings::Method;
use recalld_index::text::plain::shorten;
use recalld_memory::change::Revision;
use recalld_memory::conversation::{MessageText, Role};
use recalld_memory::conversations::NewMessage;
use recalld_memory::id::{ConversationId, MessageId};
use recalld_memory::memory::{Memory, Project};
use recalld_memory::ports::Clock;
use recalld_memory::recall::{Question, recall};
use recalld_memory::space::SpaceView;
use sha2::{Digest, Sha256};

use crate::clock::SystemClock;
use crate::coding::agent::{Agent, Answer};
use crate::coding::event::HookInput;
use crate::coding::handoff;
use crate::coding::injection::{self, Chosen};
use crate::coding::project::CodeProject;
use crate::coding::session_state::{self, SessionState};
use crate::engine::{Engine, is_empty};
use crate::failure::Failure;
use crate::session::Session;
use crate::waiting_prompts::{self, Said};

/// How many hits are looked at: some may have been said already.
const HITS: usize = 24;

/// The most memories whose meaning is compared with a prompt when they must be read first.
const COMPARED_MAX: usize = 1_500;

/// How many memories of a project a session starts with.
const START_MAX: usize = 5;

/// How many standing wishes a session starts with.
const WISHES_MAX: usize = 3;

/// The most characters of a prompt that are searched with: what matters stands in front.
const QUERY_CHARS_MAX: usize = 1_000;

/// The most characters of a prompt that are kept. Longer ones are pasted text, not words of the
/// user.
const KEPT_CHARS_MAX: usize = 4_000;

/// What an event works with; `None` if the user or the project wants no hooks.
struct Place<'s> {
    data: &'s Path,
    project: CodeProject,
    state: SessionState,
}

fn place<'s>(session: &'s Session, input: &HookInput) -> Result<Option<Place<'s>>, Failure> {
    let data = session.config()?.data()?;
    let project = CodeProject::of(&input.cwd);
    let mut state = SessionState::read(data, &input.session_id);
    if session_state::is_paused(data) || state.paused || project.is_off() {
        return Ok(None);
    }
    state.session.clone_from(&input.session_id);
    project.label.as_str().clone_into(&mut state.project);
    Ok(Some(Place { state, data, project }))
}

/// Says what is known about the project.
pub(super) async fn session_start(session: &Session, input: &HookInput, agent: Agent) -> Result<(), Failure> {
    let Some(mut place) = place(session, input)? else {
        return Ok(());
    };
    session_state::remove_forgotten(place.data);
    if matches!(input.source.as_str(), "clear" | "compact") {
        // The agent has forgotten what it was told.
        place.state.injected.clear();
    }
    if nothing_is_stored(session)? {
        return Ok(());
    }
    let engine = place.engine(session.read().await?);
    let scope = engine.scope();
    let look = |view: &SpaceView| -> Vec<Arc<Memory>> {
        // How the user wants to be answered bears on all that follows.
        let wishes = view.wishes_on("", scope.lens()).into_iter();
        let mut found: Vec<Arc<Memory>> = wishes.take(WISHES_MAX).cloned().collect();
        let own = view
            .current(scope.lens())
            .filter(|memory| memory.project.is_some());
        let own = own.rev().take(START_MAX).cloned();
        let more: Vec<Arc<Memory>> = own.filter(|memory| !found.contains(memory)).collect();
        found.extend(more);
        found
    };
    let found = engine.ports.spaces.read(scope.space(), look).await?;
    let found = found.into_iter().map(|memory| (None, memory));
    let mut chosen = place.choose(found.collect(), &engine.ports.settings.inject);
    if let Some(handoff) = handoff::read(&engine.ports, &scope, &place.project.label).await? {
        chosen.add_handoff(&handoff::lines(&handoff));
    }
    place.say(session, input, agent.answer(input, "SessionStart"), chosen)
}

/// Says what bears on a prompt, and keeps the prompt for learning.
pub(super) async fn prompt(session: &Session, input: &HookInput, agent: Agent) -> Result<(), Failure> {
    let Some(mut place) = place(session, input)? else {
        return Ok(());
    };
    if input.prompt.trim().is_empty() || input.prompt.starts_with('/') {
        return Ok(());
    }
    let keeps = input.prompt.chars().count() <= KEPT_CHARS_MAX;
    let is_served = session.sender().is_some();
    if keeps && !is_served {
        // First of all: whatever takes too long afterwards, this is not lost.
        let said = place.said(session, input)?;
        waiting_prompts::add(place.data, &said)
            .map_err(|error| Failure::failed("hook", error.to_string()))?;
        place.state.captured += 1;
        place.state.write(place.data, &input.session_id);
    }
    if agent.hears_at_prompts() && !nothing_is_stored(session)? {
        let engine = place.engine(session.read().await?);
        let found = bearing(&engine, &input.prompt, is_served).await?;
        let chosen = place.choose(found, &engine.ports.settings.inject);
        place.say(session, input, agent.answer(input, "UserPromptSubmit"), chosen)?;
    }
    if keeps && is_served {
        let engine = session.write().await?;
        keep(&engine, &[place.said(session, input)?]).await?;
        place.state.captured += 1;
        place.state.write(place.data, &input.session_id);
    }
    Ok(())
}

/// Finds what bears on a prompt. A server has the memories at hand; otherwise there is time to
/// compare the meaning of so many only.
async fn bearing(
    engine: &Engine,
    prompt: &str,
    is_served: bool,
) -> Result<Vec<(Option<f32>, Arc<Memory>)>, Failure> {
    let scope = engine.scope();
    let question = Question {
        counted: false,
        // Words of one topic are no match to a search.
        fills: true,
        ..Question::new(shorten(prompt, QUERY_CHARS_MAX), HITS)
    };
    if !is_served {
        let store = &engine.ports.store;
        let stored = store.changed_since(scope.space(), Revision::default()).await?;
        if COMPARED_MAX < stored.memories.len() {
            let (memories, lens) = (stored.memories, scope.lens());
            return Ok(injection::by_words(&question.text, memories, lens, HITS));
        }
    }
    let hits = recall(&engine.ports, &scope, &question).await?;
    Ok(injection::on_prompt(&question.text, hits))
}

/// Keeps what was said as messages, under the same ids if it is kept again.
async fn keep(engine: &Engine, said: &[Said]) -> Result<(), Failure> {
    let failed = |error: String| Failure::failed("hook", error);
    for said in said {
        let Ok(content) = MessageText::new(said.prompt.clone()) else {
            continue;
        };
        let id = format!("{}\n{}\n{}", said.session, said.at, said.prompt);
        let id = HEXLOWER.encode(&Sha256::digest(id.as_bytes())[..16]);
        let message = NewMessage {
            id: Some(MessageId::new(id).map_err(|error| failed(error.to_string()))?),
            role: Role::User,
            content,
            sender: None,
            at: Some(said.at),
            metadata: None,
        };
        let project = Project::new(&said.project).map_err(|error| failed(error.to_string()))?;
        let engine = engine.in_project(Some(project));
        let conversation = ConversationId::of_session(&said.project, &said.session)?;
        let kept = extract::append(&engine.agent, &engine.scope(), conversation, vec![message]).await;
        kept.map_err(|error| failed(error.to_string()))?;
    }
    Ok(())
}

/// Keeps what was said while there was no server.
async fn keep_all_said(session: &Session) -> Result<(), Failure> {
    let config = session.config()?;
    let waiting = waiting_prompts::of_user(config.data()?, config.values.user.as_str());
    if waiting.is_empty() {
        return Ok(());
    }
    let engine = session.write().await?;
    for (path, said) in waiting {
        keep(&engine, &said).await?;
        waiting_prompts::remove(&path, &said);
    }
    Ok(())
}

/// Learns from what was said. A server does so by itself.
pub(super) async fn capture(session: &Session, input: &HookInput) -> Result<(), Failure> {
    if place(session, input)?.is_none() {
        return Ok(());
    }
    keep_all_said(session).await?;
    if session.sender().is_some() || nothing_is_stored(session)? {
        return Ok(());
    }
    let engine = session.write().await?;
    let mut agent = engine.agent.clone();
    let mut settings = (*agent.settings).clone();
    settings.extraction.buffer_idle = Duration::ZERO;
    // The agent's own key may be in the environment: a model is asked only by who wants that.
    if !session.config()?.values.hooks_model {
        settings.extraction.method = Method::Rules;
    }
    agent.settings = Arc::new(settings);
    let worker = Worker {
        agent,
        administration: engine.administration.clone(),
        settings: WorkerSettings {
            name: format!("hook-{}", std::process::id()),
            ..WorkerSettings::default()
        },
        metrics: Arc::default(),
    };
    Ok(worker.work_for(engine.scope().space()).await?)
}

/// Prints one line about the session.
pub(super) fn status(session: &Session, input: &HookInput) -> Result<(), Failure> {
    let line = match place(session, input)? {
        Some(place) => place.state.line(),
        None => "recalld: paused".to_owned(),
    };
    session.output.verbatim(&format!("{line}\n"))
}

/// Whether there is nothing to read, so that nothing need be opened.
fn nothing_is_stored(session: &Session) -> Result<bool, Failure> {
    let config = session.config()?;
    Ok(config.values.database.url.is_none() && session.sender().is_none() && is_empty(config.data()?))
}

impl Place<'_> {
    /// What the user typed, to be kept.
    fn said(&self, session: &Session, input: &HookInput) -> Result<Said, Failure> {
        Ok(Said {
            user: session.config()?.values.user.to_string(),
            project: self.project.label.to_string(),
            session: input.session_id.clone(),
            at: SystemClock.now(),
            prompt: input.prompt.clone(),
        })
    }

    /// The memories as they are seen in the project.
    fn engine(&self, engine: Engine) -> Engine {
        engine.in_project(Some(self.project.label.clone()))
    }

    fn choose(
        &self,
        found: Vec<(Option<f32>, Arc<Memory>)>,
        inject: &recalld_memory::injection::Inject,
    ) -> Chosen {
        let rules = injection::rules(&self.project.root);
        injection::choose(found, &self.state.injected, &rules, *inject, &self.project.root)
    }

    /// Prints what was chosen, if anything was, and notes that it was said.
    fn say(
        &mut self,
        session: &Session,
        input: &HookInput,
        answer: Answer,
        chosen: Chosen,
    ) -> Result<(), Failure> {
        if chosen.text.is_empty() {
            return Ok(());
        }
        self.state.explain(chosen.reasons);
        self.state.injected.extend(chosen.ids);
        self.state.tokens += chosen.tokens;
        self.state.write(self.data, &input.session_id);
        session
            .output
            .verbatim(&format!("{}\n", answer.json(&chosen.text)))
    }
}
