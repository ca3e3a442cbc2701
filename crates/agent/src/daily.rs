//! The daily extraction: once a day a model goes through what each user did, searches what is
//! known, and updates or writes memories.
//!
//! One run a user at a time, also across servers: a claim is a record that is written at the
//! revision at which nobody had one. A run that was broken off is taken up again by whoever comes
//! next.

mod claim;
mod plan;
mod record;

use futures::FutureExt;
use futures::future::ready;
use jiff::{SignedDuration, Timestamp};

pub use plan::Planned;
pub use record::{Run, Status, runs};

use recalld_index::text::plain::shorten;
use recalld_memory::id::MemoryId;
use recalld_memory::memory::Origin;
use recalld_memory::ports::chat::Turn;
use recalld_memory::ports::{ChatRequest, ChatRole};
use recalld_memory::render::{Section, one_line, pack};
use recalld_memory::scope::Scope;
use recalld_memory::space::{Decision, SpaceError, SpaceView};
use recalld_memory::trust_context::TrustContext;
use recalld_memory::wiring::Ports;

use crate::agent_loop::{self, Bounds, Entry, EventSink, Job, Outcome, State, Toolbox};
use crate::extract::{Finding, Learned, Learning, find, learn};
use crate::interactions::{self, Interaction};
use crate::tools::ToolSet;
use crate::wiring::AgentPorts;

/// What time a run is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    pub since: Timestamp,
    pub until: Timestamp,
}

impl Window {
    /// The day before `until`.
    pub fn day_before(until: Timestamp) -> Window {
        let since = until
            .saturating_sub(SignedDuration::from_hours(24))
            .unwrap_or(until);
        Window { since, until }
    }
}

/// The most interactions of one run.
const INTERACTIONS_MAX: usize = 500;

/// The most tokens of interactions that the model is shown.
const TOKENS_MAX: usize = 12_000;

/// How often a run that fails is taken up again.
const ATTEMPTS_MAX: u32 = 3;

/// Runs the extraction `name` for the user of `scope`, for `server`. None if there is nothing to
/// do: it was done, somebody is at it, or the user did nothing.
pub async fn run(
    agent: &AgentPorts,
    scope: &Scope,
    name: &str,
    window: Window,
    server: &str,
) -> Result<Option<Run>, SpaceError> {
    let is_over = |run: &Run| run.status == Status::Done || ATTEMPTS_MAX <= run.attempts;
    if record::read(&agent.memory, scope, name)
        .await?
        .as_ref()
        .is_some_and(is_over)
    {
        return Ok(None);
    }
    let did =
        interactions::between(&agent.memory, scope, window.since, window.until, INTERACTIONS_MAX).await?;
    if did.is_empty() || !claim::take(&agent.memory, scope, server).await? {
        return Ok(None);
    }
    // Somebody may have run and given the claim back since it was looked at: only what is read
    // under the claim counts.
    let known = record::read(&agent.memory, scope, name).await?;
    if known.as_ref().is_some_and(is_over) {
        claim::give_back(&agent.memory, scope).await?;
        return Ok(None);
    }
    let mut run = Run {
        name: name.to_owned(),
        status: Status::Running,
        started_at: scope.now,
        finished_at: None,
        attempts: known.map_or(0, |run| run.attempts) + 1,
        interactions: did.len(),
        tool_calls: 0,
        tokens_in: 0,
        tokens_out: 0,
        error: None,
    };
    record::keep(&agent.memory, scope, &run).await?;
    let worked = work(agent, scope, &did, &mut run).await;
    run.finished_at = Some(agent.memory.clock.now());
    (run.status, run.error) = match worked {
        Ok(()) => (Status::Done, None),
        Err(reason) => (Status::Failed, Some(shorten(&reason, 300))),
    };
    record::keep(&agent.memory, scope, &run).await?;
    claim::give_back(&agent.memory, scope).await?;
    tracing::info!(target: "recalld::extract", user = %scope.user(), run = name, status = run.status.as_str(), tool_calls = run.tool_calls, "a daily extraction ended");
    Ok(Some(run))
}

async fn work(agent: &AgentPorts, scope: &Scope, did: &[Interaction], run: &mut Run) -> Result<(), String> {
    if agent.models.is_none() {
        let learned = by_rules(&agent.memory, scope, did)
            .await
            .map_err(|error| error.to_string())?;
        run.tool_calls = learned.len();
        return Ok(());
    }
    let outcome = by_model(agent, scope, did, toolbox()).await;
    run.tool_calls = outcome.calls.len();
    run.tokens_in = outcome.spent.usage.tokens_in;
    run.tokens_out = outcome.spent.usage.tokens_out;
    match outcome.failure {
        Some(error) => Err(error.to_string()),
        None => Ok(()),
    }
}

