//! A vector that a slow model made, kept so that it need not be made again. It is derived: losing it loses nothing.

use crate::id::MemoryId;
use crate::ports::EmbeddingModel;

/// What one model makes of one thing.
#[derive(Clone, Debug, PartialEq)]
pub struct Vector {
    pub subject: VectorSubject,
    pub model: EmbeddingModel,
    /// A digest of the text it was made of: a vector of an older text is not used.
    pub text_digest: [u8; 16],
    pub components: Vec<f32>,
}

/// What a vector stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum VectorSubject {
    Memory(MemoryId),
    /// A chunk of a document: the document's id and the chunk's place in it.
    Chunk(crate::id::DocumentId, u32),
}

impl VectorSubject {
    /// Gives the kind of thing and its id as text.
    pub fn parts(&self) -> (&'static str, String) {
        match self {
            VectorSubject::Memory(id) => ("memory", id.to_string()),
            VectorSubject::Chunk(document, ordinal) => ("chunk", format!("{ordinal}:{document}")),
        }
    }

    /// Reads what [`VectorSubject::parts`] gave.
    pub fn from_parts(kind: &str, id: &str) -> Option<VectorSubject> {
        match kind {
            "memory" => MemoryId::parse(id).ok().map(VectorSubject::Memory),
            "chunk" => {
                let (ordinal, document) = id.split_once(':')?;
                let document = crate::id::DocumentId::new(document).ok()?;
                Some(VectorSubject::Chunk(document, ordinal.parse().ok()?))
            }
            _ => None,
        }
    }
}
