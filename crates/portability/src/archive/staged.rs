//! An import that was read and checked, ready to be stored piece by piece.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::hash::RandomState;
use std::io::{self, Read, Seek, SeekFrom};

use parking_lot::Mutex;
use recalld_memory::change::Version;
use recalld_memory::conversation::{Conversation, Message};
use recalld_memory::entity::Entity;
use recalld_memory::id::MemoryId;
use recalld_memory::knowledge::{Chunk, KnowledgeDocument};
use recalld_memory::record::Record;
use recalld_memory::screening::secrets;
use serde::de::DeserializeOwned;

use super::entity_line::EntityLine;
use super::kind::{Kind, hash};
use super::lines::{
    ArchivedEvent, ConversationLine, DocumentLine, EventLine, Invalid, MessageLine, RecordLine,
};
use super::memory_line::VersionLine;
use super::report::Fault;
use super::secret_check;
use super::signature::Signature;

/// Where a line is in the temporary file: the offset above, the length in the lowest bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span(u64);

impl Span {
    const LENGTH_BITS: u32 = 24;

    pub(super) fn new(at: u64, length: usize) -> Span {
        debug_assert!(length < 1 << Self::LENGTH_BITS, "a line is bounded");
        Span(at << Self::LENGTH_BITS | length as u64)
    }

    fn at(self) -> u64 {
        self.0 >> Self::LENGTH_BITS
    }

    pub(super) fn length(self) -> usize {
        (self.0 & ((1 << Self::LENGTH_BITS) - 1)) as usize
    }
}

/// One memory: where its versions are among those of all memories.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub(super) id: MemoryId,
    pub(super) first: u32,
    pub(super) count: u32,
}

/// Everything of an import that is acceptable, in a temporary file, and what was not.
pub struct Staged {
    pub(super) file: Mutex<File>,
    pub(super) signature: Signature,
    pub(super) spans: [Vec<Span>; Kind::COUNT],
    /// In the order in which they were read.
    pub(super) groups: Vec<Group>,
    /// Where things other than memories are, by the hash of kind and id.
    pub(super) places: HashMap<u64, u32>,
    pub(super) hashes: RandomState,
    pub(super) faults: Vec<Fault>,
    pub(super) refused: BTreeMap<&'static str, u64>,
}

impl std::fmt::Debug for Staged {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Staged")
            .field("items", &self.items())
            .field("signature", &self.signature)
            .finish_non_exhaustive()
    }
}

/// One thing of an import.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Item {
    /// All versions of one memory, the oldest first.
    Memory(Vec<Version>),
    Entity(Entity),
    Conversation(Conversation),
    Message(Message),
    Record(Record),
    Document(KnowledgeDocument, Vec<Chunk>),
}

/// How many things are stored at once, at most.
pub(super) const BATCH_ITEMS: usize = 500;

/// A batch ends when its lines reach this many bytes.
pub(super) const BATCH_BYTES: usize = 1 << 20;

impl Staged {
    /// Whether this deployment vouches for the origins of the memories.
    pub fn signature(&self) -> Signature {
        self.signature
    }

    /// What was left out, and why.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// Counts the things to import. Events of the log are not counted.
    pub fn items(&self) -> usize {
        Kind::STORED.into_iter().map(|kind| self.count(kind)).sum()
    }

    /// Counts the things of one kind.
    pub(super) fn count(&self, kind: Kind) -> usize {
        match kind {
            Kind::Memory => self.groups.len(),
            _ => self.spans[kind as usize].len(),
        }
    }

    /// Reads things from number `from` on: as many as are stored at once.
    pub(crate) fn batch(&self, from: usize) -> io::Result<Vec<Item>> {
        let (mut items, mut bytes) = (Vec::new(), 0);
        for number in from..self.items() {
            if BATCH_ITEMS <= items.len() || BATCH_BYTES <= bytes {
                break;
            }
            let Some((kind, index)) = self.numbered(number) else {
                break;
            };
            let (item, length) = self.item(kind, index)?;
            bytes += length;
            items.push(item);
        }
        Ok(items)
    }

