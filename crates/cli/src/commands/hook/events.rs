//! What happens at each event.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use recalld_agent::extract::{self, Worker, WorkerSettings};
use recalld_agent::settings::Method;
use recalld_index::text::plain::shorten;
use recalld_memory::conversation::{MessageText, Role};
use recalld_memory::conversations::NewMessage;
use recalld_memory::id::ConversationId;
use recalld_memory::memory::Memory;
use recalld_memory::recall::{Question, recall};
use recalld_memory::space::SpaceView;

use crate::coding::agent::{Agent, Answer};
use crate::coding::event::HookInput;
use crate::coding::handoff;
use crate::coding::injection::{self, Chosen};
use crate::coding::project::CodeProject;
use crate::coding::session_state::{self, SessionState};
use crate::engine::{Engine, is_empty};
use crate::failure::Failure;
use crate::session::Session;

/// How many hits are looked at: some may have been said already.
const HITS: usize = 24;

/// How many memories of a project a session starts with.
const START_MAX: usize = 5;

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
        let own = view
            .current(scope.lens())
            .filter(|memory| memory.project.is_some());
        own.rev().take(START_MAX).cloned().collect()
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
    let engine = place.engine(session.write().await?);
    if agent.hears_at_prompts() {
        let question = Question {
            counted: false,
            ..Question::new(shorten(&input.prompt, QUERY_CHARS_MAX), HITS)
        };
        let hits = recall(&engine.ports, &engine.scope(), &question).await?;
        let chosen = place.choose(injection::scored(hits), &engine.ports.settings.inject);
        place.say(session, input, agent.answer(input, "UserPromptSubmit"), chosen)?;
    }
    if input.prompt.chars().count() <= KEPT_CHARS_MAX {
        let message = NewMessage {
            id: None,
            role: Role::User,
            content: MessageText::new(input.prompt.clone())
                .map_err(|error| Failure::bad_input("hook", error.to_string()))?,
            sender: None,
            at: None,
            metadata: None,
        };
        let project = place.project.label.as_str();
        let conversation = ConversationId::of_session(project, &input.session_id)?;
        let kept = extract::append(&engine.agent, &engine.scope(), conversation, vec![message]).await;
        kept.map_err(|error| Failure::failed("hook", error.to_string()))?;
        place.state.captured += 1;
        place.state.write(place.data, &input.session_id);
    }
    Ok(())
}

/// Learns from what was said. A server does so by itself.
pub(super) async fn capture(session: &Session, input: &HookInput) -> Result<(), Failure> {
    if place(session, input)?.is_none() || session.sender().is_some() || nothing_is_stored(session)? {
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
