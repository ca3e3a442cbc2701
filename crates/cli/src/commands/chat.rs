//! `recalld chat`: a conversation in the terminal, with what it uses and what it learns.

mod learning;
mod lines;
mod partner;
mod terminal;

use clap::Args;
use recalld_agent::chat::{MemoryState, Reply};
use recalld_memory::id::ConversationId;
use serde::Serialize;

use crate::arguments::examples;
use crate::carry::{Piped, pipe_chat};
use crate::failure::Failure;
use crate::output::{FAINT, Page, Show, one_line};
use crate::session::Session;
use lines::Lines;
pub(crate) use lines::STOP;
use partner::Partner;
use terminal::Terminal;

/// Talks with a model that remembers
///
/// With a message it answers that one. Without it reads messages from the terminal until the input
/// ends; /memory shows what is remembered, /why what the last answer was given, /forget KEY hides a
/// memory, /new begins another conversation, /quit ends. Ctrl-C stops an answer.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld chat",
    "recalld chat \"what do you know about me?\"",
    "recalld chat \"and my dog?\" --session walk",
))]
pub(crate) struct Arguments {
    /// What to say; without it, a conversation in the terminal
    message: Option<String>,

    /// The conversation to go on with
    #[arg(short, long, value_name = "ID")]
    session: Option<String>,

    /// The model, by the deployment's name for it
    #[arg(long)]
    model: Option<String>,
}

impl Arguments {
    /// Tells whether it can be carried to a server as a command: a conversation in the terminal has
    /// a way of its own.
    pub(crate) fn is_one_message(&self) -> bool {
        self.message.is_some()
    }

    /// Talks.
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let conversation = self.session.clone().map(ConversationId::new).transpose()?;
        if let Some(message) = &self.message {
            let mut partner = Partner::new(session.write()?, conversation, self.model);
            let (_, reply) = partner.say(message, std::future::pending(), |_| ()).await?;
            partner.learn().await;
            return session.output.answer(&Said::from(&reply));
        }
        let config = session.config()?;
        let carried = [self.session, self.model.clone()];
        if let Piped::Done = pipe_chat(config, carried, session.output.bearing()).await? {
            return Ok(());
        }
        let partner = Partner::new(session.write()?, conversation, self.model);
        Terminal::new(partner, session.output.clone())
            .run(Lines::of_terminal())
            .await
    }
}

/// Holds a conversation with somebody whose lines come over a connection.
pub(crate) async fn attend(
    engine: crate::engine::Engine,
    output: crate::output::Output,
    named: [Option<String>; 2],
    lines: impl tokio::io::AsyncBufRead + Send + Unpin + 'static,
) -> Result<(), Failure> {
    let [session, model] = named;
    let conversation = session.map(ConversationId::new).transpose()?;
    let partner = Partner::new(engine, conversation, model);
    Terminal::new(partner, output).run(Lines::of_stream(lines)).await
}

/// A reply, as it is shown.
#[derive(Debug, Serialize)]
struct Said {
    reply: String,
    session_id: String,
    mode: &'static str,
    memory: bool,
    tools: Vec<String>,
}

impl From<&Reply> for Said {
    fn from(reply: &Reply) -> Said {
        Said {
            reply: reply.text.clone(),
            session_id: reply.conversation.to_string(),
            mode: reply.choice.mode.as_str(),
            memory: reply.memory == MemoryState::On,
            tools: reply.tools.clone(),
        }
    }
}

impl Show for Said {
    fn show(&self, page: &mut Page) {
        page.quote(&self.reply, 0);
        let memory = if self.memory { "" } else { ", memory was off" };
        page.line(format_args!(
            "{FAINT}session {}, {} mode{memory}{FAINT:#}",
            one_line(&self.session_id),
            self.mode
        ));
    }

    fn bare(&self) -> String {
        format!("{}\n", self.reply)
    }
}
