//! The folder in which somebody edits: each keeps its own account of what its files said last.

use std::collections::{BTreeMap, HashSet};

use recalld_memory::change::Event;
use recalld_memory::id::MemoryId;
use recalld_memory::ports::StoreError;
use recalld_memory::scope::Scope;
use recalld_memory::space::{SpaceError, SpaceView};
use recalld_memory::wiring::Ports;
use sha2::{Digest, Sha256};

use super::line::mark;
use super::name::FileName;
use super::page::{Is, Page};
use crate::event_log::each_event;
use crate::keyed_hash::hex;

/// A folder of one user. Two folders never share what their files said last: what one has not heard
/// of yet would look like an edit in the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyncFolder {
    name: String,
    past: Past,
}

/// Whether the user was erased once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Past {
    /// What is not known came from elsewhere, and is taken over.
    Whole,
    /// What is not known may be of what was erased, and is taken out.
    Erased,
}

impl SyncFolder {
    /// Names the folder at `path` of `machine`.
    pub fn new(machine: &str, path: &str, past: Past) -> SyncFolder {
        let digest = Sha256::new()
            .chain_update(machine)
            .chain_update([0])
            .chain_update(path)
            .finalize();
        SyncFolder {
            name: hex(&digest[..10]),
            past,
        }
    }

    /// The name under which it is kept what a file said last.
    pub(super) fn record(&self, file: FileName) -> String {
        format!("{}/{}", self.name, file.path())
    }

    /// Reads such a name; none for a file of another folder.
    pub(super) fn file(&self, record: &str) -> Option<FileName> {
        FileName::parse(record.strip_prefix(self.name.as_str())?.strip_prefix('/')?)
    }

    /// What the names of all its records begin with, but for the last character.
    pub(super) fn before_records(&self) -> &str {
        &self.name
    }
}

/// The memories of which lines are taken out.
#[derive(Clone, Debug)]
pub(super) enum Gone {
    /// Every one that is not known.
    Unknown,
    /// Those with these marks; others that are not known came from elsewhere.
    Marks(HashSet<String>),
}

impl Gone {
    pub(super) fn holds(&self, mark: &str) -> bool {
        match self {
            Gone::Unknown => true,
            Gone::Marks(marks) => marks.contains(mark),
        }
    }

    /// Finds out. The log is read only for a line that is otherwise unknown.
    pub(super) async fn find(
        ports: &Ports,
        scope: &Scope,
        folder: &SyncFolder,
        pages: &BTreeMap<FileName, Page>,
    ) -> Result<Gone, SpaceError> {
        if folder.past == Past::Erased {
            return Ok(Gone::Unknown);
        }
        let known =
            |view: &SpaceView| -> HashSet<String> { view.memories().map(|memory| mark(memory.id)).collect() };
        let known = ports.spaces.read(scope.space(), known).await?;
        let blocks = pages.values().flat_map(|page| &page.blocks);
        let mut marks = blocks.filter_map(|block| match &block.is {
            Is::Item(_, item) => item.mark.as_ref(),
            _ => None,
        });
        match marks.all(|mark| known.contains(mark)) {
            true => Ok(Gone::Marks(HashSet::new())),
            false => Ok(Gone::Marks(erased(ports, scope).await?)),
        }
    }
}

/// Reads from the log which memories were erased.
async fn erased(ports: &Ports, scope: &Scope) -> Result<HashSet<String>, StoreError> {
    let mut found = HashSet::new();
    let each = |event: Event| {
        let (kind, id) = &event.subject;
        if event.verb == "erase" && *kind == "memory" {
            found.extend(MemoryId::parse(id).ok().map(mark));
        }
    };
    each_event(ports, scope, each).await?;
    Ok(found)
}
