//! The use cases of memory on every store: short scripts, and what a person would read.

#![expect(
    clippy::unwrap_used,
    reason = "all of this is test code, also what no test attribute marks"
)]

mod list_store;

mod conversations;
mod differential;
mod document;
mod knowledge;
mod profile;
mod remembering;
mod secrets;
mod semantic;
mod tools;
mod upkeep;
mod vectors;
mod writers;
