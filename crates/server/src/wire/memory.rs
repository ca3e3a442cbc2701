//! Memories on the wire.

use recalld_memory::change::Version;
use recalld_memory::memory::{Category, Confidence, Content, Key, Origin, Source, Tier};
use recalld_memory::remember::Statement;
use recalld_memory::revise::{Edit, Relabel};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use super::remembered::Memory;
use crate::error::ApiError;

/// A statement to remember.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewMemory {
    /// What to remember.
    #[schema(example = "Prefers window seats", min_length = 1, max_length = 16384)]
    content: String,
    /// A short name by which it can be updated.
    #[schema(example = "seat", min_length = 1, max_length = 128)]
    key: Option<String>,
    /// Such as `preference`; `personal_context` if none.
    #[schema(example = "preference", min_length = 1, max_length = 64)]
    category: Option<String>,
    tier: Option<WireTier>,
    /// How sure it is. Below 0.7 it becomes a daily note.
    #[schema(minimum = 0, maximum = 1)]
    confidence: Option<f64>,
    /// Where it came from.
    #[schema(min_length = 1, max_length = 512)]
    source: Option<String>,
}

/// How long a memory lasts.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WireTier {
    Durable,
    Daily,
}

impl From<WireTier> for Tier {
    fn from(tier: WireTier) -> Tier {
        match tier {
            WireTier::Durable => Tier::Durable,
            WireTier::Daily => Tier::Daily,
        }
    }
}

impl NewMemory {
    pub(crate) fn statement(self) -> Result<Statement, ApiError> {
        let key = self.key.map(|key| Key::new(&key)).transpose();
        let category = self.category.map(|category| Category::new(&category)).transpose();
        let confidence = self.confidence.map(Confidence::new).transpose();
        let source = self.source.map(|source| Source::new(&source)).transpose();
        Ok(Statement {
            key: checked("/key", key)?,
            content: checked("/content", Content::new(&self.content))?,
            category: checked("/category", category)?.unwrap_or_else(Category::unsorted),
            tier: self.tier.map_or(Tier::Durable, Tier::from),
            confidence: checked("/confidence", confidence)?.unwrap_or(Confidence::CERTAIN),
            origin: Origin::User,
            source: checked("/source", source)?,
        })
    }
}

/// Says in which field a value is no good.
fn checked<T>(pointer: &str, value: Result<T, impl std::error::Error>) -> Result<T, ApiError> {
    value.map_err(|error| ApiError::field(pointer, &error))
}

/// What should change of a memory; what is absent stays.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MemoryEdit {
    #[schema(min_length = 1, max_length = 16384, nullable = false)]
    #[serde(default, deserialize_with = "not_null")]
    content: Option<String>,
    /// `null` takes the key away.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 128)]
    #[serde(default, deserialize_with = "relabel")]
    key: Relabel<String>,
    #[schema(min_length = 1, max_length = 64, nullable = false)]
    #[serde(default, deserialize_with = "not_null")]
    category: Option<String>,
    #[schema(nullable = false)]
    #[serde(default, deserialize_with = "not_null")]
    tier: Option<WireTier>,
    #[schema(minimum = 0, maximum = 1, nullable = false)]
    #[serde(default, deserialize_with = "not_null")]
    confidence: Option<f64>,
    /// `null` takes the source away.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 512)]
    #[serde(default, deserialize_with = "relabel")]
    source: Relabel<String>,
}

/// Reads what every memory has: `null` is no value for it.
fn not_null<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// Reads a label that may be taken away with `null`.
fn relabel<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Relabel<String>, D::Error> {
    let label = Option::deserialize(deserializer)?;
    Ok(label.map_or(Relabel::Remove, Relabel::Set))
}

impl MemoryEdit {
    pub(crate) fn edit(self) -> Result<Edit, ApiError> {
        let content = self.content.map(|content| Content::new(&content)).transpose();
        let category = self.category.map(|category| Category::new(&category)).transpose();
        let confidence = self.confidence.map(Confidence::new).transpose();
        Ok(Edit {
            key: checked("/key", self.key.try_map(|key| Key::new(&key)))?,
            content: checked("/content", content)?,
            category: checked("/category", category)?,
            tier: self.tier.map(Tier::from),
            confidence: checked("/confidence", confidence)?,
            source: checked("/source", self.source.try_map(|source| Source::new(&source)))?,
            origin: Origin::User,
            version: None,
        })
    }
}

/// What became of a statement.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Written {
    /// `stored`, or `duplicate` when it was known already and nothing was stored.
    pub(crate) outcome: &'static str,
    pub(crate) memory: Memory,
    /// Whether it became a daily note because its confidence was too low to be durable.
    pub(crate) demoted: bool,
    /// How many facts left the memory document so that it fits.
    pub(crate) evicted: usize,
}

/// Some memories, and where to go on.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MemoryPage {
    pub(crate) memories: Vec<Memory>,
    /// Give it as `after` to read on; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) next_page: Option<String>,
}

/// Every version of a memory, the oldest first.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct History {
    pub(crate) versions: Vec<PastMemory>,
}

/// One version of a memory.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PastMemory {
    /// What was done: remember, revise, retire, restore or evict.
    act: &'static str,
    at: String,
    actor: String,
    memory: Memory,
}

impl From<&Version> for PastMemory {
    fn from(version: &Version) -> PastMemory {
        PastMemory {
            act: version.act.as_str(),
            at: version.stamp.at.to_string(),
            actor: version.stamp.actor.as_str().to_owned(),
            memory: (&version.memory).into(),
        }
    }
}
