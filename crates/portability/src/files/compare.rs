//! Compares three things: what the files said when they and the store last agreed, what they say,
//! and what the store says.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use recalld_memory::id::MemoryId;
use recalld_memory::memory::Memory;
use recalld_memory::space::SpaceView;

use super::base::{Base, Entry};
use super::line::{self, Item};
use super::merge::Known;
use super::name::FileName;
use super::page::{Is, Page};
use super::project::file_of;
use super::sync_folder::Gone;

/// Something that a person should hear about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    pub kind: NoteKind,
    /// The path of the file.
    pub file: String,
    /// What it is about: a statement, or why.
    pub text: String,
}

/// What happened, or did not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NoteKind {
    /// A line was added, and is remembered.
    Added,
    /// A line was changed or moved, and so is the memory.
    Revised,
    /// A line was removed, and the memory is hidden. It can be restored.
    Retired,
    /// A line came back, and so does the memory.
    Restored,
    /// A line says what is remembered already.
    Known,
    /// The file and the store both changed. Both are kept.
    Conflict,
    /// A line cannot be remembered. It stays as it is.
    Refused,
    /// A line of a memory that was erased. It is taken out.
    Erased,
    /// The file was not read.
    Unread,
}

impl NoteKind {
    /// Gives the kind as a word.
    pub fn as_str(self) -> &'static str {
        match self {
            NoteKind::Added => "added",
            NoteKind::Revised => "revised",
            NoteKind::Retired => "retired",
            NoteKind::Restored => "restored",
            NoteKind::Known => "known",
            NoteKind::Conflict => "conflict",
            NoteKind::Refused => "refused",
            NoteKind::Erased => "erased",
            NoteKind::Unread => "unread",
        }
    }
}

/// What has to be done in the store so that it follows the files.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Action {
    /// The memory becomes what its line says.
    Revise(MemoryId, Written),
    /// The hidden memory is shown again, as its line says.
    Restore(MemoryId, Written),
    Retire(MemoryId, FileName),
    /// A new memory.
    Add(Written),
    /// A new memory beside one that changed in the store as well.
    AddBeside(MemoryId, Written),
}

/// A line of a file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Written {
    pub(super) entry: Entry,
    pub(super) item: Item,
    /// Its number within its file, from 0.
    pub(super) number: usize,
    /// The file it was found in; the entry names the one it belongs to.
    pub(super) found_in: FileName,
}

/// The outcome of a comparison.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    pub(super) actions: Vec<Action>,
    pub(super) known: BTreeMap<FileName, Known>,
    pub(super) notes: Vec<Note>,
}

/// Compares. Files that are not there, or not to be read, are missing in `pages`: what they lack
/// means nothing.
pub(super) fn compare(
    view: &SpaceView,
    now: Timestamp,
    bases: &BTreeMap<FileName, Base>,
    pages: &BTreeMap<FileName, Page>,
    gone: &Gone,
) -> Plan {
    let mut plan = Plan::default();
    let before: HashMap<MemoryId, Entry> = bases
        .iter()
        .flat_map(|(file, base)| base.iter().map(move |line| entry_of(*file, line)))
        .collect();
    let written = gather(view, &before, pages, gone, &mut plan);
    let read = |entry: &Entry| pages.contains_key(&entry.file);
    let ids: BTreeSet<MemoryId> = before
        .iter()
        .filter(|(_, entry)| read(entry))
        .map(|(id, _)| *id)
        .chain(written.keys().copied())
        .collect();
    for id in ids {
        let stored = view
            .memory(id)
            .filter(|memory| memory.is_current(now))
            .map(|memory| stored_entry(memory));
        decide(id, before.get(&id), written.get(&id), stored.as_ref(), &mut plan);
    }
    plan
}

fn entry_of(
    file: FileName,
    (id, (category, body)): (&MemoryId, &(recalld_memory::memory::Category, String)),
) -> (MemoryId, Entry) {
    let entry = Entry {
        file,
        category: category.clone(),
        body: body.clone(),
    };
    (*id, entry)
}

fn stored_entry(memory: &Memory) -> Entry {
    Entry {
        file: file_of(memory),
        category: memory.category.clone(),
        body: line::body(memory),
    }
}

fn decide(
    id: MemoryId,
    base: Option<&Entry>,
    file: Option<&Written>,
    stored: Option<&Entry>,
    plan: &mut Plan,
) {
    let Some(written) = file else {
        match (base, stored) {
            (Some(base), Some(stored)) if base == stored => plan.actions.push(Action::Retire(id, base.file)),
            (Some(base), Some(_)) => plan.notes.push(Note {
                kind: NoteKind::Conflict,
                file: base.file.path(),
                text: format!(
                    "{} was removed here and changed in the store; it stays",
                    base.body
                ),
            }),
            _ => {}
        }
        return;
    };
    if base == Some(&written.entry) || stored == Some(&written.entry) {
        return;
    }
    let action = match (base, stored) {
        (Some(base), Some(stored)) if base == stored => Action::Revise(id, written.clone()),
        (None, None) => Action::Restore(id, written.clone()),
        _ => Action::AddBeside(id, written.clone()),
    };
    plan.actions.push(action);
}

/// Finds the memory of every line. A line that is there twice counts where it differs from before.
fn gather(
    view: &SpaceView,
    before: &HashMap<MemoryId, Entry>,
    pages: &BTreeMap<FileName, Page>,
    gone: &Gone,
    plan: &mut Plan,
) -> HashMap<MemoryId, Written> {
    let mut marks: HashMap<String, Option<MemoryId>> = HashMap::new();
    for memory in view.memories() {
        let found = marks.entry(line::mark(memory.id)).or_insert(Some(memory.id));
        if *found != Some(memory.id) {
            *found = None;
        }
    }
    let mut written: HashMap<MemoryId, Written> = HashMap::new();
    for (file, page) in pages {
        let known = plan.known.entry(*file).or_default();
        for (number, block) in page.blocks.iter().enumerate() {
            let Is::Item(category, item) = &block.is else {
                continue;
            };
            let mut one = Written {
                entry: Entry {
                    file: *file,
                    category: category.clone(),
                    body: item.body.clone(),
                },
                item: item.clone(),
                number,
                found_in: *file,
            };
            let Some(mark) = &item.mark else {
                plan.actions.push(Action::Add(one));
                continue;
            };
            let Some(memory) = marks.get(mark).copied().flatten().and_then(|id| view.memory(id)) else {
                if !gone.holds(mark) {
                    // It was remembered elsewhere: in a store that is lost, or by somebody else.
                    plan.actions.push(Action::Add(one));
                    continue;
                }
                plan.notes.push(Note {
                    kind: NoteKind::Erased,
                    file: file.path(),
                    text: item.body.clone(),
                });
                continue;
            };
            if matches!(file, FileName::Day(_)) {
                // A note belongs to its own day, wherever it was moved.
                one.entry.file = FileName::Day(memory.learned_at.to_zoned(TimeZone::UTC).date());
            }
            known.memories.insert(number, memory.id);
            let differs = |one: &Written| before.get(&memory.id) != Some(&one.entry);
            if written
                .get(&memory.id)
                .is_none_or(|first| !differs(first) && differs(&one))
            {
                written.insert(memory.id, one);
            }
        }
    }
    written
}
