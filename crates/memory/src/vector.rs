//! A vector that a slow model made, stored so that it need not be made again. It is derived: losing
//! it loses nothing.

use recalld_index::model::EmbeddingModel;
use sha2::{Digest, Sha256};

use crate::id::{ConversationId, DocumentId, MemoryId, MessageId};

/// What one model makes of one thing.
#[derive(Clone, Debug, PartialEq)]
pub struct Vector {
    pub subject: VectorSubject,
    pub model: EmbeddingModel,
    /// A digest of the text it was made of: a vector of an older text is not used.
    pub text_digest: [u8; 16],
    pub components: Vec<f32>,
}

impl Vector {
    /// Gives the digest of the text that a vector is made of.
    pub fn digest_of(text: &str) -> [u8; 16] {
        let digest = Sha256::digest(text.as_bytes());
        let mut short = [0; 16];
        short.copy_from_slice(&digest[..16]);
        short
    }
}

/// What a vector stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum VectorSubject {
    Memory(MemoryId),
    /// A chunk of a document: the document's id and the chunk's place in it.
    Chunk(DocumentId, u32),
    Message(ConversationId, MessageId),
}

/// A kind of things that vectors stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VectorKind {
    Memory,
    Chunk,
    Message,
}

impl VectorSubject {
    /// Tells of which kind it is.
    pub fn kind(&self) -> VectorKind {
        match self {
            VectorSubject::Memory(_) => VectorKind::Memory,
            VectorSubject::Chunk(..) => VectorKind::Chunk,
            VectorSubject::Message(..) => VectorKind::Message,
        }
    }
}
