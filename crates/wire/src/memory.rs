//! A memory as programs see it.

use std::borrow::Cow;
use std::ops::Deref;
use std::sync::Arc;

use jiff::Timestamp;
use recalld_memory::memory::{self as domain, Retirement};
use serde::{Serialize, Serializer};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;
use utoipa::{PartialSchema, ToSchema};

use crate::text::{IdText, TimeText};

/// A memory at a moment. It shares the domain's memory, so that an answer copies no texts.
#[derive(Clone, Debug)]
pub struct Memory {
    memory: Arc<domain::Memory>,
    now: Timestamp,
}

impl Memory {
    /// Shows `memory` as it is at `now`, which decides whether it has expired.
    pub fn at(memory: impl Into<Arc<domain::Memory>>, now: Timestamp) -> Memory {
        Memory {
            memory: memory.into(),
            now,
        }
    }

    /// Tells whether it is active, retired or expired.
    pub fn standing(&self) -> Standing {
        match self.memory.standing {
            domain::Standing::Active if self.memory.is_current(self.now) => Standing::Active,
            domain::Standing::Active
            | domain::Standing::Retired {
                why: Retirement::Expired,
                ..
            } => Standing::Expired,
            domain::Standing::Retired {
                why: Retirement::Forgotten,
                ..
            } => Standing::Retired,
        }
    }
}

impl Deref for Memory {
    type Target = domain::Memory;

    fn deref(&self) -> &domain::Memory {
        &self.memory
    }
}

/// Whether a memory is recalled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// It is recalled.
    Active,
    /// It was hidden and can be restored.
    Retired,
    /// Its time is over.
    Expired,
}

impl Standing {
    /// Gives the word that JSON uses.
    pub fn as_str(self) -> &'static str {
        match self {
            Standing::Active => "active",
            Standing::Retired => "retired",
            Standing::Expired => "expired",
        }
    }
}

impl Serialize for Memory {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        MemoryFields::of(self).serialize(serializer)
    }
}

impl PartialSchema for Memory {
    fn schema() -> RefOr<Schema> {
        MemoryFields::schema()
    }
}

impl ToSchema for Memory {
    fn name() -> Cow<'static, str> {
        "Memory".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        MemoryFields::schemas(schemas);
    }
}

/// A memory.
#[derive(Serialize, ToSchema)]
struct MemoryFields<'a> {
    #[schema(value_type = String)]
    id: IdText,
    key: Option<&'a str>,
    content: &'a str,
    category: &'a str,
    tier: &'static str,
    confidence: f64,
    /// Who said it: user, import, assistant, inferred, tool or document.
    origin: &'static str,
    /// The least trusted origin along its lineage.
    trust: &'static str,
    /// `quarantined`: it reads like an instruction and waits for a person to confirm it.
    review: Option<&'static str>,
    /// The memory that it would change, which stays as it is until a person confirms this one.
    #[schema(value_type = Option<String>)]
    amends: Option<IdText>,
    /// Since when it holds in the world, if that was said. Otherwise it holds since it was learned.
    #[schema(value_type = Option<String>)]
    valid_from: Option<TimeText>,
    /// From when on it no longer holds: it was said to end, or a newer version took its place.
    #[schema(value_type = Option<String>)]
    valid_until: Option<TimeText>,
    /// The memory that took its place.
    #[schema(value_type = Option<String>)]
    superseded_by: Option<IdText>,
    /// The project that it belongs to; null if it is the user's own everywhere.
    project: Option<&'a str>,
    /// The places in the files of its project that it rests on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    evidence: Vec<Evidence<'a>>,
    source: Option<&'a str>,
    conversation: Option<&'a str>,
    message: Option<&'a str>,
    #[schema(value_type = String)]
    learned_at: TimeText,
    #[schema(value_type = String)]
    revised_at: TimeText,
    #[schema(value_type = Option<String>)]
    expires_at: Option<TimeText>,
    /// Whether it is recalled. A retired memory can be restored.
    #[schema(inline)]
    standing: Standing,
    /// When it was hidden.
    #[schema(value_type = Option<String>)]
    retired_at: Option<TimeText>,
    /// Whether it is part of the memory document.
    in_document: bool,
    version: u32,
}

/// A place in the files of a project.
#[derive(Serialize, ToSchema)]
struct Evidence<'a> {
    /// The path of the file from the root of the project.
    path: &'a str,
    /// What is meant in the file, such as the name of a function.
    #[serde(skip_serializing_if = "Option::is_none")]
    symbol: Option<&'a str>,
    /// The SHA-256 of what was there, in base 16.
    #[serde(skip_serializing_if = "Option::is_none")]
    hash: Option<&'a str>,
    /// The commit at which it was there.
    #[serde(skip_serializing_if = "Option::is_none")]
    commit: Option<&'a str>,
}

impl Evidence<'_> {
    fn of(evidence: &domain::Evidence) -> Evidence<'_> {
        Evidence {
            path: evidence.path(),
            symbol: evidence.symbol(),
            hash: evidence.hash(),
            commit: evidence.commit(),
        }
    }
}

impl MemoryFields<'_> {
    fn of(shown: &Memory) -> MemoryFields<'_> {
        let memory = &*shown.memory;
        let retired_at = match memory.standing {
            domain::Standing::Active => None,
            domain::Standing::Retired { at, .. } => Some(at),
        };
        MemoryFields {
            id: IdText(memory.id),
            key: memory.key.as_ref().map(|key| key.as_str()),
            content: memory.content.as_str(),
            category: memory.category.as_str(),
            tier: memory.tier.as_str(),
            confidence: memory.confidence.value(),
            origin: memory.origin.as_str(),
            trust: memory.trust.as_str(),
            review: memory.quarantine().map(|_| "quarantined"),
            amends: memory.amends.map(IdText),
            valid_from: memory.period.from.map(TimeText),
            valid_until: memory.period.until.map(TimeText),
            superseded_by: memory.period.superseded_by.map(IdText),
            project: memory.project.as_ref().map(|project| project.as_str()),
            evidence: memory.evidence.iter().map(Evidence::of).collect(),
            source: memory.source.as_ref().map(|source| source.as_str()),
            conversation: memory.conversation.as_ref().map(|id| id.as_str()),
            message: memory.message.as_ref().map(|id| id.as_str()),
            learned_at: TimeText(memory.learned_at),
            revised_at: TimeText(memory.revised_at),
            expires_at: memory.expires_at.map(TimeText),
            standing: shown.standing(),
            retired_at: retired_at.map(TimeText),
            in_document: memory.in_document && memory.is_active(),
            version: memory.version,
        }
    }
}
