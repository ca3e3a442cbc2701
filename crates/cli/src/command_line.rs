//! The command line: the list of all commands, and how arguments are parsed. Only `main` knows this
//! module.

mod command;
mod forwarded;
mod usage_error;
mod words;

use std::ffi::OsString;

use clap::builder::styling::{AnsiColor, Styles};
use clap::{CommandFactory, FromArgMatches, Parser};

pub(crate) use command::Command;
pub(crate) use usage_error::NotRun;

use crate::arguments::{GlobalArgs, examples};
use crate::session::Program;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// What commands may need of the program as a whole.
pub(crate) const PROGRAM: Program = Program {
    describe: Invocation::command,
    run_forwarded: forwarded::run,
};

/// The memory server for LLM agents: stores what matters about each user, and finds it again
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
    pub(crate) globals: GlobalArgs,
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Invocation {
    /// Parses the arguments of the program, the first of which is its name.
    pub(crate) fn parse(raw: &[OsString]) -> Result<Invocation, NotRun> {
        let line = with_negative_numbers(Invocation::command());
        let parsed = line
            .try_get_matches_from(raw)
            .and_then(|matches| Invocation::from_arg_matches(&matches));
        parsed.map_err(|error| NotRun::new(error, raw))
    }
}

/// Accepts `-1` as the value of an option, so that the error is about the value and not about an
/// unknown option.
fn with_negative_numbers(line: clap::Command) -> clap::Command {
    line.mut_args(|argument| {
        let may = !argument.is_positional() && argument.get_action().takes_values();
        argument.allow_negative_numbers(may)
    })
    .mut_subcommands(with_negative_numbers)
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