    /// Finds the kind of a thing by its number, and which one of its kind it is.
    fn numbered(&self, mut number: usize) -> Option<(Kind, usize)> {
        for kind in Kind::STORED {
            match number.checked_sub(self.count(kind)) {
                None => return Some((kind, number)),
                Some(rest) => number = rest,
            }
        }
        None
    }

    fn item(&self, kind: Kind, index: usize) -> io::Result<(Item, usize)> {
        if kind == Kind::Memory {
            let group = self.groups[index];
            let versions = group.first..group.first + group.count;
            let length = versions.clone().map(|at| self.length(kind, at as usize)).sum();
            let versions: io::Result<Vec<Version>> = versions.map(|at| self.version(at as usize)).collect();
            return Ok((Item::Memory(versions?), length));
        }
        let item = match kind {
            Kind::Entity => Item::Entity(self.entity(index)?),
            Kind::Conversation => Item::Conversation(self.conversation(index)?),
            Kind::Message => Item::Message(self.message(index)?),
            Kind::Record => Item::Record(self.record(index)?),
            Kind::Memory | Kind::Document | Kind::Event => {
                let (document, chunks) = self.document(index)?;
                Item::Document(document, chunks)
            }
        };
        Ok((item, self.length(kind, index)))
    }

    /// The bytes of one line.
    pub(super) fn length(&self, kind: Kind, index: usize) -> usize {
        self.spans[kind as usize][index].length()
    }

    /// Reads one version of a memory. Its origin is lowered to what can be believed.
    pub(super) fn version(&self, index: usize) -> io::Result<Version> {
        let mut version: Version = self.parse::<VersionLine, _>(Kind::Memory, index)?;
        self.signature.lower(&mut version.memory);
        Ok(version)
    }

    pub(super) fn entity(&self, index: usize) -> io::Result<Entity> {
        let mut entity = self.parse::<EntityLine, _>(Kind::Entity, index)?;
        secret_check::redact_entity(&mut entity);
        self.signature.lower_entity(&mut entity);
        Ok(entity)
    }

    pub(super) fn conversation(&self, index: usize) -> io::Result<Conversation> {
        let mut conversation = self.parse::<ConversationLine, _>(Kind::Conversation, index)?;
        secret_check::redact_conversation(&mut conversation);
        Ok(conversation)
    }

    pub(super) fn message(&self, index: usize) -> io::Result<Message> {
        let mut message: Message = self.parse::<MessageLine, _>(Kind::Message, index)?;
        message.redact();
        Ok(message)
    }

    pub(super) fn record(&self, index: usize) -> io::Result<Record> {
        let mut record: Record = self.parse::<RecordLine, _>(Kind::Record, index)?;
        if !record.kind.is_opaque() {
            secrets::redact_json(&mut record.value);
        }
        Ok(record)
    }

    pub(super) fn document(&self, index: usize) -> io::Result<(KnowledgeDocument, Vec<Chunk>)> {
        let (mut document, mut chunks) = self.parse::<DocumentLine, _>(Kind::Document, index)?;
        secret_check::redact_document(&mut document, &mut chunks);
        Ok((document, chunks))
    }

    /// Reads one event of the log. The newest comes first.
    pub(super) fn event(&self, index: usize) -> io::Result<ArchivedEvent> {
        self.parse::<EventLine, _>(Kind::Event, index)
    }

    fn parse<L, T>(&self, kind: Kind, index: usize) -> io::Result<T>
    where
        L: DeserializeOwned,
        T: TryFrom<L, Error = Invalid>,
    {
        let span = self.spans[kind as usize][index];
        let mut line = vec![0; span.length()];
        {
            let mut file = self.file.lock();
            file.seek(SeekFrom::Start(span.at()))?;
            file.read_exact(&mut line)?;
        }
        // Every line was read once before, so this fails only when the disk does.
        let parsed: L = serde_json::from_slice(&line)?;
        T::try_from(parsed).map_err(|Invalid(reason)| io::Error::new(io::ErrorKind::InvalidData, reason))
    }

    /// Finds a thing by its kind and id, as [`message_id`] and [`record_id`] make them.
    pub(super) fn find(&self, kind: Kind, id: &str) -> Option<usize> {
        let hash = hash(&self.hashes, kind, id);
        self.places.get(&hash).map(|index| *index as usize)
    }
}
