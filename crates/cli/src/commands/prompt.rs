//! `recalld prompt`: the memory block of a system prompt.

use clap::Args;
use recalld_index::text::tokens;
use recalld_memory::prompt::{self, Moment};
use recalld_wire::PromptText;

use super::RunCommand;
use super::context::left_out;
use crate::arguments::{examples, number};
use crate::failure::Failure;
use crate::session::Session;

/// Prints the memory block of a system prompt: the time, and the user's memories at the start of a
/// conversation
///
/// Standard output is exactly the text that the budget applies to.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld prompt",
    "recalld prompt --follow-up            (only the time)",
    "recalld prompt --max-tokens 300 --json",
))]
pub(crate) struct Arguments {
    /// Omits the memories, which the conversation already contains
    #[arg(long)]
    follow_up: bool,

    /// Maximum number of tokens [default: memory.document_tokens_max]
    #[arg(short = 'm', long, value_name = "N", value_parser = number::at_least::<usize>(0))]
    max_tokens: Option<usize>,
}

impl RunCommand for Arguments {
    async fn run(self, session: &Session) -> Result<(), Failure> {
        tokens::warm_up();
        let engine = session.read().await?;
        let moment = match self.follow_up {
            true => Moment::FollowUp,
            false => Moment::FirstMessage,
        };
        let max_tokens = self
            .max_tokens
            .unwrap_or(engine.ports.settings.document_tokens_max);
        let block = prompt::block(&engine.ports, &engine.scope(), moment, max_tokens).await?;
        if !session.output.is_json() {
            session.output.verbatim(&block.text)?;
            if let Some(note) = left_out(block.left_out, max_tokens, block.text.is_empty()) {
                session.output.note(&note);
            }
            return Ok(());
        }
        session.output.json(&PromptText::from(block))
    }
}
