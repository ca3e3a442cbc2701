//! Imports that are running: one for each user, a few in all. They go on when whoever began them
//! does not wait any longer.

mod status;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use jiff::{SignedDuration, Timestamp};
use parking_lot::Mutex;
use recalld_memory::change::Effect;
use recalld_memory::id::SpaceId;
use recalld_memory::ports::Clock;
use recalld_memory::record::{Record, RecordKind};
use recalld_memory::scope::Scope;
use recalld_memory::space::{Decision, SpaceError, SpaceView};
use recalld_memory::wiring::Ports;
use recalld_portability::archive::{Observer, Progress};
use serde_json::json;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use uuid::Uuid;

pub(crate) use self::status::{ImportReport, ImportState, ImportStatus};
use crate::error::{ApiError, Code};

/// How many imports run at a time, of all users.
const RUNNING_MAX: usize = 4;

/// When a server has said nothing about an import for so long, it is not running any more.
const SILENCE_MAX: SignedDuration = SignedDuration::from_secs(60);

/// The imports that this server runs.
#[derive(Debug)]
pub(crate) struct ImportJobs {
    /// By user; nothing while the body arrives.
    running: Arc<Mutex<HashMap<SpaceId, Option<Arc<ImportJob>>>>>,
    slots: Arc<Semaphore>,
}

impl Default for ImportJobs {
    fn default() -> ImportJobs {
        ImportJobs {
            running: Arc::default(),
            slots: Arc::new(Semaphore::new(RUNNING_MAX)),
        }
    }
}

/// The right of a user to run an import. It ends when it is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    space: SpaceId,
    running: Arc<Mutex<HashMap<SpaceId, Option<Arc<ImportJob>>>>>,
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.running.lock().remove(&self.space);
    }
}

impl ImportJobs {
    /// Gives a user the turn, unless an import of the same user is running.
    pub(crate) fn turn(&self, space: &SpaceId) -> Result<Turn, ApiError> {
        let mut running = self.running.lock();
        if let Some(job) = running.get(space) {
            let hint = match job {
                Some(job) => format!("GET /v1/import/{} shows how far it is", job.id),
                None => "wait until it has arrived".to_owned(),
            };
            let detail = "another import of this user is running";
            return Err(ApiError::new(Code::ImportRunning, detail).hint(hint));
        }
        running.insert(space.clone(), None);
        Ok(Turn {
            space: space.clone(),
            running: Arc::clone(&self.running),
        })
    }

    /// Gives an import a place among those that run at a time.
    pub(crate) fn slot(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        Arc::clone(&self.slots).try_acquire_owned().map_err(|_| {
            let detail = format!("{RUNNING_MAX} imports are running");
            ApiError::new(Code::Busy, detail).retry_after(5)
        })
    }

    /// Begins a job.
    pub(crate) fn begin(&self, turn: &Turn, clock: Arc<dyn Clock>, dry_run: bool) -> Arc<ImportJob> {
        let job = Arc::new(ImportJob {
            id: Uuid::now_v7().simple().to_string(),
            dry_run,
            clock,
            is_detached: AtomicBool::new(false),
            records: AtomicU32::new(0),
            state: watch::Sender::new(State::Running(Progress::default())),
        });
        let mut running = self.running.lock();
        running.insert(turn.space.clone(), Some(Arc::clone(&job)));
        job
    }

    /// Finds an import of a user: one that runs here, or what is stored about it.
    pub(crate) async fn find(
        &self,
        ports: &Ports,
        scope: &Scope,
        id: &str,
    ) -> Result<Option<ImportStatus>, ApiError> {
        let running = self.running.lock().get(scope.space()).cloned().flatten();
        if let Some(job) = running.filter(|job| job.id == id) {
            return Ok(Some(job.status()));
        }
        let found = ports
            .store
            .record(scope.space(), RecordKind::Receipt, &record_name(id))
            .await?;
        Ok(found.and_then(|record| stored_status(&record, scope.now)))
    }
}

/// Reads what is stored about an import. One that its server did not finish was interrupted.
fn stored_status(record: &Record, now: Timestamp) -> Option<ImportStatus> {
    let mut status: ImportStatus = serde_json::from_str(record.value["body"].as_str()?).ok()?;
    if status.state == ImportState::Running && SILENCE_MAX < now.duration_since(record.written_at) {
        status.state = ImportState::Interrupted;
    }
    Some(status)
}

fn record_name(id: &str) -> String {
    format!("import:{id}")
}

