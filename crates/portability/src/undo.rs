//! Takes changes back: the last one, all of one source or conversation, or everything since a
//! moment.
//!
//! Nothing is deleted by it. A memory becomes what it was before, as a new version, so an undoing
//! can be undone by hand; what was new is hidden. What somebody else has changed since stays as it
//! is, and is told; so does what has no versions.

mod beside;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use jiff::Timestamp;
use thiserror::Error;

pub use beside::Untouched;

use beside::{EntityAim, Log};
use recalld_memory::as_of::each_history;
use recalld_memory::change::{Act, Effect, Stamp, Version};
use recalld_memory::entity::Entity;
use recalld_memory::id::{ConversationId, MemoryId};
use recalld_memory::lens::Lens;
use recalld_memory::memory::{Memory, Retirement, Source};
use recalld_memory::policy::duplicates::Fingerprint;
use recalld_memory::ports::StoreError;
use recalld_memory::retire;
use recalld_memory::scope::Scope;
use recalld_memory::space::{Decision, SpaceError, SpaceView};
use recalld_memory::wiring::Ports;

/// Which changes are taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Which {
    /// The last one that was not taken back yet.
    Last,
    /// All that came from this source.
    Source(Source),
    /// All that were made in this conversation.
    Conversation(ConversationId),
    /// All that were made after this moment.
    After(Timestamp),
}

/// Whether anything is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Write,
    /// Only tells what would be done.
    DryRun,
}

/// What was taken back.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Undone {
    /// Memories that are hidden now, because they were new or hidden before.
    pub hidden: Vec<Arc<Memory>>,
    /// Memories that are again what they were.
    pub restored: Vec<Arc<Memory>>,
    /// Memories that stay as they are, and why.
    pub kept: Vec<(Arc<Memory>, WhyUnchanged)>,
    /// Entities that are hidden now, because they were new.
    pub hidden_entities: Vec<Arc<Entity>>,
    /// Entities that are shown again.
    pub restored_entities: Vec<Arc<Entity>>,
    /// What was changed too and stays as it is, because it has no versions.
    pub untouched: BTreeSet<Untouched>,
}

/// Why a memory stays as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhyUnchanged {
    /// Others have changed it since.
    ChangedSince,
    /// Another memory says by now what this one said.
    Taken,
}

