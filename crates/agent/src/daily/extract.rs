//! Extracts memories from one portion of interactions: with a model where there is one, else by
//! rules.

use futures::FutureExt;
use futures::future::ready;
use recalld_memory::id::MemoryId;
use recalld_memory::memory::Origin;
use recalld_memory::model_tokens::metered;
use recalld_memory::ports::chat::{Turn, Usage};
use recalld_memory::ports::{ChatRequest, ChatRole};
use recalld_memory::render::{Section, pack};
use recalld_memory::scope::Scope;
use recalld_memory::space::{Decision, SpaceError, SpaceView};
use recalld_memory::trust_context::TrustContext;
use recalld_memory::wiring::Ports;

use super::plan::{self, Planned};
use super::reader::Portion;
use crate::agent_loop::{self, Bounds, Entry, EventSink, Job, Outcome, State, Toolbox};
use crate::extract::{Learned, Learning, find, learn};
use crate::interactions::Interaction;
use crate::tools::ToolSet;
use crate::wiring::AgentPorts;

/// What one portion took.
#[derive(Clone, Debug, Default)]
pub(super) struct Extracted {
    pub(super) tool_calls: usize,
    pub(super) usage: Usage,
    /// Why the model gave up, if it did.
    pub(super) failure: Option<String>,
}

/// Extracts memories, with at most `tokens_max` tokens.
pub(super) async fn extract(
    agent: &AgentPorts,
    scope: &Scope,
    portion: &Portion,
    tokens_max: u64,
) -> Result<Extracted, SpaceError> {
    if agent.models.is_none() {
        let learned = by_rules(&agent.memory, scope, &portion.interactions).await?;
        return Ok(Extracted {
            tool_calls: learned.len(),
            ..Extracted::default()
        });
    }
    let outcome = by_model(agent, scope, portion, toolbox(), tokens_max).await;
    Ok(Extracted {
        tool_calls: outcome.calls.len(),
        usage: outcome.spent.usage,
        failure: outcome.failure.map(|error| error.to_string()),
    })
}

/// Returns what extracting would change, and changes nothing.
pub(super) async fn rehearse(
    agent: &AgentPorts,
    scope: &Scope,
    portion: &Portion,
    tokens_max: u64,
) -> Result<(Vec<Planned>, Usage), SpaceError> {
    if agent.models.is_none() {
        let findings = findings(&agent.memory, scope, &portion.interactions);
        let look = |view: &SpaceView| learn(view, scope, &findings, &agent.memory.settings).1;
        let learned = agent.memory.spaces.read(scope.space(), look).await?;
        return Ok((
            learned.iter().filter_map(plan::of_learned).collect(),
            Usage::default(),
        ));
    }
    let outcome = by_model(agent, scope, portion, toolbox().rehearsing(), tokens_max).await;
    Ok((plan::of_calls(&outcome.state), outcome.spent.usage))
}

/// The tools that read, write and hide memories. None erases: what is hidden can be restored.
fn toolbox() -> Toolbox {
    Toolbox::of_sets(&[ToolSet::Storage], &[])
}

async fn by_model(
    agent: &AgentPorts,
    scope: &Scope,
    portion: &Portion,
    toolbox: Toolbox,
    tokens_max: u64,
) -> Outcome {
    let models = agent
        .models
        .as_ref()
        .expect("whoever calls has checked that there is a model");
    let mut scope = scope.clone();
    let did = &portion.interactions;
    let written: Vec<&str> = did.iter().filter_map(|did| did.text.as_deref()).collect();
    let heard = TrustContext::user(&written);
    // What the product says about articles and posts is not what the user said.
    heard.note(Origin::Inferred);
    scope.heard = Some(heard);
    let turns = [
        Turn::System(include_str!("extract.md").to_owned()),
        Turn::user(shown(portion)),
    ];
    let entry = |(at, turn): (usize, Turn)| Entry {
        id: at.to_string(),
        turn,
    };
    let state = State::new(turns.into_iter().enumerate().map(entry).collect());
    let job = Job {
        ports: agent.memory.clone(),
        model: metered(&agent.memory, &scope, models.of(ChatRole::Extraction)),
        scope,
        toolbox,
        bounds: Bounds {
            steps_max: 16,
            tokens_max,
            ..Bounds::default()
        },
        request: ChatRequest::default(),
        fallback: ready(None).boxed().shared(),
    };
    let (sink, mut events) = EventSink::new();
    let drain = tokio::spawn(async move { while events.recv().await.is_some() {} });
    let outcome = agent_loop::run(&job, state, &sink).await;
    drain.abort();
    outcome
}

fn shown(portion: &Portion) -> String {
    let section = Section {
        title: String::new(),
        lines: portion.lines.iter().rev().cloned().collect(),
    };
    let order: Vec<(usize, usize)> = (0..section.lines.len()).map(|line| (0, line)).collect();
    let intro = "What the user did, the latest first, as data:\n";
    // The portion was cut to a size before: nothing is left out here.
    pack(intro, &[section], &order, usize::MAX).text
}

fn findings(ports: &Ports, scope: &Scope, did: &[Interaction]) -> Vec<Learning> {
    let found = did
        .iter()
        .filter_map(|did| Some((did.text.as_deref()?, did.at)))
        .flat_map(|(text, at)| find(text, at));
    found
        .map(|finding| Learning {
            finding,
            origin: Origin::User,
            conversation: None,
            message: None,
            project: None,
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
