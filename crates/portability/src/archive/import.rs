//! Imports an archive. Into a space that nobody wrote to, its log is replayed, so that it becomes
//! what the archived one was; into any other, it is merged. Either way, importing the same archive
//! twice changes nothing the second time.
//!
//! Both go batch by batch: other writers of the space have their turn in between, and what was
//! stored until a failure stays.

use std::collections::HashSet;
use std::io;
use std::sync::Arc;

use recalld_memory::change::{Change, Effect, Revision};
use recalld_memory::memory::Source;
use recalld_memory::ports::StoreError;
use recalld_memory::record::Record;
use recalld_memory::scope::Scope;
use recalld_memory::space::{Decision, KnowledgeIndex, SpaceError, SpaceView, evictions};
use recalld_memory::wiring::Ports;
use thiserror::Error;

use super::kind::{Kind, message_id};
use super::merge::{self, Stored};
use super::replay::Replay;
use super::report::{Fate, Imported, Progress};
use super::staged::{Item, Staged};

/// Whether anything is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Write,
    /// Only reports what would be done.
    DryRun,
}

/// Why an import was not finished. What was stored until then stays; importing again does the rest.
#[derive(Debug, Error)]
pub enum ImportError {
    /// The store could not be read.
    #[error("the existing data cannot be read: {0}")]
    Store(#[from] StoreError),
    /// The space could not be read or written.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// The user was erased meanwhile.
    #[error("the user was erased while the import was running")]
    Erased,
    /// The temporary file could not be read.
    #[error("the temporary file of the import cannot be read: {0}")]
    Staging(#[from] io::Error),
}

/// Follows an import.
pub trait Observer: Send + Sync {
    /// Learns how far the import is.
    fn progress(&self, progress: &Progress);

    /// Gives a record to be stored together with the batch after which the import is as far as
    /// `progress` says; none if nothing is to be stored.
    fn checkpoint(&self, _progress: &Progress) -> Option<Record> {
        None
    }
}

/// Nobody follows the import.
impl Observer for () {
    fn progress(&self, _: &Progress) {}
}

/// Imports everything of `staged` into the space of `scope`.
pub async fn import(
    ports: &Ports,
    scope: &Scope,
    staged: Staged,
    mode: Mode,
    observer: Arc<dyn Observer>,
) -> Result<Imported, ImportError> {
    let mut report = Imported::default();
    for (kind, count) in &staged.refused {
        report.count_many(kind, Fate::Refused, *count as usize);
    }
    report.faults = staged.faults.clone();
    let progress = Progress {
        total: staged.items() as u64,
        refused: report.refused(),
        ..Progress::default()
    };
    let began_at = ports.store.revision(scope.space()).await?;
    let mut job = Job {
        ports,
        scope,
        staged: Arc::new(staged),
        observer,
        revision: began_at,
    };
    let is_new = began_at == Revision(0);
    // Without a log there is no history to restore, and a merge keeps to the document's cap.
    match is_new && 0 < job.staged.count(Kind::Event) {
        true => job.replay(mode, progress, &mut report).await?,
        false => job.merge(mode, progress, &mut report).await?,
    }
    Ok(report)
}

struct Job<'a> {
    ports: &'a Ports,
    scope: &'a Scope,
    staged: Arc<Staged>,
    observer: Arc<dyn Observer>,
    /// Where the space was after the last batch.
    revision: Revision,
}

impl Job<'_> {
    /// Stops when the user was erased since the last batch: what was erased must not come back.
    async fn check_erased(&mut self) -> Result<(), ImportError> {
        let now = self.ports.store.revision(self.scope.space()).await?;
        match now.restarted_since(self.revision) {
            true => Err(ImportError::Erased),
            false => Ok(()),
        }
    }

    /// Notes where the space is after a batch.
    async fn note_revision(&mut self) -> Result<(), ImportError> {
        self.revision = self.ports.store.revision(self.scope.space()).await?;
        Ok(())
    }

    /// Replays the log in an empty space.
    async fn replay(
        &mut self,
        mode: Mode,
        mut progress: Progress,
        report: &mut Imported,
    ) -> Result<(), ImportError> {
        for kind in Kind::STORED {
            report.count_many(kind.plural(), Fate::Added, self.staged.count(kind));
        }
        if mode == Mode::DryRun {
            return Ok(());
        }
        let late = self.scope.stamp(Source::new("import").ok());
        let staged = Arc::clone(&self.staged);
        let mut replay = blocking(move || Replay::new(staged, late)).await?;
        loop {
            self.observer.progress(&progress);
            let (next, batch) = blocking(move || {
                let batch = replay.batch()?;
                Ok((replay, batch))
            })
            .await?;
            replay = next;
            if batch.is_empty() {
                break;
            }
            self.check_erased().await?;
            progress.done = replay.placed().min(progress.total);
            progress.added = progress.done;
            self.write_verbatim(batch, progress).await?;
            self.note_revision().await?;
        }
        // Where the cap is lower than where the archive was made, the document is cut to fit.
        let (stamp, cap) = (self.scope.stamp(None), self.ports.settings.document_tokens_max);
        let fit = move |view: &SpaceView| Decision {
            changes: evictions(view, &stamp, cap),
            outcome: (),
        };
        let space = self.scope.space();
        self.ports.spaces.write_verbatim(space, fit).await?;
        progress.done = progress.total;
        self.observer.progress(&progress);
        Ok(())
    }

