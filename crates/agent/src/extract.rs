//! What a user says becomes memories: by rules, and beside them by a model whose every fact must
//! quote what the user said.
//!
//! Only the user's own words are a source. What was recalled into a prompt, what the assistant
//! said, and what documents and tools said is never extracted. The work is promised in the same
//! write as the messages, and done and crossed off in one write.

mod append;
mod dates;
mod detect;
mod evaluate;
mod facts;
mod finding;
mod known;
mod language;
mod learn;
mod merge;
mod rules;
mod rules_pass;
mod sentences;
mod statement;
mod worker;

pub use append::append;
pub use evaluate::{Case, Evaluation, Expected, Share, evaluate};
pub use facts::{ExtractError, Extracted, Source, extract};
pub use finding::{Correction, Ended, Ending, Fact, Finding};
pub use learn::{Learned, Learning, learn};
pub use rules::{Reading, Step, Verdict, explain, find};
pub(crate) use rules_pass::{Requests, found_in, learn_said};
pub use worker::{Worker, WorkerSettings};
