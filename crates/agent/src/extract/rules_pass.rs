//! What rules find is stored at once, whatever becomes of a model.
//!
//! The task of the message is crossed off in the same write, or marked for the model alone, so that
//! nothing is learned twice and nothing that was taken back meanwhile comes back.

use std::sync::Arc;

use recalld_memory::change::{Actor, Change, Revision};
use recalld_memory::id::{MemoryId, SpaceId};
use recalld_memory::memory::Origin;
use recalld_memory::record::RecordKind;
use recalld_memory::scope::Scope;
use recalld_memory::space::{SpaceError, SpaceView};

use super::facts::Source;
use super::finding::Finding;
use super::learn::{Learning, count, learn};
use super::rules::find;
use crate::settings::Method;
use crate::task_queue::ExtractionTask;
use crate::wiring::AgentPorts;

/// How often the write is decided again because somebody else wrote. The worker does what is left.
const TRIES_MAX: usize = 5;

/// The most tasks that are looked through for that of a message.
const TASKS_MAX: usize = 128;

/// Whether what the user asks to remember is still to be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Requests {
    Open,
    /// The model stored it with a tool.
    Fulfilled,
}

/// Whether the user expressly asked to remember it.
fn is_request(finding: &Finding) -> bool {
    finding.rule().is_some_and(|rule| rule.starts_with("note."))
}

/// What rules find in a message of the user that is to be stored at once.
pub(crate) fn found_in(agent: &AgentPorts, source: &Source, requests: Requests) -> Vec<Finding> {
    if agent.settings.extraction.method == Method::Off {
        return Vec::new();
    }
    let mut findings = find(&source.text, source.said_at);
    findings.retain(|finding| requests == Requests::Open || !is_request(finding));
    findings
}

/// Stores what rules found in a message of the user that was just stored with its task.
pub(crate) async fn learn_said(
    agent: &AgentPorts,
    space: &SpaceId,
    source: &Source,
    findings: Vec<Finding>,
) -> Result<(), SpaceError> {
    let now = agent.memory.clock.now();
    let Some(scope) =
        Scope::of_job(space.clone(), Actor::new("job:extract"), now).filter(|_| !findings.is_empty())
    else {
        return Ok(());
    };
    let scope = &scope;
    let learnings: Vec<Learning> = findings
        .into_iter()
        .map(|finding| Learning {
            finding,
            origin: Origin::User,
            conversation: Some(source.conversation.clone()),
            message: Some(source.message.clone()),
            project: None,
            id: MemoryId::from_uuid(scope.fresh_id(&*agent.memory.ids)),
        })
        .collect();
    for _ in 0..TRIES_MAX {
        let (revision, tasks) = tasks(agent, scope.space()).await?;
        let is_of_message = |task: &&ExtractionTask| !task.ruled && task.messages == [source.message.clone()];
        let Some(task) = tasks.iter().find(is_of_message) else {
            // The worker was faster.
            return Ok(());
        };
        let after = after_rules(agent, task);
        let in_project = |learning: &Learning| Learning {
            project: task.project.clone(),
            ..learning.clone()
        };
        let learnings: Vec<Learning> = learnings.iter().map(in_project).collect();
        let (decided_for, settings) = (scope.clone(), Arc::clone(&agent.memory.settings));
        let decide = move |view: &SpaceView| {
            let (mut changes, learned) = learn(view, &decided_for, &learnings, &settings);
            changes.push(decided_for.change(None, after.effect_or_done(decided_for.now)));
            (changes, learned)
        };
        let written = agent
            .memory
            .spaces
            .write_at(scope.space(), revision, decide)
            .await?;
        if let Some(learned) = written {
            count(&agent.learning, &learned);
            break;
        }
    }
    Ok(())
}

/// What is left of a task once rules have read it.
#[derive(Clone)]
pub(super) enum AfterRules {
    /// A model reads it as well.
    ForModel(ExtractionTask),
    Done(ExtractionTask),
}

impl AfterRules {
    /// Stores what is left, or removes the task.
    pub(super) fn effect_or_done(&self, now: jiff::Timestamp) -> recalld_memory::change::Effect {
        match self {
            AfterRules::ForModel(task) => task.effect(now),
            AfterRules::Done(task) => task.done(),
        }
    }
}

/// What is left of `task` once rules have read it.
pub(super) fn after_rules(agent: &AgentPorts, task: &ExtractionTask) -> AfterRules {
    let has_model = agent.models.is_some() && agent.settings.extraction.method == Method::Auto;
    match has_model {
        true => AfterRules::ForModel(ExtractionTask {
            ruled: true,
            ..task.clone()
        }),
        false => AfterRules::Done(task.clone()),
    }
}

async fn tasks(agent: &AgentPorts, space: &SpaceId) -> Result<(Revision, Vec<ExtractionTask>), SpaceError> {
    let store = &agent.memory.store;
    let revision = store.revision(space).await?;
    let records = store.records(space, RecordKind::Task, None, TASKS_MAX).await?;
    Ok((
        revision,
        records.iter().filter_map(ExtractionTask::read).collect(),
    ))
}

/// The changes that cross off or mark `tasks` once rules have read them.
pub(super) fn marked(agent: &AgentPorts, scope: &Scope, tasks: &[ExtractionTask]) -> Vec<Change> {
    let marked = tasks.iter().map(|task| after_rules(agent, task));
    marked
        .map(|after| scope.change(None, after.effect_or_done(scope.now)))
        .collect()
}