    async fn write_verbatim(&self, mut batch: Vec<Change>, progress: Progress) -> Result<(), SpaceError> {
        let checkpoint = self.observer.checkpoint(&progress);
        batch.extend(checkpoint.map(|record| self.scope.change(None, Effect::Record(record))));
        let decide = move |_: &SpaceView| Decision {
            changes: batch.clone(),
            outcome: (),
        };
        let space = self.scope.space();
        self.ports.spaces.write_verbatim(space, decide).await
    }

    /// Adds what is new to a space that may hold something already.
    async fn merge(
        &mut self,
        mode: Mode,
        mut progress: Progress,
        report: &mut Imported,
    ) -> Result<(), ImportError> {
        // Conversations that this import has made: the store holds no message of them yet.
        let mut made: HashSet<String> = HashSet::new();
        while progress.done < progress.total {
            self.observer.progress(&progress);
            let (staged, from) = (Arc::clone(&self.staged), progress.done as usize);
            let items = blocking(move || staged.batch(from)).await?;
            let count = items.len() as u64;
            self.check_erased().await?;
            let stored = self.stored(&items, &mut made).await?;
            let done = match mode {
                Mode::Write => self.add(items, stored, progress).await?,
                Mode::DryRun => {
                    let signature = self.staged.signature;
                    let look =
                        |view: &SpaceView| merge::decide(view, self.scope, &items, &stored, signature).1;
                    self.ports.spaces.read(self.scope.space(), look).await?
                }
            };
            self.note_revision().await?;
            progress = after(progress, count, &done);
            report.add(&done);
        }
        self.observer.progress(&progress);
        Ok(())
    }

    async fn add(
        &self,
        items: Vec<Item>,
        stored: Stored,
        progress: Progress,
    ) -> Result<Imported, SpaceError> {
        let (given, observer) = (self.scope.clone(), Arc::clone(&self.observer));
        let signature = self.staged.signature;
        let decide = move |view: &SpaceView| {
            let (mut changes, report) = merge::decide(view, &given, &items, &stored, signature);
            if !changes.is_empty() {
                let reached = after(progress, items.len() as u64, &report);
                let checkpoint = observer.checkpoint(&reached);
                changes.extend(checkpoint.map(|record| given.change(None, Effect::Record(record))));
            }
            Decision {
                changes,
                outcome: report,
            }
        };
        let written = self.ports.spaces.write_bulk(self.scope.space(), decide).await?;
        Ok(written.outcome)
    }

    /// Reads what the store has of a batch, as far as that is not held in memory.
    async fn stored(&self, items: &[Item], made: &mut HashSet<String>) -> Result<Stored, ImportError> {
        let (store, space) = (&self.ports.store, self.scope.space());
        let mut stored = Stored::default();
        for item in items {
            match item {
                Item::Conversation(conversation) => {
                    let known = |view: &SpaceView| view.conversation(&conversation.id).is_some();
                    if !self.ports.spaces.read(space, known).await? {
                        made.insert(conversation.id.to_string());
                    }
                }
                Item::Message(message) if !made.contains(message.conversation.as_str()) => {
                    if let Some(known) = store.message(space, &message.conversation, &message.id).await? {
                        stored.messages.insert(message_id(message), known);
                    }
                }
                Item::Record(record) if !record.kind.is_held() => {
                    if let Some(known) = store.record(space, record.kind, &record.name).await? {
                        stored.records.insert((record.kind, record.name.clone()), known);
                    }
                }
                Item::Document(document, _) => {
                    let known = |index: &KnowledgeIndex| index.document(&document.id).is_some();
                    if self.ports.spaces.knowledge(space, known).await? {
                        stored.documents.insert(document.id.to_string());
                    }
                }
                _ => {}
            }
        }
        Ok(stored)
    }
}

/// How far an import is when a batch was stored.
fn after(before: Progress, items: u64, report: &Imported) -> Progress {
    Progress {
        done: before.done + items,
        added: before.added + report.added(),
        ..before
    }
}

/// Reads and parses apart from the tasks that answer requests.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, ImportError> {
    let done = tokio::task::spawn_blocking(work).await;
    Ok(done.map_err(|error| io::Error::other(error.to_string()))??)
}
