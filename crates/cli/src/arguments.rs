//! The arguments that every command has, and what is said when they cannot be understood.

mod bearing;
pub(crate) mod number;
mod refusal;
mod words;

use std::ffi::OsString;

use clap::builder::styling::{AnsiColor, Styles};
use clap::{ArgAction, Args, Command as Line, CommandFactory, FromArgMatches, Parser, ValueHint};

pub(crate) use bearing::{Bearing, quoted, quoted_key};
pub(crate) use refusal::Stop;

use crate::commands::Command;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// Writes the examples at the end of a command's help.
macro_rules! examples {
    ($($line:literal),+ $(,)?) => {
        concat!("\u{1b}[1;32mExamples:\u{1b}[0m", $("\n  ", $line),+)
    };
}
pub(crate) use examples;

/// Remembers what matters about a user, and finds it again.
#[derive(Debug, Parser)]
#[command(
    name = "recalld",
    version,
    styles = STYLES,
    arg_required_else_help = true,
    max_term_width = 100,
    after_help = examples!(
        "recalld add \"I prefer window seats\" --category preference",
        "recalld search \"seat preference\"",
        "recalld context \"booking a flight\" --max-tokens 500",
        "recalld add --help",
    )
)]
pub(crate) struct Invocation {
    #[command(flatten)]
    pub(crate) globals: Globals,
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Invocation {
    /// Understands the program's arguments.
    pub(crate) fn parse(raw: &[OsString]) -> Result<Invocation, Stop> {
        let line = with_negative_numbers(Invocation::command());
        let understood = line
            .try_get_matches_from(raw)
            .and_then(|matches| Invocation::from_arg_matches(&matches));
        understood.map_err(|error| Stop {
            error,
            raw: raw
                .iter()
                .map(|word| word.to_string_lossy().into_owned())
                .collect(),
        })
    }
}

/// Lets `-1` be the value of an option: it is refused for what it is, and not as an option that
/// nobody knows.
fn with_negative_numbers(line: Line) -> Line {
    line.mut_args(|argument| {
        let may = !argument.is_positional() && argument.get_action().takes_values();
        argument.allow_negative_numbers(may)
    })
    .mut_subcommands(with_negative_numbers)
}

/// What can be said to every command.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Globals {
    /// Directory in which the memories are kept [default: the platform's data directory]
    #[arg(long, global = true, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) data: Option<String>,

    /// PostgreSQL database for the memories, in place of the directory
    #[arg(long, global = true, value_name = "URL", hide_env_values = true)]
    pub(crate) database_url: Option<String>,

    /// User whose memories are meant [default: local]
    #[arg(long, global = true, value_name = "ID")]
    pub(crate) user: Option<String>,

    /// Configuration file [default: recalld/config.toml where the platform keeps such files]
    #[arg(long, global = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<String>,

    /// Sets one value of the configuration (see `recalld config`)
    #[arg(short = 'o', long = "option", global = true, value_name = "KEY=VALUE")]
    pub(crate) options: Vec<String>,

    /// Answers in JSON, errors too
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// Says only what matters to a script, such as ids
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,

    /// Logs more to standard error; twice or three times for even more
    #[arg(short, long, global = true, action = ArgAction::Count, conflicts_with = "quiet")]
    pub(crate) verbose: u8,
}

/// In which conversation something is said.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Occasion {
    /// Conversation in which this is said
    #[arg(long, value_name = "ID")]
    pub(crate) conversation: Option<String>,

    /// Message in which this is said
    #[arg(long, value_name = "ID")]
    pub(crate) message: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Invocation::command().debug_assert();
    }

    #[test]
    fn every_command_has_examples() {
        for command in Invocation::command().get_subcommands() {
            let help = command
                .get_after_help()
                .map(ToString::to_string)
                .unwrap_or_default();
            let name = command.get_name();
            assert!(
                help.contains(&format!("recalld {name}")),
                "{name} shows no example of itself"
            );
        }
    }
}
