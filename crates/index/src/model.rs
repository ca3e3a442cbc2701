//! The identity of an embedding model.

/// The model that made a vector. Vectors of different models are never compared.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EmbeddingModel {
    /// A name that changes whenever the vectors would.
    pub name: String,
    /// The number of components of each vector.
    pub dimension: usize,
}
