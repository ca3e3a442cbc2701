//! `recalld chat`: a conversation in the terminal, with what it uses and what it learns.

use clap::Args;
use recalld_agent::chat::{MemoryState, Reply};
use recalld_memory::id::ConversationId;
use serde::Serialize;

use super::{Execution, RunCommand};
use crate::arguments::examples;
use crate::chat::{Lines, Partner, Terminal};
use crate::failure::Failure;
use crate::forward::{Forwarded, forward_chat};
use crate::output::{FAINT, Page, Show, one_line};
use crate::session::Session;

/// Chats with a model that remembers
///
/// With a message, prints the answer to it. Without one, reads messages from the terminal until the
/// input ends: /memory shows the memories, /why explains the last answer, /forget KEY hides a
/// memory, /new starts another conversation, /quit ends the program. Ctrl-C stops an answer.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld chat",
    "recalld chat \"what do you know about me?\"",
    "recalld chat \"and my dog?\" --session walk",
))]
pub(crate) struct Arguments {
    /// Message to answer [default: a conversation in the terminal]
    message: Option<String>,

    /// Conversation to continue
    #[arg(short, long, value_name = "ID")]
    session: Option<String>,

    /// Model to use, one of chat.models [default: chat.model]
    #[arg(long)]
    model: Option<String>,
}

impl RunCommand for Arguments {
    fn execution(&self) -> Execution {
        match self.message {
            Some(_) => Execution::Forwarded,
            None => Execution::Interactive,
        }
    }

    async fn run(self, session: &Session) -> Result<(), Failure> {
        let conversation = self.session.clone().map(ConversationId::new).transpose()?;
        if let Some(message) = &self.message {
            let mut partner = Partner::new(session.write().await?, conversation, self.model);
            let (_, reply) = partner.say(message, std::future::pending(), |_| ()).await?;
            partner.learn().await;
            return session.output.answer(&Answer::from(&reply));
        }
        let config = session.config()?;
        let prefix = session.output.prefix();
        if let Forwarded::Done(_) = forward_chat(config, self.session, self.model.clone(), prefix).await? {
            return Ok(());
        }
        let partner = Partner::new(session.write().await?, conversation, self.model);
        Terminal::new(partner, session.output.clone())
            .run(Lines::of_terminal())
            .await
    }
}

/// The answer to one message.
#[derive(Debug, Serialize)]
struct Answer {
    reply: String,
    session_id: String,
    mode: &'static str,
    memory: bool,
    tools: Vec<String>,
}

impl From<&Reply> for Answer {
    fn from(reply: &Reply) -> Answer {
        Answer {
            reply: reply.text.clone(),
            session_id: reply.conversation.to_string(),
            mode: reply.choice.mode.as_str(),
            memory: reply.memory == MemoryState::On,
            tools: reply.tools.clone(),
        }
    }
}

impl Show for Answer {
    fn show(&self, page: &mut Page) {
        page.quote(&self.reply, 0);
        let memory = if self.memory { "" } else { ", memory off" };
        page.line(format_args!(
            "{FAINT}session {}, {} mode{memory}{FAINT:#}",
            one_line(&self.session_id),
            self.mode
        ));
    }

    fn quiet(&self) -> String {
        format!("{}\n", self.reply)
    }
}
