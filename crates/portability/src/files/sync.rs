//! Brings files and store together: what people changed goes into the store, what the store has
//! goes into the files.
//!
//! The caller reads the files, calls [`sync`], writes what it is told, and then calls [`settle`].
//! Should it die in between, the next run finds nothing that it could mistake for an edit: a base
//! is never newer than its file.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::Timestamp;
use recalld_memory::change::{Change, Effect};
use recalld_memory::lens::Lens;
use recalld_memory::ports::StoreError;
use recalld_memory::record::{Record, RecordKind};
use recalld_memory::scope::Scope;
use recalld_memory::space::{Decision, SpaceError, SpaceView};
use recalld_memory::wiring::Ports;
use serde_json::Value;
use thiserror::Error;

use super::base::{Base, from_value, to_value};
use super::compare::{Note, NoteKind, compare};
use super::edits::{Edited, carry_out};
use super::line::body;
use super::merge::{Known, merge};
use super::name::FileName;
use super::page::{Is, Page, Unready};
use super::project::{days, lines};
use super::sync_folder::{Gone, SyncFolder};

/// What was found where a file should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileContent {
    Text(String),
    /// Something that cannot be read as text, and why.
    Unreadable(String),
}

/// What the files should say now.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Synced {
    /// The text of each file; none where there should be no file. Files that were not read are not
    /// in it.
    pub texts: BTreeMap<FileName, Option<String>>,
    pub notes: Vec<Note>,
    bases: BTreeMap<FileName, Base>,
}

