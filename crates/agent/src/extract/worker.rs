//! Works through the tasks: extracts facts from what users said, and removes each task in the write
//! that stores its facts.
//!
//! A server claims the spaces that it works on, so that several servers share the work. A task is
//! claimed before a model is asked, so that two servers do not pay for it twice. The write that
//! stores the facts is decided at a revision at which the task still existed, so it happens once,
//! whatever crashes.

mod find_facts;
mod finish;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::{StreamExt, stream};
use jiff::Timestamp;
use recalld_memory::change::{Actor, Revision};
use recalld_memory::id::SpaceId;
use recalld_memory::model_tokens;
use recalld_memory::ports::{Administration, ChatModel, ChatRole, Claim};
use recalld_memory::record::RecordKind;
use recalld_memory::scope::Scope;
use recalld_memory::space::SpaceError;

use crate::learning_metrics::LearningMetrics;
use crate::settings::Method;
use crate::summary;
use crate::task_queue::ExtractionTask;
use crate::wiring::AgentPorts;
use find_facts::FactsFound;
use finish::After;

/// How the work is done.
#[derive(Clone, Debug)]
pub struct WorkerSettings {
    /// Tells this server from the others.
    pub name: String,
    /// How many users are served at the same time.
    pub at_once: usize,
    /// How often all spaces are scanned for tasks that another server left.
    pub look_every: Duration,
    /// How long a claim lasts.
    pub claim: Duration,
}

impl Default for WorkerSettings {
    fn default() -> WorkerSettings {
        WorkerSettings {
            name: "server".to_owned(),
            at_once: 4,
            look_every: Duration::from_secs(30),
            claim: Duration::from_secs(300),
        }
    }
}

/// Extracts facts, for all users.
#[derive(Clone, Debug)]
pub struct Worker {
    pub agent: AgentPorts,
    pub administration: Arc<dyn Administration>,
    pub settings: WorkerSettings,
    pub metrics: Arc<LearningMetrics>,
}

/// How often it is looked whether a user may spend tokens again: the quota may have been raised.
const SPENT_LOOK_EVERY: Duration = Duration::from_secs(600);

/// The most tasks that are read together.
const TASKS_MAX: usize = 32;

/// How many spaces are claimed at a time: few, so that several servers share them.
const SPACES_MAX: usize = 32;

/// When to look again for a space that another server has just been at.
const SOON: Duration = Duration::from_secs(1);

/// How often a write is decided again because somebody else wrote.
const TRIES_MAX: usize = 50;

impl Worker {
    /// Works until it is dropped.
    pub async fn run(self) {
        loop {
            let next = self.work().await;
            let pause = next
                .unwrap_or(self.settings.look_every)
                .min(self.settings.look_every);
            tokio::select! {
                () = self.agent.task_signal.wait() => {
                    // Writes come in groups: those that follow at once are read together.
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
                () = tokio::time::sleep(pause) => {}
            }
        }
    }

    /// Does everything that is due and that no other server works on. Returns how long to wait for
    /// the rest.
    pub async fn work(&self) -> Option<Duration> {
        let began = Instant::now();
        let mut noted: HashSet<SpaceId> = self.agent.task_signal.take().into_iter().collect();
        let mut next: Option<Duration> = None;
        // Spaces stay claimed until the end, so that each is visited once, but not so long that the
        // claims lapse.
        while began.elapsed() < self.settings.claim / 2 {
            let spaces = self.spaces().await;
            if spaces.is_empty() {
                break;
            }
            noted.retain(|space| !spaces.contains(space));
            next = self.work_on(spaces).await.into_iter().chain(next).min();
        }
        if let Err(error) = self.administration.release_spaces(&self.space_claim()).await {
            tracing::warn!(%error, "could not release the claimed spaces; their claims will lapse");
        }
        let missed = (!noted.is_empty()).then_some(SOON);
        next.into_iter().chain(missed).min()
    }

    fn space_claim(&self) -> Claim<'_> {
        Claim {
            job: "extract",
            work: RecordKind::Task,
            holder: &self.settings.name,
            lasts: self.settings.claim,
        }
    }

    async fn work_on(&self, waiting: Vec<SpaceId>) -> Option<Duration> {
        let done = stream::iter(waiting).map(async |space| {
            let outcome = self.serve(&space).await;
            outcome.unwrap_or_else(|error| {
                tracing::warn!(%space, %error, "could not extract facts from messages; will try again");
                Some(self.settings.look_every)
            })
        });
        let pauses: Vec<Option<Duration>> = done
            .buffer_unordered(self.settings.at_once.max(1))
            .collect()
            .await;
        pauses.into_iter().flatten().min()
    }

    /// Claims some of the spaces that have tasks.
    async fn spaces(&self) -> Vec<SpaceId> {
        let claimed = self
            .administration
            .claim_spaces(&self.space_claim(), SPACES_MAX)
            .await;
        claimed.unwrap_or_else(|error| {
            tracing::warn!(%error, "could not list the spaces with tasks");
            Vec::new()
        })
    }

