//! Lets the sentence encoder read for the classifier of instructions.

use std::sync::Arc;

use recalld_memory::screening::instructions::classifier::{self, SentenceReader};

use crate::encoder::SentenceEncoder;

struct EncoderReader;

impl SentenceReader for EncoderReader {
    fn vector(&self, sentence: &str) -> Vec<f32> {
        SentenceEncoder::shared().own_vector_of(sentence)
    }
}

/// Lets the classifier use the built-in encoder, from now on and in the whole process. The encoder
/// is loaded when it first reads.
pub fn install() {
    classifier::install(Arc::new(EncoderReader));
}
