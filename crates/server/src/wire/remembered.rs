//! A memory as it is shown.

use std::borrow::Cow;
use std::sync::Arc;

use recalld_memory::memory::{self, Standing};
use serde::{Serialize, Serializer};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::Schema;
use utoipa::{PartialSchema, ToSchema};

use super::shown::{ShownId, ShownTime};

/// A memory on its way into an answer: the one that is held in mind, and no copy of its texts.
#[derive(Debug)]
pub(crate) struct Memory(Arc<memory::Memory>);

impl From<Arc<memory::Memory>> for Memory {
    fn from(memory: Arc<memory::Memory>) -> Memory {
        Memory(memory)
    }
}

impl From<&memory::Memory> for Memory {
    fn from(memory: &memory::Memory) -> Memory {
        Memory(Arc::new(memory.clone()))
    }
}

impl Serialize for Memory {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Fields::of(&self.0).serialize(serializer)
    }
}

impl PartialSchema for Memory {
    fn schema() -> RefOr<Schema> {
        Fields::schema()
    }
}

impl ToSchema for Memory {
    fn name() -> Cow<'static, str> {
        "Memory".into()
    }
}

/// A memory.
#[derive(Serialize, ToSchema)]
struct Fields<'a> {
    #[schema(value_type = String)]
    id: ShownId,
    key: Option<&'a str>,
    content: &'a str,
    category: &'a str,
    tier: &'static str,
    confidence: f64,
    /// Who said it: user, import, assistant, inferred, tool or document.
    origin: &'static str,
    source: Option<&'a str>,
    conversation: Option<&'a str>,
    message: Option<&'a str>,
    #[schema(value_type = String)]
    learned_at: ShownTime,
    #[schema(value_type = String)]
    revised_at: ShownTime,
    #[schema(value_type = Option<String>)]
    expires_at: Option<ShownTime>,
    /// When it was hidden; it can be restored.
    #[schema(value_type = Option<String>)]
    retired_at: Option<ShownTime>,
    /// Whether it is part of the memory document.
    in_document: bool,
    version: u32,
}

impl Fields<'_> {
    fn of(memory: &memory::Memory) -> Fields<'_> {
        let retired_at = match memory.standing {
            Standing::Active => None,
            Standing::Retired { at, .. } => Some(at),
        };
        Fields {
            id: ShownId(memory.id),
            key: memory.key.as_ref().map(|key| key.as_str()),
            content: memory.content.as_str(),
            category: memory.category.as_str(),
            tier: memory.tier.as_str(),
            confidence: memory.confidence.value(),
            origin: memory.origin.as_str(),
            source: memory.source.as_ref().map(|source| source.as_str()),
            conversation: memory.conversation.as_ref().map(|id| id.as_str()),
            message: memory.message.as_ref().map(|id| id.as_str()),
            learned_at: ShownTime(memory.learned_at),
            revised_at: ShownTime(memory.revised_at),
            expires_at: memory.expires_at.map(ShownTime),
            retired_at: retired_at.map(ShownTime),
            in_document: memory.in_document && memory.is_active(),
            version: memory.version,
        }
    }
}
