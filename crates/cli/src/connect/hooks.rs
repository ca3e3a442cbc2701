//! The hooks of a coding agent: commands that it runs at the turns of a session.

mod flat;
mod grouped;
mod plugin;

use super::json_file;
use super::launch::Launch;

/// The form of hooks in a file.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    /// Lists of groups of commands by event, as Claude Code has them.
    Grouped(Grouped),
    /// Lists of commands by event, as Cursor has them.
    Flat(&'static Events),
    /// A file of its own with a program, as opencode has it.
    Plugin,
}

/// The name of an event in the client, and of what recalld does.
type Events = [(&'static str, &'static str)];

/// Groups of commands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grouped {
    pub(super) agent: &'static str,
    pub(super) events: &'static Events,
    /// After how long the client gives up, in its own unit.
    pub(super) timeout: u32,
}

impl Form {
    /// Adds the hooks to a file, or replaces ours.
    pub(super) fn added_to(self, text: &str, launch: &Launch) -> Result<String, String> {
        let without = match text.trim().is_empty() {
            true => text.to_owned(),
            false => self.removed_from(text)?.unwrap_or_default(),
        };
        let with = match self {
            Form::Grouped(grouped) => grouped.added_to(&without, launch)?,
            Form::Flat(events) => flat::added_to(events, &without, launch)?,
            Form::Plugin => return Ok(plugin::text(launch)),
        };
        // A file that says the same already stays as it is, to the space.
        match json_file::says_the_same(text, &with) {
            true => Ok(text.to_owned()),
            false => Ok(with),
        }
    }

    /// Removes our hooks, and what this leaves empty. None: the whole file is ours.
    pub(super) fn removed_from(self, text: &str) -> Result<Option<String>, String> {
        match self {
            Form::Grouped(grouped) => grouped.removed_from(text).map(Some),
            Form::Flat(events) => flat::removed_from(events, text),
            Form::Plugin => plugin::removed_from(text),
        }
    }

    /// Whether a file has our hooks.
    pub(super) fn are_in(self, text: &str) -> bool {
        self.removed_from(text)
            .is_ok_and(|without| without.as_deref() != Some(text))
    }
}

/// What our commands contain, and no others.
const MARK: &str = " hook ";

/// Whether a command is ours.
fn is_ours(command: &str) -> bool {
    command.contains("recalld") && command.contains(MARK)
}

/// The command that runs at an event. Clients take the exit code 2 for *block this*, also that of a
/// program that is gone or does not know the command: so the line always succeeds.
fn command(launch: &Launch, agent: &str, name: &str) -> String {
    let words: Vec<String> = launch
        .words()
        .iter()
        .map(|word| crate::arguments::quoted(word))
        .collect();
    // The last word is `mcp`.
    let program = words[..words.len() - 1].join(" ");
    let agent = match agent {
        "claude-code" => String::new(),
        agent => format!(" --agent {agent}"),
    };
    format!("{program}{MARK}{name} -{agent} 2>/dev/null || true")
}
