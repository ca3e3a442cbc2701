//! The sentence encoder inside the binary: reads whole sentences in 16 languages, and finds across
//! them.
//!
//! The Universal Sentence Encoder (multilingual, version 3) with weights of a few bits, and a map
//! that makes questions and their answers comparable (`docs/builtin-model.md`). About a millisecond
//! a text; only the pages of the rows that are used are ever read.

mod asset;
mod format;
mod forward;
mod kernel;
mod layer;
mod normalise;
mod pieces;
mod rows;
mod tokens;

use std::sync::{Arc, LazyLock};

use self::asset::Asset;
use self::format::{OUT, ROW};
use self::pieces::UNKNOWN;
use self::tokens::TokenParts;

/// Changes when the same asset would give other vectors.
const REVISION: u32 = 1;
static ASSET: &[u8] = include_bytes!("../assets/encoder.bin");
static SHARED: LazyLock<Arc<SentenceEncoder>> = LazyLock::new(|| Arc::new(SentenceEncoder::new()));

/// The piece that opens a text, and the one that ends it.
const START: u32 = 1;
const END: u32 = 2;

/// Above this share of unknown pieces the encoder has no say.
const UNKNOWN_MAX: f32 = 0.3;
/// Up to this share it has its full say.
const UNKNOWN_FEW: f32 = 0.1;

/// The encoder. There is one for the whole process: see [`SentenceEncoder::shared`].
#[derive(Debug)]
pub struct SentenceEncoder {
    asset: Asset,
    tokens: TokenParts,
}

/// A text cut into pieces.
#[derive(Clone, Debug, PartialEq)]
pub struct PieceList {
    ids: Vec<u32>,
    /// How much of the text is understood, from 0 to 1.
    pub understanding: f32,
}

impl SentenceEncoder {
    /// The components of a vector.
    pub const DIMENSION: usize = OUT;
    /// How many pieces of a text are read (measured: more add nothing).
    pub const PIECES_MAX: usize = 64;
    /// How many pieces of a question are read, the last ones: a long one comes to its point at the
    /// end.
    pub const QUESTION_PIECES_MAX: usize = 128;
    /// How much of a text is cut into pieces.
    const CHARS_MAX: usize = 800;

    /// Hands out the one instance; the first call parses the asset in some milliseconds.
    pub fn shared() -> Arc<SentenceEncoder> {
        Arc::clone(&SHARED)
    }

    fn new() -> SentenceEncoder {
        let asset = Asset::parse(ASSET).expect("the asset is part of the binary, and a test reads it");
        let tokens = TokenParts::default();
        SentenceEncoder { asset, tokens }
    }

    /// Names the vectors: it changes whenever they would.
    pub fn name(&self) -> String {
        format!("encoder-{REVISION}-{:016x}", self.asset.fingerprint)
    }

    /// Cuts a text into pieces.
    pub fn read(&self, text: &str) -> PieceList {
        let end = text.char_indices().nth(Self::CHARS_MAX);
        let mut ids = self.cut(end.map_or(text, |(end, _)| &text[..end]));
        ids.truncate(Self::PIECES_MAX);
        Self::judge(ids)
    }

    /// Cuts a question into pieces.
    pub fn read_question(&self, text: &str) -> PieceList {
        let start = text.char_indices().rev().nth(2 * Self::CHARS_MAX);
        let mut ids = self.cut(start.map_or(text, |(start, _)| &text[start..]));
        ids.drain(..ids.len().saturating_sub(Self::QUESTION_PIECES_MAX));
        Self::judge(ids)
    }

    fn cut(&self, text: &str) -> Vec<u32> {
        let normal = self.asset.characters.normalise(text);
        self.asset.pieces.cut(&normal)
    }

    fn judge(ids: Vec<u32>) -> PieceList {
        let unknown = ids.iter().filter(|id| **id == UNKNOWN).count() as f32;
        let understanding = match ids.len() {
            0 => 0.0,
            pieces => {
                let over = unknown / pieces as f32 - UNKNOWN_FEW;
                (1.0 - over / (UNKNOWN_MAX - UNKNOWN_FEW)).clamp(0.0, 1.0)
            }
        };
        PieceList { ids, understanding }
    }

    /// Embeds a text that was cut: a vector of unit length, or all zeros of one that is not
    /// understood.
    pub fn embed_pieces(&self, pieces: &PieceList) -> Vec<f32> {
        if pieces.understanding <= 0.0 {
            return vec![0.0; OUT];
        }
        let own = self.own_vector(pieces);
        let mut mapped = self.asset.layers.map.apply_row(&own);
        let length = mapped.iter().map(|x| x * x).sum::<f32>().sqrt();
        match length.is_finite() && 1e-12 < length {
            true => mapped.iter_mut().for_each(|x| *x /= length),
            false => mapped.fill(0.0),
        }
        mapped
    }

    /// Embeds one text.
    pub fn embed_one(&self, text: &str) -> Vec<f32> {
        self.embed_pieces(&self.read(text))
    }

    /// The original encoder's vector of a text, before the map: for classifiers, which need what
    /// the map leaves out. All zeros if the text is not understood.
    pub fn own_vector_of(&self, text: &str) -> Vec<f32> {
        let pieces = self.read(text);
        match pieces.understanding <= 0.0 {
            true => vec![0.0; ROW],
            false => self.own_vector(&pieces),
        }
    }

    /// The vector of the original encoder, before the map: 512 components.
    fn own_vector(&self, pieces: &PieceList) -> Vec<f32> {
        let mut ids = Vec::with_capacity(pieces.ids.len() + 2);
        ids.push(START);
        ids.extend(&pieces.ids);
        ids.push(END);
        forward::own_vector(&self.asset, &self.tokens, &ids)
    }
}

#[cfg(test)]
mod tests;
