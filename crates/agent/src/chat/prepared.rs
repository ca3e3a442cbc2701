//! A run that is about to begin: everything that it needs.

use recalld_memory::conversation::MessageText;

use super::request::Started;
use crate::agent_loop::{Job, State};
use crate::summary::Fill;
use crate::wiring::AgentPorts;

/// A run that is about to begin.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) agent: AgentPorts,
    pub(super) started: Started,
    /// What the user said.
    pub(super) text: MessageText,
    /// Who typed it, in a group chat.
    pub(super) sender: Option<String>,
    pub(super) opens: bool,
    /// What the conversation opens with.
    pub(super) opening: Option<String>,
    /// The arm of the reply before.
    pub(super) follows: Option<String>,
    /// Whether this is the conversation's first message in its arm.
    pub(super) joins: bool,
    /// How much of the conversation the prompt shows as it was said.
    pub(super) shown: Fill,
    /// Whether the stored summary of the conversation should cover more than it does.
    pub(super) is_summary_late: bool,
    /// Whether the caller wants the conversation to be stored.
    pub(super) is_stored: bool,
    pub(super) queries: u32,
    pub(super) state: State,
    pub(super) job: Job,
}
