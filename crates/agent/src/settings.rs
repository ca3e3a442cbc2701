//! What a deployment may change about chat and extraction.

use std::time::Duration;

use crate::prompts::{Prompts, TimeIn};
use crate::rollout::Rollout;
use crate::tools::ToolSet;

/// What a deployment may change. The defaults are those of the documentation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AgentSettings {
    pub chat: ChatSettings,
    pub extraction: Extraction,
}

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
    pub time_in: TimeIn,
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
            time_in: TimeIn::default(),
        }
    }
}

/// How facts are found in what users say.
#[derive(Clone, Debug, PartialEq)]
pub struct Extraction {
    pub method: Method,
    /// What a user said is read as soon as it is so many tokens…
    pub buffer_tokens: usize,
    /// …or nothing more was said for so long.
    pub buffer_idle: Duration,
    /// The most facts that are taken from one message.
    pub facts_max: usize,
    /// The most tokens of one daily run. The next run goes on where it stopped.
    pub daily_tokens_max: u64,
}

/// Who finds facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// A model if there is one, and rules otherwise.
    Auto,
    Rules,
    /// Nobody.
    Off,
}

impl Default for Extraction {
    fn default() -> Extraction {
        Extraction {
            method: Method::Auto,
            buffer_tokens: 2_000,
            buffer_idle: Duration::from_secs(10),
            facts_max: 5,
            daily_tokens_max: 200_000,
        }
    }
}
