//! A conversation with a model in a terminal: this process's own, or that of a process that
//! forwards it.

mod commands;
mod learning;
mod line_reader;
mod lines;
mod partner;
mod slash_commands;
mod terminal;
mod thinking;
mod typed;

use recalld_memory::id::ConversationId;
use tokio::io::AsyncBufRead;

pub(crate) use lines::{ASK, END, EXIT, Lines, STOP};
pub(crate) use partner::Partner;
pub(crate) use terminal::{Host, Terminal};
pub(crate) use typed::Input;

use crate::engine::Engine;
use crate::failure::Failure;
use crate::output::Output;

/// Holds a conversation whose lines arrive over a connection.
pub(crate) async fn over_connection(
    engine: Engine,
    output: Output,
    conversation: Option<String>,
    model: Option<String>,
    is_terminal: bool,
    lines: impl AsyncBufRead + Send + Unpin + 'static,
) -> Result<(), Failure> {
    let conversation = conversation.map(ConversationId::new).transpose()?;
    let partner = Partner::new(engine, conversation, model);
    let host = Host::Server { is_terminal };
    Terminal::new(partner, output, host)
        .run(Lines::of_stream(lines))
        .await
}
