//! `recalld completions`: what a shell needs to complete the commands.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::arguments::{Invocation, examples};
use crate::failure::Failure;
use crate::session::Session;

/// Writes the completions for a shell
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld completions bash > ~/.local/share/bash-completion/completions/recalld",
    "recalld completions zsh > ~/.zfunc/_recalld",
    "recalld completions fish > ~/.config/fish/completions/recalld.fish",
))]
pub(crate) struct Arguments {
    /// The shell
    shell: Shell,
}

impl Arguments {
    /// Writes them.
    pub(crate) fn run(self, session: &Session) -> Result<(), Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Invocation::command(), "recalld", &mut script);
        session.output.verbatim(&String::from_utf8_lossy(&script))
    }
}
