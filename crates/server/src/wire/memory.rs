//! Memories on the wire.

use recalld_memory::change::Version;
use recalld_memory::memory::{Category, Confidence, Content, Key, Origin, Source, Tier};
use recalld_memory::remember::Statement;
use recalld_memory::revise::Edit;
use serde::{Deserialize, Serialize};
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
        let labels = Labels::check(self.key, self.category, self.confidence, self.source)?;
        let content = Content::new(&self.content).map_err(|error| ApiError::field("/content", &error))?;
        Ok(Statement {
            key: labels.key,
            content,
            category: labels.category.unwrap_or_else(Category::unsorted),
            tier: self.tier.map_or(Tier::Durable, Tier::from),
            confidence: labels.confidence.unwrap_or(Confidence::CERTAIN),
            origin: Origin::User,
            source: labels.source,
        })
    }
}

/// What should change of a memory; what is absent stays.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MemoryEdit {
    #[schema(min_length = 1, max_length = 16384)]
    content: Option<String>,
    #[schema(min_length = 1, max_length = 128)]
    key: Option<String>,
    #[schema(min_length = 1, max_length = 64)]
    category: Option<String>,
    tier: Option<WireTier>,
    #[schema(minimum = 0, maximum = 1)]
    confidence: Option<f64>,
    #[schema(min_length = 1, max_length = 512)]
    source: Option<String>,
}

impl MemoryEdit {
    pub(crate) fn edit(self) -> Result<Edit, ApiError> {
        let labels = Labels::check(self.key, self.category, self.confidence, self.source)?;
        let content = self.content.map(|content| Content::new(&content)).transpose();
        Ok(Edit {
            key: labels.key,
            content: content.map_err(|error| ApiError::field("/content", &error))?,
            category: labels.category,
            tier: self.tier.map(Tier::from),
            confidence: labels.confidence,
            source: labels.source,
            origin: Origin::User,
            version: None,
        })
    }
}

/// The labels of a memory, checked.
struct Labels {
    key: Option<Key>,
    category: Option<Category>,
    confidence: Option<Confidence>,
    source: Option<Source>,
}

impl Labels {
    fn check(
        key: Option<String>,
        category: Option<String>,
        confidence: Option<f64>,
        source: Option<String>,
    ) -> Result<Labels, ApiError> {
        let key = key.map(|key| Key::new(&key)).transpose();
        let category = category.map(|category| Category::new(&category)).transpose();
        let source = source.map(|source| Source::new(&source)).transpose();
        let confidence = confidence.map(Confidence::new).transpose();
        Ok(Labels {
            key: key.map_err(|error| ApiError::field("/key", &error))?,
            category: category.map_err(|error| ApiError::field("/category", &error))?,
            confidence: confidence.map_err(|error| ApiError::field("/confidence", &error))?,
            source: source.map_err(|error| ApiError::field("/source", &error))?,
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
