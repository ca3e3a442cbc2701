//! One remembered statement, and what it may hold.

mod content;
mod evidence;
mod labels;
mod project;

use jiff::Timestamp;

pub use content::{Content, InvalidContent};
pub use evidence::{Evidence, InvalidEvidence};
pub use labels::{Category, Confidence, InvalidLabel, Key, Origin, Source, Tier};
pub use project::Project;

use crate::id::{ConversationId, MemoryId, MessageId};
use crate::screening::instructions::{self, Suspicion};
use crate::validity::Period;

/// One remembered statement, as it stands now or stood at one of its versions.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    pub id: MemoryId,
    /// A short name by which it can be updated; unique among the active memories of a project, and
    /// among those of none.
    pub key: Option<Key>,
    pub content: Content,
    pub category: Category,
    pub tier: Tier,
    pub confidence: Confidence,
    /// Who said the present content.
    pub origin: Origin,
    /// The least trusted origin along its lineage.
    pub trust: Origin,
    /// Where it came from, in the writer's words.
    pub source: Option<Source>,
    /// The conversation in which it was said.
    pub conversation: Option<ConversationId>,
    /// The message in which it was said.
    pub message: Option<MessageId>,
    /// When it was first remembered.
    pub learned_at: Timestamp,
    /// When it last changed.
    pub revised_at: Timestamp,
    /// From when on it is hidden; none for what is durable.
    pub expires_at: Option<Timestamp>,
    pub standing: Standing,
    /// Whether it is part of the user's memory document. What the cap evicts leaves the document
    /// only.
    pub in_document: bool,
    /// The memory that it would change, which is more trusted and stays as it is until a person
    /// confirms this one.
    pub amends: Option<MemoryId>,
    /// What was said about when it holds in the world.
    pub period: Period,
    /// The project that it belongs to; none if it is the user's own everywhere.
    pub project: Option<Project>,
    /// The places in the files of its project that it rests on.
    pub evidence: Vec<Evidence>,
    /// Counts its changes, from 1.
    pub version: u32,
}

/// Whether a memory is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It is recalled.
    Active,
    /// It is hidden, and can be restored.
    Retired { at: Timestamp, why: Retirement },
}

/// Why a memory was retired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retirement {
    /// Somebody asked for it.
    Forgotten,
    /// Its time had passed.
    Expired,
}

impl Retirement {
    /// Gives the reason's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Retirement::Forgotten => "forgotten",
            Retirement::Expired => "expired",
        }
    }

    /// Reads a reason's name.
    pub fn parse(raw: &str) -> Option<Retirement> {
        let all = [Retirement::Forgotten, Retirement::Expired];
        all.into_iter().find(|why| why.as_str() == raw)
    }
}

/// The fields of a memory that whoever writes it chooses.
#[derive(Clone, Debug, PartialEq)]
pub struct NewMemory {
    pub id: MemoryId,
    pub key: Option<Key>,
    pub content: Content,
    pub category: Category,
    pub tier: Tier,
    pub confidence: Confidence,
    pub origin: Origin,
    pub trust: Origin,
    pub source: Option<Source>,
    pub conversation: Option<ConversationId>,
    pub message: Option<MessageId>,
    pub learned_at: Timestamp,
    pub expires_at: Option<Timestamp>,
    pub project: Option<Project>,
    pub evidence: Vec<Evidence>,
}

impl Memory {
    /// The most characters a fact of the memory document may have.
    pub const FACT_CHARS_MAX: usize = 500;

    /// The first version of a memory: active, and in the document if it belongs there.
    pub fn new(new: NewMemory) -> Memory {
        let mut memory = Memory {
            id: new.id,
            key: new.key,
            content: new.content,
            category: new.category,
            tier: new.tier,
            confidence: new.confidence,
            origin: new.origin,
            trust: new.trust,
            source: new.source,
            conversation: new.conversation,
            message: new.message,
            learned_at: new.learned_at,
            revised_at: new.learned_at,
            expires_at: new.expires_at,
            standing: Standing::Active,
            in_document: false,
            amends: None,
            period: Period::default(),
            project: new.project,
            evidence: new.evidence,
            version: 1,
        };
        memory.in_document = memory.belongs_in_document();
        memory
    }

    /// The next version: a copy with `edit` applied at `at`.
    pub fn revised(&self, at: Timestamp, edit: impl FnOnce(&mut Memory)) -> Memory {
        let mut memory = self.clone();
        memory.revised_at = at;
        edit(&mut memory);
        memory.revised_at = at;
        memory.version = self.version + 1;
        memory
    }

    /// Tells why it waits for review, if it does: it is not in the user's own words and reads like
    /// an instruction. What a person has confirmed counts as the user's own.
    pub fn quarantine(&self) -> Option<Suspicion> {
        if self.trust.is_users_own() {
            return None;
        }
        let label = self.key.as_ref().and_then(Key::suspicion);
        instructions::graver(self.content.suspicion(), label)
    }

    /// Whether [`Memory::quarantine`] answers without reading the text.
    pub(crate) fn is_judged(&self) -> bool {
        self.trust.is_users_own() || self.content.is_judged()
    }

    /// The same without letting the classifier read: what is known, or what rules say.
    pub(crate) fn quarantine_as_known(&self) -> Option<Suspicion> {
        if self.trust.is_users_own() {
            return None;
        }
        let label = self.key.as_ref().and_then(Key::suspicion);
        instructions::graver(self.content.suspicion_by_rules(), label)
    }

    /// Whether it waits for review, as far as must be known when it is written. What is imported is
    /// read by the classifier only when it is about to be shown: there may be a lot of it.
    fn is_quarantined_when_written(&self) -> bool {
        match self.trust {
            Origin::Import => self.quarantine_as_known().is_some(),
            _ => self.quarantine().is_some(),
        }
    }

    /// Whether it belongs in the memory document when it is written: durable, short, not from a
    /// document or tool, whose words a model is never shown unasked, and not quarantined. What was
    /// over already when it last changed is history, and no longer part of the document.
    pub fn belongs_in_document(&self) -> bool {
        self.tier == Tier::Durable
            && !self.period.is_over(self.revised_at)
            && self.trust.may_be_injected()
            && !self.is_quarantined_when_written()
            && self.content.as_str().chars().count() <= Memory::FACT_CHARS_MAX
    }

    /// Tells whether it may be shown at `now`: neither retired nor expired.
    pub fn is_current(&self, now: Timestamp) -> bool {
        self.standing == Standing::Active && self.expires_at.is_none_or(|end| now < end)
    }

    /// Tells whether it was not retired, expired or not.
    pub fn is_active(&self) -> bool {
        self.standing == Standing::Active
    }

    /// Names it briefly for a model: its key, or else its short id. Both are accepted wherever a
    /// memory is named.
    pub fn short_name(&self) -> String {
        match &self.key {
            Some(key) => key.to_string(),
            None => self.id.short(),
        }
    }

    /// Names it for a person: its key, or else its id.
    pub fn name(&self) -> String {
        match &self.key {
            Some(key) => key.to_string(),
            None => self.id.to_string(),
        }
    }
}
