//! The use cases of memory on every store: short scripts, and what a person would read.

#![expect(
    clippy::unwrap_used,
    reason = "all of this is test code, also what no test attribute marks"
)]

#[path = "scenes/acts.rs"]
mod acts;
#[path = "scenes/model.rs"]
mod model;
#[path = "postgres/fresh.rs"]
mod postgres_database;
#[path = "scenes/stage.rs"]
mod stage;

#[path = "scenes/conversations.rs"]
mod conversations;
#[path = "scenes/differential.rs"]
mod differential;
#[path = "scenes/document.rs"]
mod document;
#[path = "scenes/knowledge.rs"]
mod knowledge;
#[path = "scenes/profile.rs"]
mod profile;
#[path = "scenes/remembering.rs"]
mod remembering;
#[path = "scenes/semantic.rs"]
mod semantic;
#[path = "scenes/tools.rs"]
mod tools;
#[path = "scenes/upkeep.rs"]
mod upkeep;
#[path = "scenes/vectors.rs"]
mod vectors;
#[path = "scenes/writers.rs"]
mod writers;
