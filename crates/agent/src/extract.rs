//! What a user says becomes memories: by rules, or by a model whose every fact must quote what the
//! user said.
//!
//! Only the user's own words are a source. What was recalled into a prompt, what the assistant
//! said, and what documents and tools said is never extracted. The work is promised in the same
//! write as the messages, and done and crossed off in one write.

mod append;
mod dates;
mod facts;
mod learn;
mod rules;
mod sentences;
mod worker;

pub use append::append;
pub use facts::{ExtractError, Extracted, Source, extract};
pub use learn::{Learned, Learning, learn};
pub use rules::{Fact, Finding, find};
pub use worker::{Worker, WorkerSettings};
