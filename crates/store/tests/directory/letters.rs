//! A model that shows whether it is asked.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use recalld_index::model::EmbeddingModel;
use recalld_memory::ports::{EmbedError, Embedder, TextRole};

/// Makes vectors of what a text is spelled with, and counts the texts it has read.
#[derive(Debug)]
pub struct Letters {
    model: EmbeddingModel,
    is_quick: bool,
    read: AtomicUsize,
}

impl Letters {
    pub fn new(is_quick: bool) -> Arc<Letters> {
        let model = EmbeddingModel {
            name: "letters".to_owned(),
            dimension: 24,
        };
        Arc::new(Letters {
            model,
            is_quick,
            read: AtomicUsize::new(0),
        })
    }

    fn vector(&self, text: &str, role: TextRole) -> Vec<f32> {
        if role == TextRole::Passage {
            self.read.fetch_add(1, Ordering::Relaxed);
        }
        let mut vector = vec![0.01; self.model.dimension];
        for (place, byte) in text.bytes().enumerate() {
            vector[usize::from(byte) % 23] += 1.0 + (place % 5) as f32 / 7.0;
        }
        let length = vector.iter().map(|c| c * c).sum::<f32>().sqrt();
        vector.iter().map(|c| c / length).collect()
    }

    /// Counts the texts it has read since this was last asked.
    pub fn texts_read(&self) -> usize {
        self.read.swap(0, Ordering::Relaxed)
    }
}

#[async_trait]
impl Embedder for Letters {
    fn model(&self) -> &EmbeddingModel {
        &self.model
    }

    async fn embed(&self, texts: &[&str], role: TextRole) -> Result<Vec<Vec<f32>>, EmbedError> {
        Ok(texts.iter().map(|text| self.vector(text, role)).collect())
    }

    fn embed_now(&self, text: &str, role: TextRole) -> Option<Vec<f32>> {
        self.is_quick.then(|| self.vector(text, role))
    }

    fn answers_at_once(&self) -> bool {
        self.is_quick
    }
}