/// How an import stands.
#[derive(Clone, Debug)]
pub(crate) enum State {
    Running(Progress),
    Finished(Progress, Arc<ImportReport>),
    Failed(Progress, ApiError),
}

/// One import.
#[derive(Debug)]
pub(crate) struct ImportJob {
    pub(crate) id: String,
    dry_run: bool,
    clock: Arc<dyn Clock>,
    /// Nobody waits for the answer, so that it must be found later.
    is_detached: AtomicBool,
    /// How often something was stored about it.
    records: AtomicU32,
    state: watch::Sender<State>,
}

impl ImportJob {
    /// Says that nobody waits for the answer.
    pub(crate) fn detach(&self) {
        self.is_detached.store(true, Ordering::Release);
    }

    /// Waits until the import is over.
    pub(crate) async fn over(&self) -> State {
        let mut states = self.state.subscribe();
        let over = states
            .wait_for(|state| !matches!(state, State::Running(_)))
            .await
            .map(|state| state.clone());
        over.unwrap_or_else(|_| self.state.borrow().clone())
    }

    /// Ends the import. What became of it is stored for whoever asks later.
    pub(crate) async fn end(&self, ports: &Ports, scope: &Scope, outcome: Result<ImportReport, ApiError>) {
        self.state.send_modify(|state| {
            let progress = state.progress();
            *state = match outcome {
                Ok(report) => State::Finished(progress, Arc::new(report)),
                Err(error) => State::Failed(progress, error),
            };
        });
        if !self.is_detached.load(Ordering::Acquire) {
            return;
        }
        let change = scope.change(None, Effect::Record(self.record(&self.status())));
        let decide = move |_: &SpaceView| Decision {
            changes: vec![change.clone()],
            outcome: (),
        };
        let stored: Result<(), SpaceError> = ports.spaces.write_verbatim(scope.space(), decide).await;
        if let Err(error) = stored {
            tracing::warn!(%error, import = self.id, "the outcome of an import could not be stored");
        }
    }

    /// Describes how the import stands.
    pub(crate) fn status(&self) -> ImportStatus {
        let state = self.state.borrow().clone();
        ImportStatus::new(&self.id, self.dry_run, &state)
    }

    fn record(&self, status: &ImportStatus) -> Record {
        let body = serde_json::to_string(status).expect("a status is plain data");
        Record {
            kind: RecordKind::Receipt,
            name: record_name(&self.id),
            value: json!({ "body": body }),
            version: self.records.fetch_add(1, Ordering::Relaxed) + 1,
            written_at: self.clock.now(),
        }
    }
}

impl State {
    pub(crate) fn progress(&self) -> Progress {
        match self {
            State::Running(progress) | State::Finished(progress, _) | State::Failed(progress, _) => *progress,
        }
    }
}

/// Follows an import for its job.
#[derive(Debug)]
pub(crate) struct Follow(pub(crate) Arc<ImportJob>);

impl Observer for Follow {
    fn progress(&self, progress: &Progress) {
        self.0.state.send_replace(State::Running(*progress));
    }

    fn checkpoint(&self, progress: &Progress) -> Option<Record> {
        if !self.0.is_detached.load(Ordering::Acquire) {
            return None;
        }
        let state = State::Running(*progress);
        let status = ImportStatus::new(&self.0.id, self.0.dry_run, &state);
        Some(self.0.record(&status))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_import_that_its_server_did_not_finish_was_interrupted() {
        let progress = Progress {
            total: 10,
            done: 5,
            added: 4,
            refused: 1,
        };
        let status = ImportStatus::new("7", false, &State::Running(progress));
        let record = Record {
            kind: RecordKind::Receipt,
            name: record_name("7"),
            value: json!({ "body": serde_json::to_string(&status).unwrap() }),
            version: 1,
            written_at: Timestamp::UNIX_EPOCH,
        };
        let state_after = |seconds| {
            let now = Timestamp::UNIX_EPOCH + SignedDuration::from_secs(seconds);
            let status = serde_json::to_value(stored_status(&record, now)).unwrap();
            (status["state"].clone(), status["stored"].clone())
        };
        assert_eq!(state_after(59), (json!("running"), json!(4)));
        assert_eq!(state_after(61), (json!("interrupted"), json!(4)));
    }

    #[test]
    fn the_turn_of_a_user_ends_when_it_is_dropped() {
        let jobs = ImportJobs::default();
        let space = SpaceId::shared();
        let turn = jobs.turn(&space).unwrap();
        assert!(jobs.turn(&space).is_err());
        drop(turn);
        assert!(jobs.turn(&space).is_ok());
    }
}
