//! The rules of remembering, as pure functions: what is durable, what is the same, what is secret,
//! what must go.

pub mod duplicates;
pub mod retention;
pub mod secrets;
