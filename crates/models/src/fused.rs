//! An installed model and the sentence encoder of the binary as one.
//!
//! A model of one language finds more in that language, and the encoder knows fifteen others. A
//! vector has a part of each; how much each part counts is decided by the question alone and is in
//! the question's vector, so that stored vectors stay the same.

use std::sync::Arc;

use async_trait::async_trait;
use recalld_index::model::EmbeddingModel;
use recalld_memory::ports::{EmbedError, Embedder, QuestionVector, TextRole};

use crate::combined::{clear_rest, to_unit_length, with_rest};
use crate::encoder::SentenceEncoder;
use crate::transformer::threads::Threads;

/// How much the installed model counts where it understands the question.
const MODEL_SHARE: f32 = 0.6;
/// From this understanding on it counts beside the encoder, and from the second on fully.
const MODEL_UNDERSTANDS: f32 = 0.5;
const MODEL_UNDERSTANDS_WELL: f32 = 0.8;

/// Both models.
#[derive(Debug)]
pub struct Fused {
    inner: Arc<dyn Embedder>,
    model: EmbeddingModel,
    threads: Threads,
}

impl Fused {
    /// Puts `inner` and the encoder together.
    pub fn new(inner: Arc<dyn Embedder>) -> Fused {
        let own = inner.model();
        let model = EmbeddingModel {
            name: format!("{}+{}", own.name, SentenceEncoder::shared().name()),
            // One more component, for texts of which the model says nothing.
            dimension: own.dimension + 1 + SentenceEncoder::DIMENSION,
        };
        Fused {
            inner,
            model,
            threads: Threads::new(None),
        }
    }

    /// The installed model's part of a stored vector.
    fn own_part(&self, text: &str, mut vector: Vec<f32>) -> Vec<f32> {
        if self.inner.understanding(text) < MODEL_UNDERSTANDS {
            vector.fill(0.0);
        }
        vector.push(0.0);
        with_rest(vector)
    }
}

/// How much the installed model counts, from 0 to 1.
fn model_share(model_understands: f32, encoder_understands: f32) -> f32 {
    let over = (model_understands - MODEL_UNDERSTANDS) / (MODEL_UNDERSTANDS_WELL - MODEL_UNDERSTANDS);
    let share = MODEL_SHARE * over.clamp(0.0, 1.0);
    match encoder_understands <= 0.0 {
        true => 1.0,
        false => share,
    }
}

#[async_trait]
impl Embedder for Fused {
    fn model(&self) -> &EmbeddingModel {
        &self.model
    }

    async fn embed(&self, texts: &[&str], role: TextRole) -> Result<Vec<Vec<f32>>, EmbedError> {
        if role == TextRole::Query {
            let mut vectors = Vec::with_capacity(texts.len());
            for text in texts {
                vectors.push(self.read(text).await?.components);
            }
            return Ok(vectors);
        }
        let own = self.inner.embed(texts, role).await?;
        let owned: Vec<String> = texts.iter().map(ToString::to_string).collect();
        let encode = move || {
            let encoder = SentenceEncoder::shared();
            let parts = owned.iter().map(|text| with_rest(encoder.embed_one(text)));
            parts.collect::<Vec<Vec<f32>>>()
        };
        let encoded = self.threads.run(encode).await;
        let encoded = encoded.map_err(|reason| EmbedError::Unavailable {
            model: self.model.name.clone(),
            reason,
        })?;
        let parts = texts.iter().zip(own).zip(encoded);
        let joined = parts.map(|((text, own), encoded)| {
            let mut vector = self.own_part(text, own);
            vector.extend(encoded);
            to_unit_length(&mut vector);
            vector
        });
        Ok(joined.collect())
    }

    fn understanding(&self, text: &str) -> f32 {
        let encoder = SentenceEncoder::shared().read(text).understanding;
        encoder.max(self.inner.understanding(text))
    }

    async fn read(&self, question: &str) -> Result<QuestionVector, EmbedError> {
        let model_understands = self.inner.understanding(question);
        let encoder = SentenceEncoder::shared();
        let pieces = encoder.read_question(question);
        let mut by_encoder = encoder.embed_pieces(&pieces);
        clear_rest(&mut by_encoder);
        let share = model_share(model_understands, pieces.understanding);
        let dimension = self.inner.model().dimension;
        let by_model = match 0.0 < share && !question.trim().is_empty() {
            true => self.inner.embed(&[question], TextRole::Query).await?.pop(),
            false => None,
        };
        let mut by_model = by_model.unwrap_or_else(|| vec![0.0; dimension]);
        by_model.push(0.0);
        let weighed = by_model.iter().map(|x| share * x);
        let components: Vec<f32> = weighed
            .chain(by_encoder.iter().map(|x| (1.0 - share) * x))
            .collect();
        // Each part of a stored vector carries half of its length: see `combined`.
        let length = components.iter().map(|x| x * x).sum::<f32>().sqrt();
        Ok(QuestionVector {
            components,
            provisional: None,
            gain: std::f32::consts::SQRT_2 * length,
            understanding: pieces.understanding.max(model_understands),
        })
    }

    fn strength(&self) -> f32 {
        self.inner.strength()
    }

    fn likeness_min(&self) -> f32 {
        0.15
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Knows English letters only, and two directions: water, and everything else.
    #[derive(Debug)]
    struct Water(EmbeddingModel);

    #[async_trait]
    impl Embedder for Water {
        fn model(&self) -> &EmbeddingModel {
            &self.0
        }

        async fn embed(&self, texts: &[&str], _: TextRole) -> Result<Vec<Vec<f32>>, EmbedError> {
            let is_wet = |text: &&str| text.contains("sea") || text.contains("swim");
            let vector = |text| match is_wet(text) {
                true => vec![1.0, 0.0],
                false => vec![0.0, 1.0],
            };
            Ok(texts.iter().map(vector).collect())
        }

        fn understanding(&self, text: &str) -> f32 {
            f32::from(u8::from(text.is_ascii()))
        }
    }

    fn fused() -> Fused {
        Fused::new(Arc::new(Water(EmbeddingModel {
            name: "water".to_owned(),
            dimension: 2,
        })))
    }

    async fn likeness(question: &str, text: &str) -> f32 {
        let model = fused();
        let asked = model.read(question).await.unwrap();
        let stored = model.embed(&[text], TextRole::Passage).await.unwrap().remove(0);
        let length = asked.components.iter().map(|x| x * x).sum::<f32>().sqrt();
        let dot: f32 = asked.components.iter().zip(&stored).map(|(a, b)| a * b).sum();
        asked.gain * dot / length
    }

    #[tokio::test]
    async fn both_parts_are_heard_and_each_only_of_what_it_knows() {
        assert!(likeness("can I swim here?", "the sea is warm").await > MODEL_SHARE - 0.1);
        let across = likeness("where is my dog?", "我的狗在花园里").await;
        let unrelated = likeness("where is my dog?", "我喜欢喝茶").await;
        assert!(across > unrelated, "the encoder decides: {across} {unrelated}");
        let same = likeness("the sea", "the sea").await;
        assert!(same <= 1.0 + 1e-4 && 0.9 < same, "{same}");
    }

    #[tokio::test]
    async fn a_stored_vector_has_unit_length_and_the_models_dimension() {
        let model = fused();
        let texts = ["the sea", "海", "", "@@@"];
        for vector in model.embed(&texts, TextRole::Passage).await.unwrap() {
            assert_eq!(vector.len(), model.model().dimension);
            let length = vector.iter().map(|x| x * x).sum::<f32>().sqrt();
            assert!((length - 1.0).abs() < 1e-4, "{length}");
        }
    }
}
