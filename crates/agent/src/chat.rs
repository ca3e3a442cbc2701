//! A conversation that recalld runs itself: context before, a model and its tools, messages and a
//! promise to learn after.
//!
//! The reply never waits for learning, and never fails because memory did: then it says that memory
//! was off.

mod begin;
mod callers_thread;
mod context;
mod history;
mod judge;
mod likely_lookups;
mod needed;
mod passthrough;
mod prepared;
mod recalled;
mod reply;
mod request;
mod run;
mod save;

pub use begin::begin;
pub use likely_lookups::{LikelyLookup, likely_lookups};
pub use passthrough::{PassthroughRequest, begin_passthrough};
pub use reply::{MemoryState, Reply, Used};
pub use request::{ChatRefusal, Request, Started};
pub use run::PendingReply;
