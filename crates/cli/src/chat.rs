//! A conversation with a model in a terminal: this process's own, or that of a process that
//! forwards it.

mod learning;
mod lines;
mod partner;
mod terminal;

use recalld_memory::id::ConversationId;
use tokio::io::AsyncBufRead;

pub(crate) use lines::{Lines, STOP};
pub(crate) use partner::Partner;
pub(crate) use terminal::Terminal;

use crate::engine::Engine;
use crate::failure::Failure;
use crate::output::Output;

/// Holds a conversation whose lines arrive over a connection.
pub(crate) async fn over_connection(
    engine: Engine,
    output: Output,
    conversation: Option<String>,
    model: Option<String>,
    lines: impl AsyncBufRead + Send + Unpin + 'static,
) -> Result<(), Failure> {
    let conversation = conversation.map(ConversationId::new).transpose()?;
    let partner = Partner::new(engine, conversation, model);
    Terminal::new(partner, output).run(Lines::of_stream(lines)).await
}