/// Why nothing was taken back.
#[derive(Debug, Error)]
pub enum UndoError {
    /// The history could not be read.
    #[error("the history cannot be read: {0}")]
    Store(#[from] StoreError),
    /// The space could not be read or written.
    #[error(transparent)]
    Space(#[from] SpaceError),
}

/// How the source of a change begins that takes another one back.
const MARK: &str = "undo of ";

/// Takes changes back, all of them in one write.
pub async fn undo(ports: &Ports, scope: &Scope, which: &Which, mode: Mode) -> Result<Undone, UndoError> {
    let log = Log::read(ports, scope).await?;
    let Some(unwanted) = Unwanted::find(ports, scope, which, &log).await? else {
        return Ok(Undone {
            untouched: log.later(None),
            ..Undone::default()
        });
    };
    let mut aims = Aims {
        entities: log.aims(&unwanted),
        untouched: match &unwanted {
            Unwanted::Stamp(stamp) => log.later(Some(stamp.at)),
            unwanted => log.untouched(unwanted),
        },
        ..Aims::default()
    };
    each_history(ports, scope, |versions| {
        aims.memories.extend(aim(versions, &unwanted));
    })
    .await?;
    let source = Source::new(&format!("{MARK}{}", unwanted.name())).ok();
    let given = scope.clone();
    let decide = move |view: &SpaceView| decide(view, &given, &aims, source.as_ref());
    match mode {
        Mode::Write => Ok(ports.spaces.write(scope.space(), decide).await?),
        Mode::DryRun => Ok(ports
            .spaces
            .read(scope.space(), |view| decide(view).outcome)
            .await?),
    }
}

/// Tells which versions are not wanted any more.
#[derive(Clone, Debug)]
enum Unwanted {
    Stamp(Stamp),
    Source(Source),
    Conversation(ConversationId),
    After(Timestamp),
}

impl Unwanted {
    async fn find(
        ports: &Ports,
        scope: &Scope,
        which: &Which,
        log: &Log,
    ) -> Result<Option<Unwanted>, StoreError> {
        Ok(match which {
            Which::Last => {
                let of_memory = last(ports, scope).await?;
                let of_entity = log.last().cloned();
                let both = of_memory.into_iter().chain(of_entity);
                both.max_by_key(|stamp| stamp.at).map(Unwanted::Stamp)
            }
            Which::Source(source) => Some(Unwanted::Source(source.clone())),
            Which::Conversation(id) => Some(Unwanted::Conversation(id.clone())),
            Which::After(at) => Some(Unwanted::After(*at)),
        })
    }

    fn holds(&self, version: &Version) -> bool {
        let memory = &version.memory;
        self.is_by(&version.stamp)
            || match self {
                Unwanted::Source(source) => {
                    matches!(version.act, Act::Remember | Act::Revise)
                        && memory.source.as_ref() == Some(source)
                }
                // What was distilled later, or came with an archive, still names where it was said.
                Unwanted::Conversation(id) => {
                    version.act == Act::Remember && memory.conversation.as_ref() == Some(id)
                }
                Unwanted::Stamp(_) | Unwanted::After(_) => false,
            }
    }

    fn is_by(&self, stamp: &Stamp) -> bool {
        match self {
            Unwanted::Stamp(of) => stamp == of,
            Unwanted::Source(source) => stamp.source.as_ref() == Some(source),
            Unwanted::Conversation(id) => stamp.conversation.as_ref() == Some(id),
            Unwanted::After(at) => *at < stamp.at,
        }
    }

    fn name(&self) -> String {
        match self {
            Unwanted::Stamp(stamp) => stamp.at.to_string(),
            Unwanted::Source(source) => format!("source {source}"),
            Unwanted::Conversation(id) => format!("conversation {id}"),
            Unwanted::After(at) => format!("all after {at}"),
        }
    }
}

/// Finds who made the last change of a memory that was neither an undoing nor taken back by one.
async fn last(ports: &Ports, scope: &Scope) -> Result<Option<Stamp>, StoreError> {
    let mut latest: Option<Stamp> = None;
    let look = |versions: &[Version]| {
        let standing = without_what_was_taken_back(versions);
        let last = standing.into_iter().rfind(|version| version.act != Act::Evict);
        if let Some(version) = last
            && latest.as_ref().is_none_or(|stamp| stamp.at < version.stamp.at)
        {
            latest = Some(version.stamp.clone());
        }
    };
    each_history(ports, scope, look).await?;
    Ok(latest)
}

/// Tells whether a change was one that took others back.
fn is_mark(stamp: &Stamp) -> bool {
    let source = stamp.source.as_ref().map(|source| source.as_str());
    source.is_some_and(|source| source.starts_with(MARK))
}

/// What everything should become.
#[derive(Clone, Debug, Default)]
struct Aims {
    memories: Vec<Aim>,
    entities: Vec<EntityAim>,
    untouched: BTreeSet<Untouched>,
}

/// What one memory should become.
#[derive(Clone, Debug)]
struct Aim {
    id: MemoryId,
    /// The version that this was decided on.
    version: u32,
    becomes: Becomes,
}

#[derive(Clone, Debug)]
enum Becomes {
    Hidden,
    Past(Box<Memory>),
    /// Others have changed it since.
    AsItIs,
}

/// Decides what a memory with that history should become; nothing if none of it is unwanted.
fn aim(versions: &[Version], unwanted: &Unwanted) -> Option<Aim> {
    let now = &versions.last()?.memory;
    let standing = without_what_was_taken_back(versions);
    let first = standing.iter().position(|version| unwanted.holds(version))?;
    // Leaving the memory document does not change the content.
    let changed_since = standing[first..]
        .iter()
        .any(|version| !unwanted.holds(version) && version.act != Act::Evict);
    let past = standing[..first]
        .last()
        .map(|version| Box::new(version.memory.clone()));
    let becomes = match (changed_since, past) {
        (true, _) if !now.is_active() => return None,
        (true, _) => Becomes::AsItIs,
        (false, Some(past)) => Becomes::Past(past),
        (false, None) if !now.is_active() => return None,
        (false, None) => Becomes::Hidden,
    };
    Some(Aim {
        id: now.id,
        version: now.version,
        becomes,
    })
}

/// Leaves out of a history what was taken back before, and the taking back itself.
fn without_what_was_taken_back(versions: &[Version]) -> Vec<&Version> {
    let mut standing: Vec<&Version> = Vec::new();
    for version in versions {
        if !is_mark(&version.stamp) {
            standing.push(version);
            continue;
        }
        // It went back to a state that was there before; to none, if all of it was new.
        let says_the_same = |past: &&Version| says_the_same(&past.memory, &version.memory);
        let has_the_key = |past: &&Version| past.memory.key == version.memory.key;
        // A key that was taken meanwhile did not come back with it.
        let back_to = standing
            .iter()
            .rposition(|past| says_the_same(past) && has_the_key(past))
            .or_else(|| standing.iter().rposition(says_the_same));
        standing.truncate(back_to.map_or(0, |at| at + 1));
    }
    standing
}

fn says_the_same(a: &Memory, b: &Memory) -> bool {
    let labels = |memory: &Memory| (memory.category.clone(), memory.tier, memory.is_active());
    a.content == b.content && labels(a) == labels(b)
}

fn decide(view: &SpaceView, scope: &Scope, all: &Aims, source: Option<&Source>) -> Decision<Undone> {
    let mut undone = Undone {
        untouched: all.untouched.clone(),
        ..Undone::default()
    };
    let mut changes = beside::carry_out(view, scope, &all.entities, source, &mut undone);
    let aims = &all.memories;
    let mut leaving: HashSet<MemoryId> = HashSet::new();
    let mut taken: HashMap<Fingerprint, MemoryId> = HashMap::new();
    let mut put = |act, memory: &Memory| {
        let memory = memory.clone();
        changes.push(scope.change(source.cloned(), Effect::Memory { act, memory }));
    };
    // What leaves makes room for what comes back.
    for aim in aims {
        let Some(known) = view.memory(aim.id).filter(|known| known.version == aim.version) else {
            continue;
        };
        match &aim.becomes {
            Becomes::AsItIs => undone.kept.push((Arc::clone(known), WhyUnchanged::ChangedSince)),
            Becomes::Hidden => {
                leaving.insert(aim.id);
                let memory = retire::retired(known, scope, Retirement::Forgotten);
                put(Act::Retire, &memory);
                undone.hidden.push(Arc::new(memory));
            }
            Becomes::Past(_) => drop(leaving.insert(aim.id)),
        }
    }
    for aim in aims {
        let (Some(known), Becomes::Past(past)) = (view.memory(aim.id), &aim.becomes) else {
            continue;
        };
        if known.version != aim.version {
            continue;
        }
        let mut memory = brought_back(known, past, scope);
        let statement = Fingerprint::of(memory.content.as_str());
        let (now, project) = (scope.now, memory.project.clone());
        let project = project.as_ref();
        let said = view.by_statement(&statement, Lens::of_project(now, project));
        let said = said.map(|other| other.id);
        let statement = statement.within(project);
        let said = taken
            .get(&statement)
            .copied()
            .or(said.filter(|id| !leaving.contains(id)));
        if memory.is_active() && said.is_some_and(|id| id != memory.id) {
            undone.kept.push((Arc::clone(known), WhyUnchanged::Taken));
            continue;
        }
        let keyed = memory
            .key
            .as_ref()
            .and_then(|key| view.keyed(key.as_str(), project, now));
        if keyed.is_some_and(|other| other.id != memory.id && !leaving.contains(&other.id)) {
            memory.key = None;
        }
        taken.insert(statement, memory.id);
        // A restore that is undone hides the memory again.
        let (act, list) = match memory.is_active() {
            true => (Act::Restore, &mut undone.restored),
            false => (Act::Retire, &mut undone.hidden),
        };
        put(act, &memory);
        list.push(Arc::new(memory));
    }
    Decision {
        changes,
        outcome: undone,
    }
}

fn brought_back(known: &Memory, past: &Memory, scope: &Scope) -> Memory {
    known.revised(scope.now, |memory| {
        *memory = past.clone();
        memory.in_document = memory.belongs_in_document();
    })
}
