//! A run that is about to begin: everything that it needs.

use recalld_memory::conversation::MessageText;

use super::request::Started;
use crate::agent_loop::{Job, State};
use crate::wiring::AgentPorts;

/// A run that is about to begin.
#[derive(Debug)]
pub(super) struct Prepared {
    pub(super) agent: AgentPorts,
    pub(super) started: Started,
    /// What the user said.
    pub(super) text: MessageText,
    pub(super) opens: bool,
    /// What the conversation opens with.
    pub(super) opening: Option<String>,
    pub(super) follows: Option<String>,
    pub(super) queries: u32,
    pub(super) state: State,
    pub(super) job: Job,
}
