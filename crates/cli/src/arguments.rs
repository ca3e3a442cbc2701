//! Arguments that several commands share. Commands themselves are unknown here.

mod command_prefix;
pub(crate) mod duration;
pub(crate) mod number;

use clap::{ArgAction, Args, ValueHint};

pub(crate) use command_prefix::{CommandPrefix, quoted, quoted_key};

/// Writes the examples at the end of a command's help.
macro_rules! examples {
    ($($line:literal),+ $(,)?) => {
        concat!("\u{1b}[1;32mExamples:\u{1b}[0m", $("\n  ", $line),+)
    };
}
pub(crate) use examples;

/// The arguments that every command accepts.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct GlobalArgs {
    /// Directory that stores the memories [default: recalld in the platform's data directory]
    #[arg(long, global = true, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) data: Option<String>,

    /// PostgreSQL database that stores the memories, instead of the data directory
    #[arg(long, global = true, value_name = "URL", hide_env_values = true)]
    pub(crate) database_url: Option<String>,

    /// Keeps memories in this process only: nothing is stored
    #[arg(long = "memory", global = true, conflicts_with_all = ["data", "database_url"])]
    pub(crate) in_memory: bool,

    /// User whose memories to use [default: local]
    #[arg(long, global = true, value_name = "ID")]
    pub(crate) user: Option<String>,

    /// Project to work in: a directory such as `.`, or a name
    #[arg(long, global = true, value_name = "PROJECT", value_hint = ValueHint::DirPath)]
    pub(crate) project: Option<String>,

    /// Configuration file [default: recalld/config.toml in the platform's configuration directory]
    #[arg(long, global = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<String>,

    /// Sets one configuration value (`recalld config` lists them)
    #[arg(short = 'o', long = "option", global = true, value_name = "KEY=VALUE")]
    pub(crate) options: Vec<String>,

    /// Prints results and errors as JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,

    /// Prints only what a script needs, such as ids
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,

    /// Logs more to standard error; repeat for more detail (-vv, -vvv)
    #[arg(short, long, global = true, action = ArgAction::Count, conflicts_with = "quiet")]
    pub(crate) verbose: u8,
}

/// The argument that selects the memories that all users may read.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct SharedArgs {
    /// Uses the memories that all users may read, instead of the user's own
    #[arg(long)]
    pub(crate) shared: bool,
}

/// The arguments that name the conversation and message of a change.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct ConversationArgs {
    /// Conversation that the change belongs to
    #[arg(long, value_name = "ID")]
    pub(crate) conversation: Option<String>,

    /// Message that the change belongs to
    #[arg(long, value_name = "ID")]
    pub(crate) message: Option<String>,
}
