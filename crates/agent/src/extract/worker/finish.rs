//! Claims tasks, and crosses them off in the write that stores their facts.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use jiff::SignedDuration;
use recalld_memory::change::{Change, Revision};
use recalld_memory::id::MemoryId;
use recalld_memory::scope::Scope;
use recalld_memory::space::{SpaceError, SpaceView};

use super::find_facts::FoundFact;
use super::{TRIES_MAX, Worker};
use crate::extract::learn::{Learned, Learning, count, learn};
use crate::extract::rules_pass::marked;
use crate::task_queue::ExtractionTask;

/// What becomes of the tasks when the facts are stored.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum After {
    Remove,
    /// Rules have read them; a model reads them as well.
    LeaveToModel,
}

impl Worker {
    pub(super) async fn claim(
        &self,
        scope: &Scope,
        revision: Revision,
        tasks: Vec<ExtractionTask>,
    ) -> Result<Vec<ExtractionTask>, SpaceError> {
        let span = SignedDuration::try_from(self.settings.claim).unwrap_or(SignedDuration::from_secs(300));
        let until = scope.now.saturating_add(span).unwrap_or(scope.now);
        let claimed: Vec<ExtractionTask> = tasks
            .into_iter()
            .map(|task| ExtractionTask {
                claim: Some((self.settings.name.clone(), until)),
                ..task
            })
            .collect();
        let changes: Vec<Change> = claimed
            .iter()
            .map(|task| scope.change(None, task.effect(scope.now)))
            .collect();
        let taken = self
            .agent
            .memory
            .spaces
            .write_at(scope.space(), revision, move |_| (changes.clone(), ()))
            .await?;
        // Somebody wrote in between: the next round sees what is still free.
        Ok(if taken.is_some() { claimed } else { Vec::new() })
    }

    /// Stores the facts and removes the tasks, in one write.
    pub(super) async fn finish(
        &self,
        scope: &Scope,
        tasks: &[ExtractionTask],
        found: Vec<FoundFact>,
        after: After,
    ) -> Result<(), SpaceError> {
        let learnings: Vec<Learning> = found
            .into_iter()
            .map(|found| Learning {
                finding: found.finding,
                origin: found.origin,
                project: ExtractionTask::project_of(tasks, &found.source.conversation),
                conversation: Some(found.source.conversation),
                message: Some(found.source.message),
                id: MemoryId::from_uuid(scope.fresh_id(&*self.agent.memory.ids)),
            })
            .collect();
        for _ in 0..TRIES_MAX {
            let (revision, standing) = self.tasks(scope.space()).await?;
            let owed: Vec<ExtractionTask> = tasks
                .iter()
                .filter(|task| standing.contains(task))
                .cloned()
                .collect();
            if owed.len() != tasks.len() {
                // Another server did some of it, or the user erased it: the next round sees what is
                // left.
                return Ok(());
            }
            let crossed_off: Vec<Change> = match after {
                After::LeaveToModel => marked(&self.agent, scope, &owed),
                After::Remove => owed.iter().map(|task| scope.change(None, task.done())).collect(),
            };
            let (settings, learnings, decided_for) = (
                Arc::clone(&self.agent.memory.settings),
                learnings.clone(),
                scope.clone(),
            );
            let decide = move |view: &SpaceView| {
                // A conversation that was erased in between takes what came out of it along.
                let standing: Vec<Learning> = learnings
                    .iter()
                    .filter(|learning| {
                        let conversation = learning.conversation.as_ref();
                        conversation.is_some_and(|id| view.conversation(id).is_some())
                    })
                    .cloned()
                    .collect();
                let (mut changes, learned) = learn(view, &decided_for, &standing, &settings);
                changes.extend(crossed_off.iter().cloned());
                (changes, learned)
            };
            if let Some(learned) = self
                .agent
                .memory
                .spaces
                .write_at(scope.space(), revision, decide)
                .await?
            {
                self.count(scope, &learned);
                return Ok(());
            }
        }
        Err(SpaceError::Contended)
    }

    fn count(&self, scope: &Scope, learned: &[Learned]) {
        count(&self.metrics, learned);
        tracing::info!(target: "recalld::extract", user = %scope.user(), findings = learned.len(), "extracted facts from messages");
    }

    pub(super) async fn postpone(
        &self,
        scope: &Scope,
        tasks: Vec<ExtractionTask>,
        pause: Duration,
    ) -> Result<(), SpaceError> {
        self.metrics.postponed.fetch_add(1, Ordering::Relaxed);
        let pause = SignedDuration::try_from(pause).unwrap_or(SignedDuration::from_secs(60));
        let not_before = self.agent.memory.clock.now().saturating_add(pause).ok();
        for _ in 0..TRIES_MAX {
            let (revision, standing) = self.tasks(scope.space()).await?;
            let changes: Vec<Change> = tasks
                .iter()
                .filter(|task| standing.contains(task))
                .map(|task| {
                    let later = ExtractionTask {
                        attempts: task.attempts + 1,
                        not_before,
                        claim: None,
                        ..task.clone()
                    };
                    scope.change(None, later.effect(scope.now))
                })
                .collect();
            if self
                .agent
                .memory
                .spaces
                .write_at(scope.space(), revision, move |_| (changes.clone(), ()))
                .await?
                .is_some()
            {
                break;
            }
        }
        Ok(())
    }
}
