//! A conversation that recalld runs itself: context before, a model and its tools, messages and a
//! promise to learn after.
//!
//! The reply never waits for learning, and never fails because memory did: then it says that memory
//! was off.

mod begin;
mod figures;
mod gather;
mod history;
mod look_up;
mod mode;
mod pass;
mod prompts;
mod recalled;
mod reply;
mod rollout;
mod run;
mod save;
mod thread;

pub use begin::{ChatRefusal, Request, Started, begin};
pub use figures::{ArmFigures, Figures, Interval, Shadow};
pub use look_up::{LookUp, likely};
pub use mode::{Choice, Mode, choose};
pub use pass::{PassRequest, pass};
pub use prompts::Prompts;
pub use reply::{MemoryState, Reply, Used};
pub use rollout::{Phase, Rollout, bucket};
pub use run::Talk;

use crate::tools::ToolSet;

/// How a deployment's chat goes.
#[derive(Clone, Debug, PartialEq)]
pub struct ChatSettings {
    pub rollout: Rollout,
    pub prompts: Prompts,
    /// The most tokens of the system prompt in task mode.
    pub task_tokens_max: usize,
    /// The most tokens of the system prompt in conversation mode.
    pub conversation_tokens_max: usize,
    /// How many earlier messages a model is shown.
    pub history_messages: usize,
    /// The most tokens of earlier messages.
    pub history_tokens_max: usize,
    /// The tools that a model may call.
    pub tools: Vec<ToolSet>,
    /// How often a model is asked for one reply at the most.
    pub steps_max: u32,
}

impl Default for ChatSettings {
    fn default() -> ChatSettings {
        ChatSettings {
            rollout: Rollout::default(),
            prompts: Prompts::default(),
            task_tokens_max: 3_500,
            conversation_tokens_max: 300,
            history_messages: 20,
            history_tokens_max: 8_000,
            tools: vec![
                ToolSet::Context,
                ToolSet::Document,
                ToolSet::Semantic,
                ToolSet::History,
                ToolSet::Knowledge,
            ],
            steps_max: 8,
        }
    }
}
