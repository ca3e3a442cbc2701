//! One memory as programs see it.

use std::borrow::Cow;

use jiff::Timestamp;
use recalld_index::text::tokens::TokenCount;
use recalld_memory::memory::{self as domain, Retirement};
use serde::Serialize;

/// One memory.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Memory {
    pub(crate) id: String,
    pub(crate) key: Option<String>,
    pub(crate) content: String,
    pub(crate) category: String,
    pub(crate) tier: &'static str,
    pub(crate) confidence: f64,
    pub(crate) origin: &'static str,
    /// The least trusted origin along its lineage.
    pub(crate) trust: &'static str,
    pub(crate) source: Option<String>,
    pub(crate) conversation: Option<String>,
    pub(crate) message: Option<String>,
    pub(crate) learned_at: Timestamp,
    pub(crate) revised_at: Timestamp,
    pub(crate) expires_at: Option<Timestamp>,
    pub(crate) standing: Standing,
    pub(crate) retired_at: Option<Timestamp>,
    pub(crate) in_document: bool,
    pub(crate) version: u32,
}

/// Whether it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Standing {
    Active,
    Retired,
    Expired,
}

impl Standing {
    /// Gives the word that programs see.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Standing::Active => "active",
            Standing::Retired => "retired",
            Standing::Expired => "expired",
        }
    }
}

impl Memory {
    /// Shows a memory as it is at `now`.
    pub(crate) fn at(memory: &domain::Memory, now: Timestamp) -> Memory {
        let (standing, retired_at) = match memory.standing {
            domain::Standing::Active if memory.is_current(now) => (Standing::Active, None),
            domain::Standing::Active => (Standing::Expired, None),
            domain::Standing::Retired {
                at,
                why: Retirement::Expired,
            } => (Standing::Expired, Some(at)),
            domain::Standing::Retired {
                at,
                why: Retirement::Forgotten,
            } => (Standing::Retired, Some(at)),
        };
        Memory {
            id: memory.id.to_string(),
            key: memory.key.as_ref().map(ToString::to_string),
            content: memory.content.to_string(),
            category: memory.category.to_string(),
            tier: memory.tier.as_str(),
            confidence: memory.confidence.value(),
            origin: memory.origin.as_str(),
            trust: memory.trust.as_str(),
            source: memory.source.as_ref().map(ToString::to_string),
            conversation: memory.conversation.as_ref().map(ToString::to_string),
            message: memory.message.as_ref().map(ToString::to_string),
            learned_at: memory.learned_at,
            revised_at: memory.revised_at,
            expires_at: memory.expires_at,
            standing,
            retired_at,
            in_document: memory.in_document && memory.is_active(),
            version: memory.version,
        }
    }

    /// Names it for a person: its key, or else the short form of its id.
    pub(crate) fn name(&self) -> Cow<'_, str> {
        match &self.key {
            Some(key) => crate::output::escaped(key),
            None => Cow::Borrowed(short_id(&self.id)),
        }
    }
}

/// The end of an id: the part that is random, and so differs between memories of one moment.
pub(crate) fn short_id(id: &str) -> &str {
    id.get(id.len().saturating_sub(8)..).unwrap_or(id)
}

/// How many tokens a text is in each encoding.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Tokens {
    pub(crate) cl100k_base: usize,
    pub(crate) o200k_base: usize,
}

impl From<TokenCount> for Tokens {
    fn from(count: TokenCount) -> Tokens {
        Tokens {
            cl100k_base: count.cl100k,
            o200k_base: count.o200k,
        }
    }
}
