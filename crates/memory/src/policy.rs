//! The rules of remembering, as pure functions: what is durable, what is the same, what is secret,
//! what a person cannot see, what reads like an instruction, what must go.

pub mod duplicates;
pub mod instructions;
pub mod invisible;
pub mod retention;
pub mod secrets;
