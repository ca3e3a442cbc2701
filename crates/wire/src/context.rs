//! Texts for prompts, and the memory document.

use std::collections::BTreeMap;

use recalld_index::text::tokens::TokenCount;
use recalld_memory::context::Context;
use recalld_memory::prompt::Block;
use serde::Serialize;
use utoipa::ToSchema;

/// Exact token counts of a text.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct Tokens {
    /// The count in cl100k_base.
    pub cl100k_base: usize,
    /// The count in o200k_base.
    pub o200k_base: usize,
}

impl From<TokenCount> for Tokens {
    fn from(count: TokenCount) -> Tokens {
        Tokens {
            cl100k_base: count.cl100k,
            o200k_base: count.o200k,
        }
    }
}

/// What is remembered for a topic, as text.
#[derive(Debug, Serialize, ToSchema)]
pub struct ContextText {
    /// Empty when nothing is remembered, or not even one entry fits.
    text: String,
    tokens: Tokens,
    /// The ids of the memories in it.
    memories: Vec<String>,
    /// How many entries did not fit the budget.
    left_out: usize,
}

impl From<Context> for ContextText {
    fn from(context: Context) -> ContextText {
        ContextText {
            tokens: context.tokens.into(),
            memories: context
                .memories
                .iter()
                .map(|memory| memory.id.to_string())
                .collect(),
            left_out: context.left_out,
            text: context.text,
        }
    }
}

/// A block of a system prompt.
#[derive(Debug, Serialize, ToSchema)]
pub struct PromptText {
    text: String,
    tokens: Tokens,
    /// How many memories and places did not fit the budget.
    left_out: usize,
}

impl From<Block> for PromptText {
    fn from(block: Block) -> PromptText {
        PromptText {
            tokens: block.tokens.into(),
            left_out: block.left_out,
            text: block.text,
        }
    }
}

/// The memory document. Only its schema: the domain writes its text.
#[derive(Debug, Serialize, ToSchema)]
pub struct MemoryDocument {
    facts: Vec<DocumentFact>,
    /// Absent if `places_as` asks for the other name.
    places_of_interest: Option<Vec<DocumentPlace>>,
    /// The same list, if `places_as=placer_user_datapoints` asks for this name.
    placer_user_datapoints: Option<Vec<DocumentPlace>>,
    metadata: DocumentMetadata,
}

#[derive(Debug, Serialize, ToSchema)]
struct DocumentFact {
    id: String,
    content: String,
    added_at: String,
    source_conversation_id: Option<String>,
    source_message_id: Option<String>,
    is_active: bool,
}

#[derive(Debug, Serialize, ToSchema)]
struct DocumentPlace {
    place_id: String,
    place_name: String,
    notes: Option<String>,
    /// By conversation: pairs of message id and time.
    mentioned_in: BTreeMap<String, Vec<Vec<String>>>,
    added_at: String,
}

#[derive(Debug, Serialize, ToSchema)]
struct DocumentMetadata {
    last_updated: Option<String>,
    total_facts: usize,
    total_active_facts: usize,
    total_pois: usize,
    token_count: usize,
    schema_version: String,
}