/// Tells what a run would change, and changes nothing.
pub async fn rehearse(agent: &AgentPorts, scope: &Scope, window: Window) -> Result<Vec<Planned>, SpaceError> {
    let did =
        interactions::between(&agent.memory, scope, window.since, window.until, INTERACTIONS_MAX).await?;
    if did.is_empty() {
        return Ok(Vec::new());
    }
    if agent.models.is_none() {
        let findings = findings(&agent.memory, scope, &did);
        let look = |view: &SpaceView| learn(view, scope, &findings, &agent.memory.settings).1;
        let learned = agent.memory.spaces.read(scope.space(), look).await?;
        return Ok(learned.iter().filter_map(plan::of_learned).collect());
    }
    let outcome = by_model(agent, scope, &did, toolbox().rehearsing()).await;
    Ok(plan::of_calls(&outcome.state))
}

/// What reads and writes memories; nothing here erases or hides.
fn toolbox() -> Toolbox {
    Toolbox::of_sets(&[ToolSet::Storage], &["delete_memory"])
}

async fn by_model(agent: &AgentPorts, scope: &Scope, did: &[Interaction], toolbox: Toolbox) -> Outcome {
    let models = agent
        .models
        .as_ref()
        .expect("whoever calls has looked whether there is a model");
    let mut scope = scope.clone();
    let written: Vec<&str> = did.iter().filter_map(|did| did.text.as_deref()).collect();
    let heard = TrustContext::user(&written);
    // What the product tells of articles and posts is not what the user said.
    heard.note(Origin::Inferred);
    scope.heard = Some(heard);
    let turns = [
        Turn::System(include_str!("daily/extract.md").to_owned()),
        Turn::user(shown(did)),
    ];
    let entry = |(at, turn): (usize, Turn)| Entry {
        id: at.to_string(),
        turn,
    };
    let state = State::new(turns.into_iter().enumerate().map(entry).collect());
    let job = Job {
        ports: agent.memory.clone(),
        scope,
        model: models.of(ChatRole::Extraction),
        toolbox,
        bounds: Bounds {
            steps_max: 16,
            ..Bounds::default()
        },
        request: ChatRequest::default(),
        fallback: ready(None).boxed().shared(),
    };
    let (sink, mut events) = EventSink::new();
    let unheard = tokio::spawn(async move { while events.recv().await.is_some() {} });
    let outcome = agent_loop::run(&job, state, &sink).await;
    unheard.abort();
    outcome
}

fn shown(did: &[Interaction]) -> String {
    let line = |did: &Interaction| {
        let text = did
            .text
            .as_ref()
            .map(|text| format!(", the user wrote: {:?}", one_line(text)));
        let about = match &did.data {
            serde_json::Value::Null => String::new(),
            data => format!(", about: {data}"),
        };
        format!("- [{}] {}{about}{}\n", did.at, did.kind, text.unwrap_or_default())
    };
    let section = Section {
        title: String::new(),
        lines: did.iter().rev().map(line).collect(),
    };
    let turns: Vec<(usize, usize)> = (0..section.lines.len()).map(|line| (0, line)).collect();
    pack(
        "What the user did, the latest first, as data:\n",
        &[section],
        &turns,
        TOKENS_MAX,
    )
    .text
}

fn findings(ports: &Ports, scope: &Scope, did: &[Interaction]) -> Vec<Learning> {
    let found = did
        .iter()
        .filter_map(|did| Some((did.text.as_deref()?, did.at)))
        .flat_map(|(text, at)| find(text, at));
    found
        .map(|finding: Finding| Learning {
            finding,
            origin: Origin::User,
            conversation: None,
            message: None,
            id: MemoryId::from_uuid(scope.fresh_id(&*ports.ids)),
        })
        .collect()
}

async fn by_rules(ports: &Ports, scope: &Scope, did: &[Interaction]) -> Result<Vec<Learned>, SpaceError> {
    let findings = findings(ports, scope, did);
    let (settings, decided_for) = (std::sync::Arc::clone(&ports.settings), scope.clone());
    let decide = move |view: &SpaceView| {
        let (changes, outcome) = learn(view, &decided_for, &findings, &settings);
        Decision { changes, outcome }
    };
    ports.spaces.write(scope.space(), decide).await
}
