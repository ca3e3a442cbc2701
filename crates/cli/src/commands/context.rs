//! `recalld context`: what a model should know about a topic, within a token budget.

use clap::Args;
use recalld_index::text::tokens;
use recalld_memory::context::{self, TOKENS_DEFAULT};
use recalld_wire::ContextText;

use super::RunCommand;
use crate::arguments::{examples, number};
use crate::failure::Failure;
use crate::input;
use crate::session::Session;

/// Prints what a model should know about a topic, within a token budget
///
/// Standard output is exactly the text that the budget applies to. It is empty if there are no
/// memories or if not even one entry fits; entries that do not fit are reported on standard error.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld context \"booking a flight\"",
    "recalld context \"code review\" --max-tokens 300",
    "recalld context \"code review\" --json | jq .tokens",
))]
pub(crate) struct Arguments {
    /// What the conversation is about; `-` reads it from standard input
    topic: String,

    /// Maximum number of tokens, in both cl100k_base and o200k_base
    #[arg(short = 'm', long, default_value_t = TOKENS_DEFAULT, value_name = "N", value_parser = number::at_least::<usize>(0))]
    max_tokens: usize,
}

impl RunCommand for Arguments {
    async fn run(self, session: &Session) -> Result<(), Failure> {
        let topic = input::question("topic", self.topic)?;
        tokens::warm_up();
        let engine = session.read().await?;
        let scope = engine.scope();
        let context = context::gather(&engine.ports, &scope, &topic, self.max_tokens).await?;
        if !session.output.is_json() {
            session.output.verbatim(&context.text)?;
            if let Some(note) = left_out(context.left_out, self.max_tokens, context.text.is_empty()) {
                session.output.note(&note);
            }
            return Ok(());
        }
        session.output.json(&ContextText::from(context))
    }
}

/// Reports entries that did not fit, which the text itself must not mention.
pub(super) fn left_out(count: usize, max_tokens: usize, nothing_fits: bool) -> Option<String> {
    let entries = match count {
        0 => return None,
        1 => "1 entry".to_owned(),
        several => format!("{several} entries"),
    };
    Some(match nothing_fits {
        true => format!("nothing fits into {max_tokens} tokens: {entries} left out (--max-tokens)"),
        false => format!("{entries} left out: they do not fit into {max_tokens} tokens (--max-tokens)"),
    })
}
