//! `recalld chat`: a conversation in the terminal, with what it uses and what it learns.

use std::io::IsTerminal;

use clap::Args;
use recalld_agent::chat::{MemoryState, Reply, Started};
use recalld_memory::id::ConversationId;
use serde::Serialize;

use super::{Execution, RunCommand};
use crate::arguments::examples;
use crate::chat::{Host, Lines, Partner, Terminal};
use crate::failure::Failure;
use crate::forward::{Forwarded, forward_chat};
use crate::output::{FAINT, Page, Show, one_line};
use crate::session::Session;

/// Chats with a model that remembers
///
/// With a message, prints the answer to it and what was used. Without one, reads messages from the
/// terminal until the input ends: /help lists the commands, Tab completes them, and the arrow keys
/// bring back what was typed. Ctrl-C stops an answer, and at the prompt the program.
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
            let model = partner.model().await?;
            let (started, reply) = partner.say(message, std::future::pending(), |_| ()).await?;
            partner.learn().await;
            return session.output.answer(&Answer::new(model, &started, &reply));
        }
        let config = session.config()?;
        let prefix = session.output.prefix();
        if let Forwarded::Done(code) = forward_chat(config, self.session, self.model.clone(), prefix).await? {
            return match code {
                0 => Ok(()),
                // The server has said why.
                code => Err(Failure::reported(code)),
            };
        }
        let partner = Partner::new(session.write().await?, conversation, self.model);
        let is_terminal = std::io::stdout().is_terminal();
        Terminal::new(partner, session.output.clone(), Host::User { is_terminal })
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
    model: String,
    memory: bool,
    tools: Vec<String>,
    /// The memories that the model was shown.
    used: Vec<String>,
}

impl Answer {
    fn new(model: String, started: &Started, reply: &Reply) -> Answer {
        Answer {
            reply: reply.text.clone(),
            session_id: reply.conversation.to_string(),
            mode: reply.choice.mode.as_str(),
            model,
            memory: reply.memory == MemoryState::On,
            tools: reply.tools.clone(),
            used: started.used.iter().map(|used| used.content.to_string()).collect(),
        }
    }
}

impl Show for Answer {
    fn show(&self, page: &mut Page) {
        page.quote(&self.reply, 0);
        for used in &self.used {
            page.line(format_args!("{FAINT}used: {}{FAINT:#}", one_line(used)));
        }
        if !self.tools.is_empty() {
            let tools = one_line(&self.tools.join(", "));
            page.line(format_args!("{FAINT}tools: {tools}{FAINT:#}"));
        }
        let memory = if self.memory { "" } else { ", memory off" };
        page.line(format_args!(
            "{FAINT}session {}, {}, {} mode{memory}{FAINT:#}",
            one_line(&self.session_id),
            one_line(&self.model),
            self.mode
        ));
    }

    fn quiet(&self) -> String {
        format!("{}\n", self.reply)
    }
}
