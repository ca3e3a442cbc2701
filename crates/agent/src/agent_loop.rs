//! The loop of a model and its tools: a pure state machine that decides the next step, and a thin
//! driver that takes it.

mod events;
mod run;
mod state;
mod step;
mod toolbox;

pub use events::{AgentEvent, EventSink};
pub use run::{CallMade, Fallback, Job, Outcome, run};
pub use state::{Entry, State};
pub use step::{Bounds, Ending, Spent, Step, next};
pub use toolbox::{CallResult, Failure, Toolbox};
