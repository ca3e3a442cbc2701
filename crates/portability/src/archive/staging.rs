//! Everything of an import in a temporary file, checked line by line, and where each line is.
//!
//! An import may be larger than memory, so its lines go to disk as they are read. What stays in
//! memory are a few bytes for each of them: its place, and hashes of what must be there only once.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::File;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufWriter, Write};

use jiff::Timestamp;
use parking_lot::Mutex;
use recalld_index::text::plain;
use recalld_memory::change::Version;
use recalld_memory::conversation::{Conversation, Message};
use recalld_memory::id::MemoryId;
use recalld_memory::policy::duplicates::Fingerprint;
use recalld_memory::recall_stats;
use recalld_memory::record::{Record, RecordKind};

use super::error::ArchiveError;
use super::kind::{Kind, hash, message_id, record_id};
use super::limits::Limits;
use super::lines::{ConversationLine, MessageLine};
use super::memory_line::VersionLine;
use super::report::Fault;
use super::secret_check::holds_secret;
use super::signature::Signature;
use super::staged::{Group, Span, Staged};

/// The most bytes of all versions of one memory.
const HISTORY_BYTES_MAX: usize = 8 << 20;

/// The most bytes of a name or reason in a report.
const FAULT_BYTES_MAX: usize = 300;

/// An import that is being read.
pub(crate) struct Staging {
    file: BufWriter<File>,
    at: u64,
    now: Timestamp,
    limits: Limits,
    rows: usize,
    spans: [Vec<Span>; Kind::COUNT],
    groups: Vec<Group>,
    open: Option<OpenGroup>,
    hashes: RandomState,
    /// The memories there are, and the keys and statements of those that are current.
    memories: HashSet<u64>,
    taken: HashSet<u64>,
    /// Where the other things are, by kind and id.
    places: HashMap<u64, u32>,
    faults: Vec<Fault>,
    unlisted: usize,
    refused: BTreeMap<&'static str, u64>,
}

/// The versions of the memory that is being read.
struct OpenGroup {
    id: MemoryId,
    place: String,
    first: usize,
    version: u32,
    bytes: usize,
    refusal: Option<&'static str>,
    /// Hashes of the key and the statement, while the memory is current.
    claims: Vec<u64>,
}

impl Staging {
    /// Begins an import at `now`.
    pub(crate) fn new(now: Timestamp, limits: &Limits) -> io::Result<Staging> {
        Ok(Staging {
            file: BufWriter::new(tempfile::tempfile()?),
            at: 0,
            now,
            limits: *limits,
            rows: 0,
            spans: Default::default(),
            groups: Vec::new(),
            open: None,
            hashes: RandomState::new(),
            memories: HashSet::new(),
            taken: HashSet::new(),
            places: HashMap::new(),
            faults: Vec::new(),
            unlisted: 0,
            refused: BTreeMap::new(),
        })
    }

    /// Notes that something is left out, and goes on.
    pub(crate) fn fault(&mut self, place: &str, reason: &str) {
        match self.faults.len() < self.limits.faults_max {
            true => self.faults.push(Fault {
                place: plain::shorten(place, FAULT_BYTES_MAX),
                reason: plain::shorten(reason, FAULT_BYTES_MAX),
            }),
            false => self.unlisted += 1,
        }
    }

    /// Notes that something is left out which could be read.
    pub(super) fn refuse(&mut self, kind: Kind, place: &str, reason: &str) {
        *self.refused.entry(kind.plural()).or_default() += 1;
        self.fault(place, reason);
    }

    /// Counts one more line or entry, whatever becomes of it.
    pub(crate) fn count_row(&mut self) -> Result<(), ArchiveError> {
        self.rows += 1;
        match self.rows <= self.limits.rows_max {
            true => Ok(()),
            false => Err(ArchiveError::TooManyRows {
                limit: self.limits.rows_max,
            }),
        }
    }

    /// Tells whether a memory was there before.
    pub(crate) fn has_memory(&self, id: MemoryId) -> bool {
        self.memories.contains(&self.hashes.hash_one(id))
            || self.open.as_ref().is_some_and(|open| open.id == id)
    }

    /// Adds a memory that has one version.
    pub(crate) fn memory(&mut self, version: &Version, place: &str) -> Result<(), ArchiveError> {
        let line = serde_json::to_vec(&VersionLine::from(version)).map_err(io::Error::from)?;
        self.version(version, &line, place)?;
        self.close_group();
        Ok(())
    }

    /// Adds a conversation; its messages follow.
    pub(crate) fn conversation(
        &mut self,
        conversation: &Conversation,
        place: &str,
    ) -> Result<(), ArchiveError> {
        let line = serde_json::to_vec(&ConversationLine::from(conversation)).map_err(io::Error::from)?;
        self.put(Kind::Conversation, conversation.id.as_str(), &line, place)
    }

    /// Adds a message of a conversation that was added before.
    pub(crate) fn message(&mut self, message: &Message, place: &str) -> Result<(), ArchiveError> {
        let line = serde_json::to_vec(&MessageLine::from(message)).map_err(io::Error::from)?;
        self.message_line(message, &line, place)
    }

