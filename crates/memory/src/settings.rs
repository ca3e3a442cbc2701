//! What a deployment may change: the figures of the memory policy, and what its users' profiles
//! hold.

use recalld_index::index::{Bm25, LengthTerm};

use crate::catalogue::Catalogue;
use crate::injection::Inject;
use crate::quota::StorageQuota;

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
    /// What stands for the length of an entry in BM25.
    pub bm25_length: LengthTerm,
    /// The most tokens a chunk of a document may have.
    pub chunk_tokens_max: usize,
    /// How many tokens of a chunk the next one repeats at the most.
    pub chunk_overlap_tokens: usize,
    /// Whose statements are put before a model unasked.
    pub inject: Inject,
    /// The categories of structured user context.
    pub profile: Catalogue,
    pub stored_vectors: StoredVectors,
    /// How much one user may store.
    pub quota: StorageQuota,
    /// The most tokens of models that may be spent for one user on a day (UTC); none: any number.
    pub model_tokens_per_day_max: Option<u64>,
}

/// Whose vectors are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoredVectors {
    /// Those of models that take their time. One that answers at once makes its own again when they
    /// are needed.
    Costly,
    /// Those of memories and documents by any model, for others who read the same database.
    All,
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
            bm25_length: LengthTerm::default(),
            chunk_tokens_max: 320,
            chunk_overlap_tokens: 40,
            inject: Inject::default(),
            profile: Catalogue::default(),
            stored_vectors: StoredVectors::Costly,
            quota: StorageQuota::default(),
            model_tokens_per_day_max: None,
        }
    }
}

impl Settings {
    /// Gives the parameters of the lexical index.
    pub fn bm25(&self) -> Bm25 {
        Bm25 {
            k1: self.bm25_k1,
            b: self.bm25_b,
            length: self.bm25_length,
        }
    }
}
