//! The built-in model: the static table and the sentence encoder as one.
//!
//! A vector has two parts, one of each. The table makes its part at once, and that part stands in
//! until the encoder has read the text. How much each part counts is decided by the question alone
//! and is in the question's vector, so that stored vectors stay the same.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use moka::sync::Cache;
use recalld_index::model::EmbeddingModel;
use recalld_memory::ports::{EmbedError, Embedder, QuestionVector, TextRole};
use sha2::{Digest, Sha256};

use crate::builtin::Builtin;
use crate::encoder::SentenceEncoder;
use crate::transformer::threads::Threads;

/// Which questions the encoder reads. It depends on the question and on nothing else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EncoderUse {
    /// All but those of a word or two that the table knows.
    #[default]
    Auto,
    Always,
}

/// The most that the table counts beside the encoder.
const TABLE_SHARE: f32 = 0.4;
/// From this understanding on the table counts beside the encoder, and from the second on fully.
const TABLE_UNDERSTANDS: f32 = 0.75;
const TABLE_UNDERSTANDS_WELL: f32 = 0.95;
/// A question of so few words needs no encoder, if the table knows them.
const WORDS_FEW: usize = 2;
/// How many questions are remembered.
const QUESTIONS_MAX: u64 = 10_000;

/// Both models.
#[derive(Debug)]
pub struct Combined {
    table: Arc<Builtin>,
    encoder_use: EncoderUse,
    model: EmbeddingModel,
    questions: Cache<[u8; 32], Arc<QuestionVector>>,
    threads: Threads,
}

impl Combined {
    /// Puts the two together.
    pub fn new(encoder_use: EncoderUse) -> Combined {
        let table = Builtin::shared();
        let encoder = SentenceEncoder::shared();
        let model = EmbeddingModel {
            name: format!("{}+{}", table.model().name, encoder.name()),
            dimension: table.model().dimension + SentenceEncoder::DIMENSION,
        };
        Combined {
            table,
            encoder_use,
            model,
            questions: Cache::new(QUESTIONS_MAX),
            threads: Threads::new(None),
        }
    }

    fn passage(table: &Builtin, text: &str) -> Vec<f32> {
        let mut vector = table_part(table, text);
        vector.extend(with_rest(SentenceEncoder::shared().embed_one(text)));
        vector
    }

    fn question(&self, text: &str) -> QuestionVector {
        let (mut by_table, table_understands) = self.table.embed_understood(text);
        clear_rest(&mut by_table);
        let words = text.split_whitespace().count();
        let is_plain = words <= WORDS_FEW && TABLE_UNDERSTANDS_WELL <= table_understands;
        let (mut by_encoder, encoder_understands) = match self.encoder_use {
            EncoderUse::Auto if is_plain => (vec![0.0; SentenceEncoder::DIMENSION], 0.0),
            _ => {
                let encoder = SentenceEncoder::shared();
                let pieces = encoder.read_question(text);
                let mut vector = encoder.embed_pieces(&pieces);
                if let Some(last) = last_words(text) {
                    let last = encoder.embed_one(last);
                    vector.iter_mut().zip(last).for_each(|(x, last)| *x += last);
                    to_unit_length(&mut vector);
                }
                (vector, pieces.understanding)
            }
        };
        clear_rest(&mut by_encoder);
        let share = table_share(table_understands, encoder_understands);
        let mut provisional = by_table.clone();
        provisional.resize(self.model.dimension, 0.0);
        let weighed = by_table.iter().map(|x| share * x);
        let components: Vec<f32> = weighed
            .chain(by_encoder.iter().map(|x| (1.0 - share) * x))
            .collect();
        // Both parts of a stored vector have unit length; so that the cosine becomes the mean of
        // the cosines of the parts, the lengths are undone.
        let length = components.iter().map(|x| x * x).sum::<f32>().sqrt();
        QuestionVector {
            components,
            provisional: Some(provisional),
            gain: std::f32::consts::SQRT_2 * length,
            understanding: encoder_understands.max(table_understands),
        }
    }

    fn key(text: &str) -> [u8; 32] {
        Sha256::digest(text).into()
    }
}

/// The last two sentences of a question that is a conversation: they count once more, since they
/// come to the point (measured: it helps conversations, and hurts long requests).
fn last_words(text: &str) -> Option<&str> {
    let text = text.trim_end();
    if !is_conversation(text) {
        return None;
    }
    let is_end = |c: char| matches!(c, '.' | '!' | '?' | '。' | '！' | '？' | '\n');
    let ends = text.char_indices().filter(|(_, c)| is_end(*c));
    let inner: Vec<usize> = ends
        .map(|(at, c)| at + c.len_utf8())
        .filter(|end| *end < text.len())
        .collect();
    let start = inner.len().checked_sub(2).filter(|_| 3 <= inner.len())?;
    text.get(inner[start]..)
}

