//! `recalld prompt`: the block for a system prompt.

use clap::Args;
use recalld_index::text::tokens;
use recalld_memory::prompt::{self, Moment};
use recalld_wire::PromptText;

use super::context::left_out;
use crate::arguments::{examples, number};
use crate::failure::Failure;
use crate::session::Session;

/// Writes the block for a system prompt: the time, and the user's memories when a conversation
/// opens
///
/// Standard output is exactly the text, so that its tokens are those of the budget.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld prompt",
    "recalld prompt --follow-up            (the time only)",
    "recalld prompt --max-tokens 300 --json",
))]
pub(crate) struct Arguments {
    /// The conversation is under way: the memories are in it already
    #[arg(long)]
    follow_up: bool,

    /// The most tokens the text may have [default: memory.document_tokens_max]
    #[arg(short = 'm', long, value_name = "N", value_parser = number::at_least::<usize>(0))]
    max_tokens: Option<usize>,
}

impl Arguments {
    /// Writes it.
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        tokens::warm_up();
        let engine = session.read()?;
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
