//! The use cases of memory on every store: short scripts, and what a person would read.

#![expect(
    clippy::unwrap_used,
    reason = "all of this is test code, also what no test attribute marks"
)]

mod chat_memory;
mod chat_model;
mod list_store;

mod chat;
mod conversations;
mod daily_runs;
mod differential;
mod document;
mod knowledge;
mod large_spaces;
mod learning;
mod model_and_rules;
mod places;
mod profile;
mod projects;
mod proposals;
mod quotations;
mod remembering;
mod secrets;
mod semantic;
mod tools;
mod trust;
mod upkeep;
mod vectors;
mod wishes;
mod world_time;
mod writers;