/// Why files and store could not be brought together.
#[derive(Debug, Error)]
pub enum SyncError {
    /// The store failed.
    #[error("the last synchronised state of the files cannot be read: {0}")]
    Store(#[from] StoreError),
    /// The space could not be read or written.
    #[error(transparent)]
    Space(#[from] SpaceError),
}

/// How many bases are read at once.
const PAGE: usize = 200;

/// Takes over what people changed in `found`, and tells what the files should say. A file that is
/// missing there is written anew: to delete a file is not to forget.
pub async fn sync(
    ports: &Ports,
    scope: &Scope,
    folder: &SyncFolder,
    found: &BTreeMap<FileName, FileContent>,
) -> Result<Synced, SyncError> {
    let bases = Arc::new(bases(ports, scope, folder).await?);
    let (pages, unread) = read(found);
    let pages = Arc::new(pages);
    let gone = Gone::find(ports, scope, folder, &pages).await?;
    let edited = edit(ports, scope, &bases, &pages, gone).await?;
    let (known, mut notes) = edited;
    let (now, skipped): (Timestamp, BTreeSet<FileName>) =
        (scope.now, unread.iter().map(|(name, _)| *name).collect());
    let look = |view: &SpaceView| {
        let mut names: BTreeSet<FileName> = pages.keys().chain(bases.keys()).copied().collect();
        names.insert(FileName::Memory);
        names.extend(days(view, Lens::everywhere(now)).into_iter().map(FileName::Day));
        let mut synced = Synced::default();
        for name in names.difference(&skipped) {
            let nothing = (Known::default(), Page::empty(*name));
            let known = known.get(name).unwrap_or(&nothing.0);
            let page = pages.get(name).unwrap_or(&nothing.1);
            next(view, now, *name, page, known, bases.get(name), &mut synced);
        }
        synced
    };
    let mut synced = ports.spaces.read(scope.space(), look).await?;
    notes.extend(unread.into_iter().map(|(name, text)| Note {
        kind: NoteKind::Unread,
        file: name.path(),
        text,
    }));
    synced.notes = notes;
    Ok(synced)
}

/// Makes the next text and base of one file.
fn next(
    view: &SpaceView,
    now: Timestamp,
    name: FileName,
    page: &Page,
    known: &Known,
    before: Option<&Base>,
    synced: &mut Synced,
) {
    let lines = lines(view, Lens::everywhere(now), name);
    let mut known = known.clone();
    let categories = before.into_iter().flat_map(|before| before.values());
    known
        .categories
        .extend(categories.map(|(category, _)| category.clone()));
    let merged = merge(page, &known, &lines);
    let is_needed = name == FileName::Memory || !merged.is_empty(name);
    synced.texts.insert(name, is_needed.then(|| merged.text()));
    let mut base = Base::new();
    for (id, (category, _)) in &lines {
        if let Some(memory) = view.memory(*id) {
            base.insert(*id, (category.clone(), body(memory)));
        }
    }
    // Of a line that was refused, the store and the file still agree on what it said before.
    for number in &known.untouched {
        if let Some(id) = known.memories.get(number) {
            match before.and_then(|before| before.get(id)) {
                Some(line) => base.insert(*id, line.clone()),
                None => base.remove(id),
            };
        }
    }
    synced.bases.insert(name, base);
}

fn read(found: &BTreeMap<FileName, FileContent>) -> (BTreeMap<FileName, Page>, Vec<(FileName, String)>) {
    let (mut pages, mut unread) = (BTreeMap::new(), Vec::new());
    for (name, found) in found {
        let parsed = match found {
            FileContent::Text(text) => Page::parse(text).map_err(|unready| why(unready).to_owned()),
            FileContent::Unreadable(reason) => Err(reason.clone()),
        };
        match parsed {
            Ok(page) => drop(pages.insert(*name, page)),
            Err(reason) => unread.push((*name, reason)),
        }
    }
    (pages, unread)
}

fn why(unready: Unready) -> &'static str {
    match unready {
        Unready::Unfinished => {
            "its last line is missing, so it may be half written; put that line back, or delete the file"
        }
        Unready::Unmerged => "it holds the marks of a merge; decide it first",
        Unready::Binary => "it is not a text",
    }
}

async fn bases(
    ports: &Ports,
    scope: &Scope,
    folder: &SyncFolder,
) -> Result<BTreeMap<FileName, Base>, StoreError> {
    let mut bases = BTreeMap::new();
    let mut after = Some(folder.before_records().to_owned());
    loop {
        let page = ports
            .store
            .records(scope.space(), RecordKind::FileBase, after.as_deref(), PAGE)
            .await?;
        let Some(last) = page.last() else {
            return Ok(bases);
        };
        after = Some(last.name.clone());
        for record in &page {
            match folder.file(&record.name) {
                Some(name) => drop(bases.insert(name, from_value(&record.value))),
                // Those of a folder lie together: what follows is of others.
                None => return Ok(bases),
            }
        }
    }
}

/// Takes over what people changed, in one write.
async fn edit(
    ports: &Ports,
    scope: &Scope,
    bases: &Arc<BTreeMap<FileName, Base>>,
    pages: &Arc<BTreeMap<FileName, Page>>,
    gone: Gone,
) -> Result<(BTreeMap<FileName, Known>, Vec<Note>), SpaceError> {
    let items = |page: &Page| {
        page.blocks
            .iter()
            .filter(|block| matches!(block.is, Is::Item(..)))
            .count()
    };
    let ids: Vec<_> = (0..pages.values().map(items).sum())
        .map(|_| scope.fresh_id(&*ports.ids))
        .collect();
    let (bases, pages) = (Arc::clone(bases), Arc::clone(pages));
    let (given, settings) = (scope.clone(), Arc::clone(&ports.settings));
    let decide = move |view: &SpaceView| {
        let plan = compare(view, given.now, &bases, &pages, &gone);
        let Edited {
            changes,
            known,
            notes,
        } = carry_out(view, &given, plan, &ids, &settings);
        Decision {
            changes,
            outcome: (known, notes),
        }
    };
    ports.spaces.write(scope.space(), decide).await
}

/// Notes that these files now say what they should. Called when they are on disk.
pub async fn settle(
    ports: &Ports,
    scope: &Scope,
    folder: &SyncFolder,
    synced: &Synced,
    written: &BTreeSet<FileName>,
) -> Result<(), SyncError> {
    let mut changes: Vec<Change> = Vec::new();
    for name in written {
        let wanted = match synced.texts.get(name) {
            // An empty file means the same as none, and must not create a space.
            Some(Some(_)) => synced
                .bases
                .get(name)
                .filter(|base| !base.is_empty())
                .map(to_value),
            _ => None,
        };
        let known = ports
            .store
            .record(scope.space(), RecordKind::FileBase, &folder.record(*name))
            .await?;
        if let Some(effect) = step(folder.record(*name), wanted, known, scope.now) {
            changes.push(scope.change(None, effect));
        }
    }
    if changes.is_empty() {
        return Ok(());
    }
    let decide = move |_: &SpaceView| Decision {
        changes: changes.clone(),
        outcome: (),
    };
    Ok(ports.spaces.write(scope.space(), decide).await?)
}

fn step(name: String, wanted: Option<Value>, known: Option<Record>, now: Timestamp) -> Option<Effect> {
    let kind = RecordKind::FileBase;
    match (wanted, known) {
        (Some(value), Some(known)) if known.value == value => None,
        (Some(value), known) => Some(Effect::Record(Record {
            kind,
            name,
            value,
            version: known.map_or(1, |known| known.version + 1),
            written_at: now,
        })),
        (None, Some(_)) => Some(Effect::EraseRecord { kind, name }),
        (None, None) => None,
    }
}
