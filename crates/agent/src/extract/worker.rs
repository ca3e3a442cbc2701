//! Keeps the promises: reads what users said, learns from it, and crosses the work off in the same
//! write.
//!
//! A server claims the spaces that it goes through, so that several share the work. A promise is
//! claimed before a model is asked, so that two servers do not pay for it twice. Learning and
//! crossing off are one write that is decided at the revision at which the promise was seen to
//! stand, so it happens once, whatever crashes.

mod reading;

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use futures::{StreamExt, stream};
use jiff::{SignedDuration, Timestamp};
use recalld_memory::change::{Actor, Change, Revision};
use recalld_memory::id::{MemoryId, SpaceId};
use recalld_memory::ports::{Administration, ChatRole, Claim};
use recalld_memory::record::RecordKind;
use recalld_memory::scope::Scope;
use recalld_memory::space::{SpaceError, SpaceView};

use super::learn::{Learned, Learning, learn};
use crate::learning_metrics::LearningMetrics;
use crate::settings::Method;
use crate::summary::{self, Folding};
use crate::task_queue::Promise;
use crate::wiring::AgentPorts;
use reading::{Found, Read};

/// How the work is done.
#[derive(Clone, Debug)]
pub struct WorkerSettings {
    /// Tells this server from the others.
    pub name: String,
    /// How many users' words are read at a time.
    pub at_once: usize,
    /// How often all spaces are looked at, for what another server left.
    pub look_every: Duration,
    /// How long a claim stands.
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

/// Reads and learns, for all users.
#[derive(Clone, Debug)]
pub struct Worker {
    pub agent: AgentPorts,
    pub administration: Arc<dyn Administration>,
    pub settings: WorkerSettings,
    pub figures: Arc<LearningMetrics>,
}

/// The most promises of one reading.
const PROMISES_MAX: usize = 32;

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
                () = self.agent.backlog.wait() => {
                    // Writes come in groups: those that follow at once are read together.
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
                () = tokio::time::sleep(pause) => {}
            }
        }
    }

    /// Does all that is due now and that no other server is at. Gives when the next of the rest
    /// will be.
    pub async fn work(&self) -> Option<Duration> {
        let began = Instant::now();
        let mut reminded: HashSet<SpaceId> = self.agent.backlog.take().into_iter().collect();
        let mut next: Option<Duration> = None;
        // What was gone through stays claimed until the end, so that each space comes once; not so
        // long that claims lapse.
        while began.elapsed() < self.settings.claim / 2 {
            let spaces = self.spaces().await;
            if spaces.is_empty() {
                break;
            }
            reminded.retain(|space| !spaces.contains(space));
            next = self.work_on(spaces).await.into_iter().chain(next).min();
        }
        if let Err(error) = self.administration.release_spaces(&self.errand()).await {
            tracing::warn!(%error, "the spaces with work stay claimed until that lapses");
        }
        let missed = (!reminded.is_empty()).then_some(SOON);
        next.into_iter().chain(missed).min()
    }

    fn errand(&self) -> Claim<'_> {
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
                tracing::warn!(%space, %error, "what a user said could not be read yet");
                Some(self.settings.look_every)
            })
        });
        let pauses: Vec<Option<Duration>> = done
            .buffer_unordered(self.settings.at_once.max(1))
            .collect()
            .await;
        pauses.into_iter().flatten().min()
    }

    /// Some of the spaces that have work and that nobody is at.
    async fn spaces(&self) -> Vec<SpaceId> {
        let claimed = self.administration.claim_spaces(&self.errand(), SPACES_MAX).await;
        claimed.unwrap_or_else(|error| {
            tracing::warn!(%error, "the spaces with work cannot be listed");
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
        self.fold(&scope).await?;
        if self.agent.settings.extraction.method == Method::Off {
            return Ok(None);
        }
        let (revision, promises) = self.promises(space).await?;
        let (promises, taken): (Vec<Promise>, Vec<Promise>) = promises
            .into_iter()
            .partition(|promise| promise.is_free(&self.settings.name, now));
        let promises: Vec<Promise> = promises.into_iter().take(PROMISES_MAX).collect();
        if let Some(wait) = self.too_early(&promises, now) {
            return Ok(Some(wait));
        }
        if promises.is_empty() {
            // What is put off or somebody else is at: it is looked at again when that is over.
            let free = taken.iter().filter_map(Promise::free_at).min();
            let wait = free.map(|at| Duration::try_from(at.duration_since(now)).unwrap_or_default());
            return Ok(wait.map(|wait| wait.max(Duration::from_millis(10))));
        }
        let model = match self.agent.settings.extraction.method {
            Method::Auto => self
                .agent
                .models
                .as_ref()
                .map(|models| models.of(ChatRole::Extraction)),
            Method::Rules | Method::Off => None,
        };
        let claimed = match &model {
            Some(_) => self.claim(&scope, revision, promises).await?,
            None => promises,
        };
        if claimed.is_empty() {
            return Ok(Some(Duration::from_millis(10)));
        }
        let sources = self.sources(&scope, &claimed).await?;
        let read = self.read(&scope, model.as_deref(), &sources, &claimed).await?;
        match read {
            Read::Found(findings) => self.finish(&scope, &claimed, findings).await?,
            Read::Later(pause) => {
                self.postpone(&scope, claimed, pause).await?;
                return Ok(Some(pause));
            }
        }
        Ok(Some(Duration::ZERO))
    }

    /// Folds the conversations that have outgrown their window.
    async fn fold(&self, scope: &Scope) -> Result<(), SpaceError> {
        let store = &self.agent.memory.store;
        let records = store
            .records(scope.space(), RecordKind::Task, None, 4 * PROMISES_MAX)
            .await?;
        for conversation in records.iter().filter_map(Folding::of_record) {
            summary::fold(&self.agent, scope, &conversation).await?;
        }
        Ok(())
    }

    /// The promises of a space, with the revision at which they stand.
    async fn promises(&self, space: &SpaceId) -> Result<(Revision, Vec<Promise>), SpaceError> {
        let store = &self.agent.memory.store;
        let revision = store.revision(space).await?;
        let records = store
            .records(space, RecordKind::Task, None, 4 * PROMISES_MAX)
            .await?;
        Ok((revision, records.iter().filter_map(Promise::read).collect()))
    }

    /// How long to wait for more, so that a model is asked seldom; none when it is time.
    fn too_early(&self, promises: &[Promise], now: Timestamp) -> Option<Duration> {
        let settings = &self.agent.settings.extraction;
        let last = promises.iter().map(|promise| promise.at).max()?;
        let tokens: usize = promises.iter().map(|promise| promise.tokens).sum();
        let idle = Duration::try_from(now.duration_since(last)).unwrap_or(Duration::ZERO);
        let waits =
            tokens < settings.buffer_tokens && promises.len() < PROMISES_MAX && idle < settings.buffer_idle;
        waits.then(|| settings.buffer_idle - idle)
    }

    async fn claim(
        &self,
        scope: &Scope,
        revision: Revision,
        promises: Vec<Promise>,
    ) -> Result<Vec<Promise>, SpaceError> {
        let span = SignedDuration::try_from(self.settings.claim).unwrap_or(SignedDuration::from_secs(300));
        let until = scope.now.saturating_add(span).unwrap_or(scope.now);
        let claimed: Vec<Promise> = promises
            .into_iter()
            .map(|promise| Promise {
                claim: Some((self.settings.name.clone(), until)),
                ..promise
            })
            .collect();
        let changes: Vec<Change> = claimed
            .iter()
            .map(|promise| scope.change(None, promise.effect(scope.now)))
            .collect();
        let taken = self
            .agent
            .memory
            .spaces
            .write_at(scope.space(), revision, move |_| (changes.clone(), ()))
            .await?;
        // Somebody wrote in between: what is still free is seen the next time.
        Ok(if taken.is_some() { claimed } else { Vec::new() })
    }

    /// Learns and crosses off, in one write.
    async fn finish(&self, scope: &Scope, promises: &[Promise], found: Vec<Found>) -> Result<(), SpaceError> {
        let learnings: Vec<Learning> = found
            .into_iter()
            .map(|found| Learning {
                finding: found.finding,
                origin: found.origin,
                conversation: Some(found.source.conversation),
                message: Some(found.source.message),
                id: MemoryId::from_uuid(scope.fresh_id(&*self.agent.memory.ids)),
            })
            .collect();
        for _ in 0..TRIES_MAX {
            let (revision, standing) = self.promises(scope.space()).await?;
            let owed: Vec<Promise> = promises
                .iter()
                .filter(|promise| standing.contains(promise))
                .cloned()
                .collect();
            if owed.len() != promises.len() {
                // Somebody else did some of it, or the user erased it: what is left is seen the
                // next time.
                return Ok(());
            }
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
                changes.extend(
                    owed.iter()
                        .map(|promise| decided_for.change(None, promise.done())),
                );
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
        let figures = &self.figures;
        figures.readings.fetch_add(1, Ordering::Relaxed);
        for outcome in learned {
            let figure = match outcome {
                Learned::Remembered(_) => &figures.remembered,
                Learned::Revised { .. } => &figures.revised,
                Learned::Retired(_) => &figures.retired,
                Learned::Known(_) | Learned::Nothing => &figures.known,
                Learned::Refused(_) => &figures.rejected,
            };
            figure.fetch_add(1, Ordering::Relaxed);
        }
        tracing::info!(target: "recalld::extract", user = %scope.user(), findings = learned.len(), "a reading is done");
    }

    async fn postpone(
        &self,
        scope: &Scope,
        promises: Vec<Promise>,
        pause: Duration,
    ) -> Result<(), SpaceError> {
        self.figures.postponed.fetch_add(1, Ordering::Relaxed);
        let pause = SignedDuration::try_from(pause).unwrap_or(SignedDuration::from_secs(60));
        let not_before = self.agent.memory.clock.now().saturating_add(pause).ok();
        for _ in 0..TRIES_MAX {
            let (revision, standing) = self.promises(scope.space()).await?;
            let changes: Vec<Change> = promises
                .iter()
                .filter(|promise| standing.contains(promise))
                .map(|promise| {
                    let later = Promise {
                        attempts: promise.attempts + 1,
                        not_before,
                        claim: None,
                        ..promise.clone()
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
