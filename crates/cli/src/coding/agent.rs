//! The coding agents, as far as they differ in what a hook answers.

use clap::ValueEnum;
use serde_json::{Value, json};

use super::event::HookInput;

/// A coding agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Agent {
    ClaudeCode,
    Codex,
    Cursor,
    Gemini,
    Opencode,
}

/// The form of an answer.
#[derive(Debug)]
pub(crate) enum Answer {
    /// In a field of its own, with the name of the event.
    Named(String),
    /// As Cursor has it.
    Flat,
}

impl Agent {
    /// Whether it takes in something when the user types a prompt. Cursor does so only when a
    /// session starts.
    pub(crate) fn hears_at_prompts(self) -> bool {
        self != Agent::Cursor
    }

    /// The form of the answer to an event, which some agents name otherwise.
    pub(crate) fn answer(self, input: &HookInput, event: &str) -> Answer {
        match (self, input.hook_event_name.as_str()) {
            (Agent::Cursor, _) => Answer::Flat,
            (Agent::Gemini, name) if !name.is_empty() => Answer::Named(name.to_owned()),
            _ => Answer::Named(event.to_owned()),
        }
    }
}

impl Answer {
    /// Writes what the agent should know.
    pub(crate) fn json(&self, text: &str) -> Value {
        match self {
            Answer::Named(event) => json!({"hookSpecificOutput": {
                "hookEventName": event,
                "additionalContext": text,
            }}),
            Answer::Flat => json!({"additional_context": text}),
        }
    }
}
