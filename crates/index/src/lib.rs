//! Turns text into terms and token counts, and ranks entries by words and by meaning.
//!
//! Nothing here knows what a memory is: an index holds entries with an id, a few fields of text,
//! facets and a vector, and returns ranked ids.

pub mod text;

pub mod simd;

pub mod index;
pub mod model;

pub mod fusion;
pub mod rank;
pub mod when;
