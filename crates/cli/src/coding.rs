//! Memory in coding agents, without tool calls: what a hook injects, what it captures, and what it
//! must never do: block, fail, or speak of another project.

pub(crate) mod agent;
pub(crate) mod bearing;
pub(crate) mod event;
pub(crate) mod evidence;
pub(crate) mod guard;
pub(crate) mod handoff;
pub(crate) mod injection;
pub(crate) mod log;
pub(crate) mod project;
pub(crate) mod session_state;
pub(crate) mod transcripts;
