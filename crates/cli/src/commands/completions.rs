//! `recalld completions`: the completion script of a shell.

use clap::Args;
use clap_complete::Shell;

use super::{Execution, RunCommand};
use crate::arguments::examples;
use crate::failure::Failure;
use crate::session::Session;

/// Prints the completion script of a shell
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld completions bash > ~/.local/share/bash-completion/completions/recalld",
    "recalld completions zsh > ~/.zfunc/_recalld",
    "recalld completions fish > ~/.config/fish/completions/recalld.fish",
))]
pub(crate) struct Arguments {
    /// Shell to complete in
    shell: Shell,
}

impl RunCommand for Arguments {
    fn execution(&self) -> Execution {
        Execution::Unconfigured
    }

    async fn run(self, session: &Session) -> Result<(), Failure> {
        let mut script = Vec::new();
        clap_complete::generate(
            self.shell,
            &mut (session.program.describe)(),
            "recalld",
            &mut script,
        );
        session.output.verbatim(&String::from_utf8_lossy(&script))
    }
}