    /// Does what is due for one user, and no more.
    pub async fn work_for(&self, space: &SpaceId) -> Result<(), SpaceError> {
        for _ in 0..TRIES_MAX {
            if self.serve(space).await? != Some(Duration::ZERO) {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Serves one space: gives after how long it should be served again, if there is more.
    async fn serve(&self, space: &SpaceId) -> Result<Option<Duration>, SpaceError> {
        let now = self.agent.memory.clock.now();
        let Some(scope) = Scope::of_job(space.clone(), Actor::new("job:extract"), now) else {
            return Ok(None);
        };
        self.summarise(&scope).await?;
        if self.agent.settings.extraction.method == Method::Off {
            return Ok(None);
        }
        if self.model().is_some() {
            self.read_by_rules(&scope).await?;
        }
        let (revision, tasks) = self.tasks(space).await?;
        let (tasks, taken): (Vec<ExtractionTask>, Vec<ExtractionTask>) = tasks
            .into_iter()
            .partition(|task| task.is_free(&self.settings.name, now));
        let mut scope = scope;
        scope.project = tasks.first().and_then(|task| task.project.clone());
        // Those of one project at a time: a model that reads them sees what is known there.
        let tasks = tasks.into_iter().filter(|task| task.project == scope.project);
        let tasks: Vec<ExtractionTask> = tasks.take(TASKS_MAX).collect();
        if let Some(wait) = self.too_early(&tasks, now) {
            return Ok(Some(wait));
        }
        if tasks.is_empty() {
            // The rest is postponed or claimed by another server: look again when that is over.
            let free = taken.iter().filter_map(ExtractionTask::free_at).min();
            let wait = free.map(|at| Duration::try_from(at.duration_since(now)).unwrap_or_default());
            return Ok(wait.map(|wait| wait.max(Duration::from_millis(10))));
        }
        let model = self.model();
        if let (Some(_), Err(spent)) = (&model, model_tokens::check(&self.agent.memory, &scope).await) {
            // What rules found is stored already; the rest stays queued.
            tracing::info!(%space, %spent, "learning with a model waits");
            return Ok(Some(spent.wait.clamp(SOON, SPENT_LOOK_EVERY)));
        }
        let model = model.map(|model| model_tokens::metered(&self.agent.memory, &scope, model));
        let claimed = match &model {
            Some(_) => self.claim(&scope, revision, tasks).await?,
            None => tasks,
        };
        if claimed.is_empty() {
            return Ok(Some(Duration::from_millis(10)));
        }
        let sources = self.sources(&scope, &claimed).await?;
        let read = self.read(&scope, model.as_deref(), &sources, &claimed).await?;
        match read {
            FactsFound::Now(findings) => self.finish(&scope, &claimed, findings, After::Remove).await?,
            FactsFound::Later(pause) => {
                self.postpone(&scope, claimed, pause).await?;
                return Ok(Some(pause));
            }
        }
        Ok(Some(Duration::ZERO))
    }

    /// The model that reads, if there is one.
    fn model(&self) -> Option<Arc<dyn ChatModel>> {
        match self.agent.settings.extraction.method {
            Method::Auto => self
                .agent
                .models
                .as_ref()
                .map(|models| models.of(ChatRole::Extraction)),
            Method::Rules | Method::Off => None,
        }
    }

    /// Stores what rules find before a model is asked, which may take its time or fail.
    async fn read_by_rules(&self, scope: &Scope) -> Result<(), SpaceError> {
        let (_, tasks) = self.tasks(scope.space()).await?;
        let is_unread = |task: &ExtractionTask| !task.ruled && task.is_free(&self.settings.name, scope.now);
        let unread: Vec<ExtractionTask> = tasks.into_iter().filter(is_unread).take(TASKS_MAX).collect();
        if unread.is_empty() {
            return Ok(());
        }
        let sources = self.sources(scope, &unread).await?;
        let found = find_facts::by_rules(&sources);
        self.finish(scope, &unread, found, After::LeaveToModel).await
    }

    /// Summarises the conversations that have outgrown their window.
    async fn summarise(&self, scope: &Scope) -> Result<(), SpaceError> {
        let store = &*self.agent.memory.store;
        for conversation in summary::pending(store, scope.space()).await? {
            summary::update(&self.agent, scope, &conversation).await?;
        }
        Ok(())
    }

    /// The tasks of a space, with the revision at which they were read.
    async fn tasks(&self, space: &SpaceId) -> Result<(Revision, Vec<ExtractionTask>), SpaceError> {
        let store = &self.agent.memory.store;
        let revision = store.revision(space).await?;
        let records = store
            .records(space, RecordKind::Task, None, 4 * TASKS_MAX)
            .await?;
        Ok((
            revision,
            records.iter().filter_map(ExtractionTask::read).collect(),
        ))
    }

    /// How long to wait for more, so that a model is asked seldom; none when it is time.
    fn too_early(&self, tasks: &[ExtractionTask], now: Timestamp) -> Option<Duration> {
        let settings = &self.agent.settings.extraction;
        let last = tasks.iter().map(|task| task.at).max()?;
        let tokens: usize = tasks.iter().map(|task| task.tokens).sum();
        let idle = Duration::try_from(now.duration_since(last)).unwrap_or(Duration::ZERO);
        let waits = tokens < settings.buffer_tokens && tasks.len() < TASKS_MAX && idle < settings.buffer_idle;
        waits.then(|| settings.buffer_idle - idle)
    }
}