/// Whether a text is a conversation: it opens with who speaks, and somebody speaks again.
fn is_conversation(text: &str) -> bool {
    let speaks = |line: &str| {
        let name = line.split_once(": ").map(|(name, _)| name);
        name.is_some_and(|name| !name.is_empty() && name.len() <= 40 && !name.contains(' '))
    };
    text.lines().next().is_some_and(speaks) && text.lines().skip(1).any(speaks)
}

/// How much the table counts, from 0 to 1.
fn table_share(table_understands: f32, encoder_understands: f32) -> f32 {
    if encoder_understands <= 0.0 {
        return 1.0;
    }
    let over = (table_understands - TABLE_UNDERSTANDS) / (TABLE_UNDERSTANDS_WELL - TABLE_UNDERSTANDS);
    TABLE_SHARE * over.clamp(0.0, 1.0)
}

/// The table's part of a stored vector. Of a text that it does not understand it says nothing.
fn table_part(table: &Builtin, text: &str) -> Vec<f32> {
    match table.embed_understood(text) {
        (vector, understands) if TABLE_UNDERSTANDS <= understands => with_rest(vector),
        _ => with_rest(vec![0.0; table.model().dimension]),
    }
}

/// Brings a part to unit length without its last component, which carries least. A part that says
/// nothing has its length there, where no question looks.
pub(crate) fn with_rest(mut part: Vec<f32>) -> Vec<f32> {
    clear_rest(&mut part);
    if !to_unit_length(&mut part)
        && let Some(last) = part.last_mut()
    {
        *last = 1.0;
    }
    part
}

/// Brings a vector to unit length; one that has no length becomes zeros, and the answer is `false`.
pub(crate) fn to_unit_length(vector: &mut [f32]) -> bool {
    let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
    if length < 1e-6 {
        vector.fill(0.0);
        return false;
    }
    vector.iter_mut().for_each(|x| *x /= length);
    true
}

pub(crate) fn clear_rest(part: &mut [f32]) {
    if let Some(last) = part.last_mut() {
        *last = 0.0;
    }
}

#[async_trait]
impl Embedder for Combined {
    fn model(&self) -> &EmbeddingModel {
        &self.model
    }

    async fn embed(&self, texts: &[&str], role: TextRole) -> Result<Vec<Vec<f32>>, EmbedError> {
        if role == TextRole::Query {
            return Ok(texts.iter().map(|text| self.question(text).components).collect());
        }
        let owned: Vec<String> = texts.iter().map(ToString::to_string).collect();
        let table = Arc::clone(&self.table);
        let work = move || {
            let vectors = owned.iter().map(|text| Combined::passage(&table, text));
            vectors.collect()
        };
        self.threads
            .run(work)
            .await
            .map_err(|reason| EmbedError::Unavailable {
                model: self.model.name.clone(),
                reason,
            })
    }

    fn provisional(&self, text: &str) -> Option<Vec<f32>> {
        let mut vector = table_part(&self.table, text);
        // Without a direction it can be compared to nothing.
        if vector.last() == Some(&1.0) {
            return None;
        }
        vector.resize(self.model.dimension, 0.0);
        Some(vector)
    }

    fn with_provisional(&self, mut finished: Vec<f32>, provisional: &[f32]) -> Vec<f32> {
        let parts = self.table.model().dimension;
        if let (Some(part), Some(around)) = (finished.get_mut(..parts), provisional.get(..parts)) {
            part.copy_from_slice(&with_rest(around.to_vec()));
        }
        finished
    }

    fn understanding(&self, text: &str) -> f32 {
        let encoder = SentenceEncoder::shared().read(text).understanding;
        encoder.max(self.table.understanding(text))
    }

    fn read_now(&self, question: &str) -> Option<QuestionVector> {
        let key = Self::key(question);
        if let Some(known) = self.questions.get(&key) {
            return Some(QuestionVector::clone(&known));
        }
        let made = self.question(question);
        self.questions.insert(key, Arc::new(made.clone()));
        Some(made)
    }

    async fn read(&self, question: &str) -> Result<QuestionVector, EmbedError> {
        // A millisecond or two, and the same whatever else the machine does.
        self.read_now(question).ok_or_else(|| EmbedError::BadAnswer {
            model: self.model.name.clone(),
            reason: "no vector".to_owned(),
        })
    }

    fn question_patience(&self) -> Option<Duration> {
        None
    }

    fn strength(&self) -> f32 {
        1.2
    }

    fn likeness_min(&self) -> f32 {
        0.15
    }
}

#[cfg(test)]
mod tests;
