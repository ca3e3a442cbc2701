//! Takes an archive in. Into a space that nobody wrote to, it is played again with its history and
//! its log; into any other, it is added. Either way, importing the same archive twice changes
//! nothing the second time.

use std::sync::Arc;

use recalld_memory::change::{Change, Revision};
use recalld_memory::memory::Source;
use recalld_memory::ports::{MessagePage, StoreError};
use recalld_memory::scope::Scope;
use recalld_memory::space::{Decision, SpaceError, SpaceView, evictions};
use recalld_memory::wiring::Ports;
use thiserror::Error;

use super::contents::Contents;
use super::merge::{self, Item, Stored};
use super::report::{Fate, Imported};
use super::{replay, vet};

/// Whether anything is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Write,
    /// Only tells what would be done.
    DryRun,
}

/// Why an import was not finished. What came in until then stays; to import again does the rest.
#[derive(Debug, Error)]
pub enum ImportError {
    /// The store could not be read.
    #[error("what is here already cannot be read: {0}")]
    Store(#[from] StoreError),
    /// The space could not be read or written.
    #[error(transparent)]
    Space(#[from] SpaceError),
}

/// How many things are written at once.
const BATCH: usize = 500;

/// Takes everything of `contents` into the space of `scope`. `progress` hears how many things of
/// how many are done.
pub async fn import(
    ports: &Ports,
    scope: &Scope,
    mut contents: Contents,
    mode: Mode,
    progress: &mut (dyn FnMut(usize, usize) + Send),
) -> Result<Imported, ImportError> {
    let mut report = Imported::default();
    vet::vet(&mut contents, scope.now, &mut report);
    let is_new = ports.store.revision(scope.space()).await? == Revision(0);
    if is_new {
        count(&contents, &mut report);
        if mode == Mode::Write {
            play(ports, scope, contents, progress).await?;
        }
        return Ok(report);
    }
    let stored = stored(ports, scope, &contents).await?;
    let items = merge::items(contents);
    if mode == Mode::DryRun {
        let look = |view: &SpaceView| merge::decide(view, scope, &items, &stored).1;
        report.add(ports.spaces.read(scope.space(), look).await?);
        return Ok(report);
    }
    let (total, stored) = (items.len(), Arc::new(stored));
    for (number, batch) in items.chunks(BATCH).enumerate() {
        progress(number * BATCH, total);
        report.add(add(ports, scope, batch.to_vec(), Arc::clone(&stored)).await?);
    }
    Ok(report)
}

fn count(contents: &Contents, report: &mut Imported) {
    let memories = contents
        .versions
        .chunk_by(|a, b| a.memory.id == b.memory.id)
        .count();
    for (kind, number) in [
        ("memories", memories),
        ("entities", contents.entities.len()),
        ("conversations", contents.conversations.len()),
        ("messages", contents.messages.len()),
        ("records", contents.records.len()),
        ("documents", contents.documents.len()),
    ] {
        report.count_many(kind, Fate::Added, number);
    }
}

/// Plays the log again in an empty space.
async fn play(
    ports: &Ports,
    scope: &Scope,
    contents: Contents,
    progress: &mut (dyn FnMut(usize, usize) + Send),
) -> Result<(), SpaceError> {
    let late = scope.stamp(Source::new("import").ok());
    let changes = replay::changes(contents, &late);
    let total = changes.len();
    for (number, batch) in changes.chunks(BATCH).enumerate() {
        progress(number * BATCH, total);
        let batch: Vec<Change> = batch.to_vec();
        let decide = move |_: &SpaceView| Decision {
            changes: batch.clone(),
            outcome: (),
        };
        ports.spaces.write_verbatim(scope.space(), decide).await?;
    }
    // Where the cap is lower than where the archive was made, the document is cut to fit.
    let (stamp, cap) = (scope.stamp(None), ports.settings.document_tokens_max);
    let fit = move |view: &SpaceView| Decision {
        changes: evictions(view, &stamp, cap),
        outcome: (),
    };
    ports.spaces.write_verbatim(scope.space(), fit).await
}

async fn add(
    ports: &Ports,
    scope: &Scope,
    items: Vec<Item>,
    stored: Arc<Stored>,
) -> Result<Imported, SpaceError> {
    let given = scope.clone();
    let decide = move |view: &SpaceView| {
        let (changes, report) = merge::decide(view, &given, &items, &stored);
        Decision {
            changes,
            outcome: report,
        }
    };
    ports.spaces.write(scope.space(), decide).await
}

/// Reads what the store has of what is not held in memory, as far as the archive has it too.
async fn stored(ports: &Ports, scope: &Scope, contents: &Contents) -> Result<Stored, StoreError> {
    let (store, space) = (&ports.store, scope.space());
    let mut stored = Stored::default();
    let page = MessagePage {
        before: None,
        limit: usize::MAX,
    };
    for conversation in &contents.conversations {
        let messages = store.messages(space, &conversation.id, &page).await?;
        let by_id = messages
            .into_iter()
            .map(|message| (message.id.clone(), message))
            .collect();
        stored.messages.insert(conversation.id.to_string(), by_id);
    }
    for record in contents.records.iter().filter(|record| !record.kind.is_held()) {
        if let Some(known) = store.record(space, record.kind, &record.name).await? {
            stored.records.insert((record.kind, record.name.clone()), known);
        }
    }
    if !contents.documents.is_empty() {
        let knowledge = store.knowledge_since(space, Revision(0)).await?;
        let ids = knowledge
            .documents
            .iter()
            .map(|(document, _)| document.id.to_string());
        stored.documents.extend(ids);
    }
    Ok(stored)
}
