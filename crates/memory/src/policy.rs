//! The rules of remembering, as pure functions: what is durable, what is the same, what a prompt
//! may hold, what must go.

pub mod duplicates;
pub mod retention;
pub mod wishes;
