//! What a deployment may change: the figures of the memory policy, and what its users' profiles
//! hold.

use std::time::Duration;

use crate::chat::ChatSettings;
use crate::index::Bm25;
use crate::profile::Catalogue;

/// What the policy goes by. The defaults are those of the documentation.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Below this confidence nothing becomes durable.
    pub durable_confidence_min: f64,
    /// How long a daily note is shown.
    pub daily_days: i64,
    /// The most tokens the memory document may have.
    pub document_tokens_max: usize,
    /// How far back `get_memory_context` looks for daily notes.
    pub context_notes_days: i64,
    /// The most tokens of memories that the answer of a tool shows.
    pub tool_tokens_max: usize,
    /// How many bytes of spaces are kept in memory.
    pub spaces_bytes_max: usize,
    /// BM25's saturation of repeated terms.
    pub bm25_k1: f32,
    /// BM25's correction for length.
    pub bm25_b: f32,
    /// The most tokens a chunk of a document may have.
    pub chunk_tokens_max: usize,
    /// How many tokens of a chunk the next one repeats at the most.
    pub chunk_overlap_tokens: usize,
    /// The categories of structured user context.
    pub profile: Catalogue,
    pub kept_vectors: KeptVectors,
    pub extraction: Extraction,
    pub chat: ChatSettings,
}

/// Whose vectors the store keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeptVectors {
    /// Those of models that take their time. One that answers at once makes its own again when they
    /// are needed.
    Costly,
    /// Those of memories and documents by any model, for others who read the same database.
    All,
}

/// How facts are found in what users say.
#[derive(Clone, Debug, PartialEq)]
pub struct Extraction {
    pub method: Method,
    /// What a user said is read as soon as it is so many tokens…
    pub buffer_tokens: usize,
    /// …or nothing more was said for so long.
    pub buffer_idle: Duration,
    /// The most facts that are taken from one message.
    pub facts_max: usize,
}

/// Who finds facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// A model if there is one, and rules otherwise.
    Auto,
    Rules,
    /// Nobody.
    Off,
}

impl Default for Extraction {
    fn default() -> Extraction {
        Extraction {
            method: Method::Auto,
            buffer_tokens: 2_000,
            buffer_idle: Duration::from_secs(10),
            facts_max: 5,
        }
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            durable_confidence_min: 0.7,
            daily_days: 90,
            document_tokens_max: 10_000,
            context_notes_days: 7,
            tool_tokens_max: 4_000,
            spaces_bytes_max: 256 * 1024 * 1024,
            bm25_k1: 1.5,
            bm25_b: 0.75,
            chunk_tokens_max: 320,
            chunk_overlap_tokens: 40,
            profile: Catalogue::default(),
            kept_vectors: KeptVectors::Costly,
            extraction: Extraction::default(),
            chat: ChatSettings::default(),
        }
    }
}

impl Settings {
    /// Gives the parameters of the lexical index.
    pub fn bm25(&self) -> Bm25 {
        Bm25 {
            k1: self.bm25_k1,
            b: self.bm25_b,
        }
    }
}
