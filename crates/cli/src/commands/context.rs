//! `recalld context`: what a model should know for a topic, within a budget.

use clap::Args;
use recalld_memory::context::{self, TOKENS_DEFAULT};
use recalld_memory::text::tokens;
use serde::Serialize;

use crate::arguments::examples;
use crate::failure::Failure;
use crate::input;
use crate::session::Session;
use crate::wire::{Memory, Tokens};

/// Writes what a model should know for a topic, never over a token budget
///
/// Standard output is exactly the text, so that its tokens are those of the budget. Nothing is written when nothing is
/// remembered or not even one entry fits.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld context \"booking a flight\"",
    "recalld context \"code review\" --max-tokens 300",
    "recalld context \"code review\" --json | jq .tokens",
))]
pub(crate) struct Arguments {
    /// What the conversation is about; `-` reads it from standard input
    topic: String,

    /// The most tokens the text may have, in cl100k_base and in o200k_base
    #[arg(short = 'm', long, default_value_t = TOKENS_DEFAULT, value_name = "N")]
    max_tokens: usize,
}

impl Arguments {
    /// Writes it.
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let topic = input::question("topic", self.topic)?;
        tokens::warm_up();
        let engine = session.read()?;
        let scope = engine.scope();
        let context = context::gather(&engine.ports, &scope, &topic, self.max_tokens).await?;
        if !session.output.is_json() {
            return session.output.verbatim(&context.text);
        }
        session.output.json(&Context {
            tokens: context.tokens.into(),
            memories: context
                .memories
                .iter()
                .map(|memory| Memory::at(memory, scope.now))
                .collect(),
            left_out: context.left_out,
            text: context.text,
        })
    }
}

#[derive(Debug, Serialize)]
struct Context {
    text: String,
    tokens: Tokens,
    memories: Vec<Memory>,
    /// How many entries found no room.
    left_out: usize,
}
