//! A memory in front of a model: a text that was embedded lately is not embedded again.

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use moka::sync::Cache;
use recalld_index::model::EmbeddingModel;
use recalld_memory::ports::{EmbedError, Embedder, QuestionVector, TextRole};
use sha2::{Digest, Sha256};

/// What an entry costs beside its vector: the key, the counters, the links.
const ENTRY_BYTES: usize = 200;

/// A digest of the model, the role and the text. The text itself is not kept.
type Key = [u8; 32];

/// A model whose latest vectors are kept within a bound of memory.
#[derive(Debug)]
pub struct CachedEmbedder {
    inner: Arc<dyn Embedder>,
    vectors: Cache<Key, Arc<[f32]>>,
}

impl CachedEmbedder {
    /// Keeps vectors of `inner`, as many as fit in `bytes_max`.
    pub fn new(inner: Arc<dyn Embedder>, bytes_max: u64) -> CachedEmbedder {
        let vectors = Cache::builder()
            .max_capacity(bytes_max)
            .weigher(|_: &Key, vector: &Arc<[f32]>| {
                u32::try_from(ENTRY_BYTES + size_of_val::<[f32]>(vector)).unwrap_or(u32::MAX)
            })
            .build();
        CachedEmbedder { inner, vectors }
    }

    /// Tells how many vectors are kept.
    pub fn entries(&self) -> u64 {
        self.vectors.run_pending_tasks();
        self.vectors.entry_count()
    }

    fn key(&self, text: &str, role: TextRole) -> Key {
        let model = self.inner.model();
        let role = match role {
            TextRole::Passage => "passage",
            TextRole::Query => "query",
        };
        // The lengths keep "ab" + "c" apart from "a" + "bc".
        Sha256::new()
            .chain_update(model.name.len().to_le_bytes())
            .chain_update(&model.name)
            .chain_update(model.dimension.to_le_bytes())
            .chain_update(role)
            .chain_update(text)
            .finalize()
            .into()
    }
}

#[async_trait]
impl Embedder for CachedEmbedder {
    fn model(&self) -> &EmbeddingModel {
        self.inner.model()
    }

    async fn embed(&self, texts: &[&str], role: TextRole) -> Result<Vec<Vec<f32>>, EmbedError> {
        let keys: Vec<Key> = texts.iter().map(|text| self.key(text, role)).collect();
        let mut found: HashMap<Key, Arc<[f32]>> = HashMap::new();
        let mut missing: HashMap<Key, &str> = HashMap::new();
        for (key, text) in keys.iter().zip(texts) {
            match self.vectors.get(key) {
                Some(vector) => drop(found.insert(*key, vector)),
                None => drop(missing.insert(*key, text)),
            }
        }
        let (missing_keys, missing_texts): (Vec<Key>, Vec<&str>) = missing.into_iter().unzip();
        if !missing_texts.is_empty() {
            let vectors = self.inner.embed(&missing_texts, role).await?;
            for (key, vector) in missing_keys.into_iter().zip(vectors) {
                let vector: Arc<[f32]> = vector.into();
                self.vectors.insert(key, Arc::clone(&vector));
                found.insert(key, vector);
            }
        }
        let lost = || EmbedError::BadAnswer {
            model: self.model().name.clone(),
            reason: "fewer vectors than texts".to_string(),
        };
        keys.iter()
            .map(|key| found.get(key).map(|vector| vector.to_vec()).ok_or_else(lost))
            .collect()
    }

    fn embed_now(&self, text: &str, role: TextRole) -> Option<Vec<f32>> {
        self.inner.embed_now(text, role)
    }

    fn answers_at_once(&self) -> bool {
        self.inner.answers_at_once()
    }

    fn understanding(&self, text: &str) -> f32 {
        self.inner.understanding(text)
    }

    fn read_now(&self, question: &str) -> Option<QuestionVector> {
        self.inner.read_now(question)
    }

    fn strength(&self) -> f32 {
        self.inner.strength()
    }

    fn likeness_min(&self) -> f32 {
        self.inner.likeness_min()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    /// Gives the length of each text, and remembers what it was asked.
    #[derive(Debug)]
    struct Lengths {
        model: EmbeddingModel,
        asked: Mutex<Vec<String>>,
    }

    #[async_trait]
    impl Embedder for Lengths {
        fn model(&self) -> &EmbeddingModel {
            &self.model
        }

        async fn embed(&self, texts: &[&str], _: TextRole) -> Result<Vec<Vec<f32>>, EmbedError> {
            self.asked
                .lock()
                .unwrap()
                .extend(texts.iter().map(ToString::to_string));
            Ok(texts.iter().map(|text| vec![text.len() as f32]).collect())
        }
    }

    fn cached(bytes_max: u64) -> (Arc<Lengths>, CachedEmbedder) {
        let model = EmbeddingModel {
            name: "lengths".to_string(),
            dimension: 1,
        };
        let inner = Arc::new(Lengths {
            model,
            asked: Mutex::default(),
        });
        (Arc::clone(&inner), CachedEmbedder::new(inner, bytes_max))
    }

    #[tokio::test]
    async fn a_text_is_asked_for_once_and_answered_in_its_place() {
        let (inner, cached) = cached(1 << 20);
        let first = cached.embed(&["a", "bb", "a"], TextRole::Passage).await.unwrap();
        let second = cached
            .embed(&["bb", "ccc", "a"], TextRole::Passage)
            .await
            .unwrap();
        assert_eq!(first, [[1.0], [2.0], [1.0]]);
        assert_eq!(second, [[2.0], [3.0], [1.0]]);
        let mut asked = inner.asked.lock().unwrap().clone();
        asked.sort();
        assert_eq!(asked, ["a", "bb", "ccc"]);
    }

    #[tokio::test]
    async fn a_question_is_not_answered_with_a_passage() {
        let (inner, cached) = cached(1 << 20);
        cached.embed(&["a"], TextRole::Passage).await.unwrap();
        cached.embed(&["a"], TextRole::Query).await.unwrap();
        assert_eq!(inner.asked.lock().unwrap().len(), 2);
    }

    #[tokio::test]
    async fn the_bound_holds() {
        let (_, cached) = cached(20 * (ENTRY_BYTES as u64 + 4));
        for number in 0..500 {
            cached
                .embed(&[&format!("text {number}")], TextRole::Passage)
                .await
                .unwrap();
        }
        assert!((1..=20).contains(&cached.entries()), "{}", cached.entries());
    }
}