    pub(super) fn message_line(
        &mut self,
        message: &Message,
        line: &[u8],
        place: &str,
    ) -> Result<(), ArchiveError> {
        let conversation = self.hash(Kind::Conversation, message.conversation.as_str());
        if !self.places.contains_key(&conversation) {
            self.refuse(Kind::Message, place, "its conversation is not in the archive");
            return Ok(());
        }
        self.put(Kind::Message, &message_id(message), line, place)
    }

    pub(super) fn record_line(
        &mut self,
        record: &Record,
        line: &[u8],
        place: &str,
    ) -> Result<(), ArchiveError> {
        let of_memory =
            |staging: &Staging| MemoryId::parse(&record.name).is_ok_and(|id| staging.has_memory(id));
        let is_stray =
            record.kind == RecordKind::Recall && record.name != recall_stats::SINCE && !of_memory(self);
        if is_stray {
            self.refuse(Kind::Record, place, "its memory is not in the archive");
            return Ok(());
        }
        self.put(
            Kind::Record,
            &record_id(record.kind.as_str(), &record.name),
            line,
            place,
        )
    }

    /// Adds a line about the thing called `id`, of which there may be one.
    pub(super) fn put(&mut self, kind: Kind, id: &str, line: &[u8], place: &str) -> Result<(), ArchiveError> {
        let hash = self.hash(kind, id);
        if self.places.contains_key(&hash) {
            self.refuse(kind, place, "it is there twice");
            return Ok(());
        }
        let index = self.spans[kind as usize].len() as u32;
        self.places.insert(hash, index);
        self.append(kind, line)
    }

    /// Adds a line.
    pub(super) fn append(&mut self, kind: Kind, line: &[u8]) -> Result<(), ArchiveError> {
        self.file.write_all(line)?;
        self.spans[kind as usize].push(Span::new(self.at, line.len()));
        self.at += line.len() as u64;
        Ok(())
    }

    /// Adds the next version of a memory. All versions of one memory follow each other.
    pub(super) fn version(
        &mut self,
        version: &Version,
        line: &[u8],
        place: &str,
    ) -> Result<(), ArchiveError> {
        let id = version.memory.id;
        if self.open.as_ref().is_none_or(|open| open.id != id) {
            self.close_group();
            let was_there = self.has_memory(id);
            self.open = Some(OpenGroup {
                id,
                place: place.to_owned(),
                first: self.spans[Kind::Memory as usize].len(),
                version: 0,
                bytes: 0,
                refusal: was_there.then_some("its versions are scattered"),
                claims: Vec::new(),
            });
        }
        let claims = self.claims(version);
        let Some(open) = &mut self.open else { return Ok(()) };
        open.bytes += line.len();
        open.claims = claims;
        let refusal = match () {
            () if version.memory.version <= open.version => Some("its versions are not in order"),
            () if HISTORY_BYTES_MAX < open.bytes => Some("its versions are too long together"),
            () if holds_secret(version) => Some("it looks like it holds a secret"),
            () => None,
        };
        open.version = version.memory.version;
        open.refusal = open.refusal.or(refusal);
        match open.refusal {
            Some(_) => Ok(()),
            None => self.append(Kind::Memory, line),
        }
    }

    /// What nobody else may have while a memory is current: its key and its statement.
    fn claims(&self, version: &Version) -> Vec<u64> {
        let memory = &version.memory;
        if !memory.is_current(self.now) {
            return Vec::new();
        }
        let key = memory
            .key
            .as_ref()
            .map(|key| self.hashes.hash_one(("key", key.folded())));
        let statement = Fingerprint::of(memory.content.as_str());
        let statement = self.hashes.hash_one(("statement", statement));
        key.into_iter().chain([statement]).collect()
    }

    fn close_group(&mut self) {
        const TAKEN: &str = "another one of the archive has its key or says the same";
        let Some(open) = self.open.take() else { return };
        self.memories.insert(self.hashes.hash_one(open.id));
        let is_taken = open.claims.iter().any(|claim| self.taken.contains(claim));
        let refusal = open.refusal.or(is_taken.then_some(TAKEN));
        let spans = &mut self.spans[Kind::Memory as usize];
        match refusal {
            Some(reason) => {
                spans.truncate(open.first);
                self.refuse(Kind::Memory, &open.place, reason);
            }
            None => {
                self.groups.push(Group {
                    id: open.id,
                    first: open.first as u32,
                    count: (spans.len() - open.first) as u32,
                });
                self.taken.extend(open.claims);
            }
        }
    }

    fn hash(&self, kind: Kind, id: &str) -> u64 {
        hash(&self.hashes, kind, id)
    }

    /// Ends the memories: records may name them from now on.
    pub(super) fn end_memories(&mut self) {
        self.close_group();
    }

    /// Gives all that was read.
    pub(crate) fn finish(mut self, signature: Signature) -> io::Result<Staged> {
        self.close_group();
        if 0 < self.unlisted {
            self.faults.push(Fault {
                place: "file".to_owned(),
                reason: format!("{} more entries are not acceptable", self.unlisted),
            });
        }
        let file = self.file.into_inner().map_err(|error| error.into_error())?;
        let mut spans = self.spans;
        spans.iter_mut().for_each(Vec::shrink_to_fit);
        Ok(Staged {
            file: Mutex::new(file),
            signature,
            spans,
            groups: self.groups,
            places: self.places,
            hashes: self.hashes,
            faults: self.faults,
            refused: self.refused,
        })
    }
}
