//! A conversation that recalld runs itself: context before, a model and its tools, messages and a
//! promise to learn after.
//!
//! The reply never waits for learning, and never fails because memory did: then it says that memory
//! was off.

mod begin;
mod gather;
mod history;
mod look_up;
mod pass;
mod recalled;
mod reply;
mod run;
mod save;
mod thread;

pub use begin::{ChatRefusal, Request, Started, begin};
pub use look_up::{LookUp, likely};
pub use pass::{PassRequest, pass};
pub use reply::{MemoryState, Reply, Used};
pub use run::Talk;
