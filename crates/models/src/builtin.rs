//! The built-in embedding model: a table of token vectors inside the binary.
//!
//! Nothing to download and microseconds a text, so semantic search works at the first start. A
//! text's vector is the sum of the vectors of its different tokens, less what all texts share,
//! brought to unit length; the table was trained so that this sum points where a sentence encoder
//! would (`docs/builtin-model.md`).

mod pieces;
mod table;
mod words;

use std::sync::{Arc, LazyLock};

use async_trait::async_trait;
use recalld_index::model::EmbeddingModel;
use recalld_index::text::is_foreign;
use recalld_memory::ports::{EmbedError, Embedder, QuestionVector, TextRole};

use self::pieces::{Reading, read};
use self::table::Table;

/// Changes when the same table would give other vectors, since vectors of different models are
/// never compared.
const READER: u32 = 1;
static ASSET: &[u8] = include_bytes!("../assets/builtin.bin");
static SHARED: LazyLock<Arc<Builtin>> = LazyLock::new(|| Arc::new(Builtin::new()));

/// The static model. There is one for the whole process: see [`Builtin::shared`].
#[derive(Debug)]
pub struct Builtin {
    table: Table,
    model: EmbeddingModel,
}

impl Builtin {
    /// How much of a text is read; what comes after does not count.
    pub const TEXT_BYTES_MAX: usize = 16 * 1024;
    /// How many tokens of a text are summed.
    pub const TOKENS_MAX: usize = 2048;

    /// Hands out the one instance; the first call parses the table in about a millisecond.
    pub fn shared() -> Arc<Builtin> {
        Arc::clone(&SHARED)
    }

    fn new() -> Builtin {
        let table = Table::parse(ASSET).expect("the asset is part of the binary, and a test reads it");
        let name = format!("builtin-{READER}-{:016x}", table.fingerprint);
        let model = EmbeddingModel {
            name,
            dimension: table.dimension,
        };
        Builtin { table, model }
    }

    /// Embeds one text: a vector of unit length, or all zeros when no token is known.
    pub fn embed_one(&self, text: &str) -> Vec<f32> {
        self.embed_read(text).0
    }

    /// The same, with how much of the text is understood: it is read once for both.
    pub fn embed_understood(&self, text: &str) -> (Vec<f32>, f32) {
        let (vector, reading) = self.embed_read(text);
        (vector, understood(text, reading))
    }

    fn embed_read(&self, text: &str) -> (Vec<f32>, Reading) {
        let mut rows = Vec::with_capacity(64);
        let reading = self.read(text, |row| rows.push(row));
        // Each token once: in a long text what is repeated would drown what is said (measured).
        rows.sort_unstable();
        rows.dedup();
        let mut sum = vec![0.0; self.table.dimension];
        rows.iter().for_each(|row| self.table.add(*row, &mut sum));
        if to_unit_length(&mut sum) {
            // What all texts share tells none from another, and makes long ones look alike
            // (measured).
            sum.iter_mut()
                .zip(&self.table.centre)
                .for_each(|(x, shared)| *x -= shared);
            to_unit_length(&mut sum);
        }
        (sum, reading)
    }

    fn read(&self, text: &str, visit: impl FnMut(usize)) -> Reading {
        let end = text.floor_char_boundary(Self::TEXT_BYTES_MAX);
        read(&self.table, &text[..end], Self::TOKENS_MAX, visit)
    }
}

#[async_trait]
impl Embedder for Builtin {
    fn model(&self) -> &EmbeddingModel {
        &self.model
    }

    async fn embed(&self, texts: &[&str], _role: TextRole) -> Result<Vec<Vec<f32>>, EmbedError> {
        Ok(texts.iter().map(|text| self.embed_one(text)).collect())
    }

    fn embed_now(&self, text: &str, _role: TextRole) -> Option<Vec<f32>> {
        Some(self.embed_one(text))
    }

    fn answers_at_once(&self) -> bool {
        true
    }

    fn strength(&self) -> f32 {
        1.0
    }

    fn likeness_min(&self) -> f32 {
        0.15
    }

    fn understanding(&self, text: &str) -> f32 {
        understood(text, self.read(text, |_| ()))
    }

    fn read_now(&self, question: &str) -> Option<QuestionVector> {
        let (vector, understanding) = self.embed_understood(question);
        Some(QuestionVector::plain(vector, understanding))
    }
}

/// What is understood of a text in another language than English: the vocabulary has many of its
/// words, spelled the same or in pieces, and knows what few of them mean (measured).
const FOREIGN_WORTH: f32 = 0.35;

fn understood(text: &str, reading: Reading) -> f32 {
    match is_foreign(text) {
        true => FOREIGN_WORTH * reading.share(),
        false => reading.share(),
    }
}

/// Brings a vector to unit length; one that has no length becomes zeros, and the answer is `false`.
fn to_unit_length(vector: &mut [f32]) -> bool {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length < 1e-12 {
        vector.fill(0.0);
        return false;
    }
    vector.iter_mut().for_each(|x| *x /= length);
    true
}

#[cfg(test)]
mod tests;
