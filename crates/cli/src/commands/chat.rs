//! `recalld chat`: a conversation in the terminal, with what it uses and what it learns.

use std::io::Write;
use std::sync::Arc;

use clap::Args;
use recalld_memory::agent::AgentEvent;
use recalld_memory::chat::{self, MemoryState, Reply, Request, Started};
use recalld_memory::conversation::MessageText;
use recalld_memory::extract::{Worker, WorkerSettings};
use recalld_memory::id::ConversationId;
use recalld_memory::retire::{self, Retired};
use recalld_memory::target::Target;
use serde::Serialize;

use crate::arguments::examples;
use crate::engine::Engine;
use crate::failure::{Failure, chain};
use crate::output::{CAUTION, FAINT, NAME, Page, Show, one_line, painted};
use crate::session::Session;

/// Talks with a model that remembers
///
/// With a message it answers that one. Without it reads messages from the terminal until the input ends; /memory shows what is
/// remembered, /why what the last answer was given, /forget KEY hides a memory, /quit ends.
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
    /// Tells whether it can be carried to a server: a conversation in the terminal cannot.
    pub(crate) fn is_one_message(&self) -> bool {
        self.message.is_some()
    }

    /// Talks.
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let conversation = self.session.map(ConversationId::new).transpose()?;
        let mut chat = Chat {
            engine: session.write()?,
            conversation,
            model: self.model,
            last: None,
        };
        if let Some(message) = self.message {
            let (_, reply) = chat.say(&message, |_| ()).await?;
            chat.learn().await;
            return session.output.answer(&Said::from(&reply));
        }
        chat.run_in_terminal(session).await
    }
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

struct Chat {
    engine: Engine,
    conversation: Option<ConversationId>,
    model: Option<String>,
    last: Option<(Started, Reply)>,
}

/// What went wrong, and what to do about it.
fn with_hint(failure: &Failure) -> String {
    match &failure.hint {
        Some(hint) => format!("{}; {hint}", failure.message),
        None => failure.message.clone(),
    }
}

impl Chat {
    /// Says something, and passes on the answer's text as it comes.
    async fn say(
        &mut self,
        message: &str,
        mut heard: impl FnMut(&AgentEvent),
    ) -> Result<(Started, Reply), Failure> {
        let text = MessageText::new(message.to_owned())
            .map_err(|error| Failure::bad_input("chat", error.to_string()))?;
        let request = Request {
            conversation: self.conversation.clone(),
            model: self.model.clone(),
            ..Request::new(text)
        };
        let begun = chat::begin(&self.engine.ports, &self.engine.scope(), request).await;
        let mut talk = begun.map_err(|refusal| {
            Failure::failed("chat", refusal.to_string())
                .hint("set OPENAI_API_KEY or ANTHROPIC_API_KEY, or openai.url for a server of your own")
        })?;
        while let Some(event) = talk.events.recv().await {
            heard(&event);
        }
        let reply = talk.reply.await;
        let reply = reply.map_err(|_| Failure::failed("chat", "the reply did not come"))?;
        if let Some(error) = reply.failure.as_ref().filter(|_| reply.text.is_empty()) {
            return Err(Failure::failed("chat", chain(error)));
        }
        self.conversation = Some(reply.conversation.clone());
        Ok((talk.started, reply))
    }

    /// Reads what was said, and gives what it came to: lines to show.
    async fn learn(&self) -> Vec<String> {
        let mut ports = self.engine.ports.clone();
        let mut settings = (*ports.settings).clone();
        settings.extraction.buffer_idle = std::time::Duration::ZERO;
        ports.settings = Arc::new(settings);
        let worker = Worker {
            ports,
            administration: self.engine.administration.clone(),
            settings: WorkerSettings {
                name: format!("chat-{}", std::process::id()),
                ..WorkerSettings::default()
            },
            figures: Arc::default(),
        };
        if let Err(error) = worker.work_for(self.engine.scope().space()).await {
            tracing::warn!(%error, "what was said will be read later");
        }
        let of = |name: &str| {
            let all = worker.figures.all();
            all.into_iter()
                .find(|(known, _)| *known == name)
                .map_or(0, |(_, count)| count)
        };
        let told = [
            ("remembered", "new"),
            ("revised", "changed"),
            ("retired", "hidden"),
        ];
        told.into_iter()
            .filter(|(name, _)| 0 < of(name))
            .map(|(name, word)| format!("{} {word}", of(name)))
            .collect()
    }

    async fn run_in_terminal(&mut self, session: &Session) -> Result<(), Failure> {
        session.output.note("Talk, or /memory, /why, /forget KEY, /quit.");
        loop {
            prompt(session)?;
            let mut line = String::new();
            // The end of the input, or no input at all, ends the conversation.
            if !matches!(std::io::stdin().read_line(&mut line), Ok(1..)) {
                return Ok(());
            }
            let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
            match word {
                "" => {}
                "/quit" | "/exit" => return Ok(()),
                "/memory" => self.show_memory(session).await?,
                "/why" => self.show_why(session)?,
                "/forget" => self.forget(session, rest.trim()).await?,
                _ => self.turn(session, line.trim()).await?,
            }
        }
    }

    async fn turn(&mut self, session: &Session, message: &str) -> Result<(), Failure> {
        let output = session.output.clone();
        let heard = |event: &AgentEvent| {
            // A terminal that went away is no reason to stop in the middle.
            let _ = match event {
                AgentEvent::Text(text) => output.verbatim(&crate::output::escaped(text)),
                AgentEvent::CallReady { name, .. } => {
                    output.styled(&painted(FAINT, &format!("[{}] ", one_line(name))))
                }
                _ => Ok(()),
            };
        };
        match self.say(message, heard).await {
            Ok((started, reply)) => {
                session.output.verbatim("\n")?;
                let mut about = vec![format!("{} memories used", started.used.len())];
                if let MemoryState::Off(why) = reply.memory {
                    about.push(format!("memory was off: {why}"));
                }
                about.extend(self.learn().await);
                session
                    .output
                    .styled(&format!("{}\n", painted(FAINT, &about.join(", "))))?;
                self.last = Some((started, reply));
                Ok(())
            }
            Err(failure) => session.output.styled(&format!(
                "{}\n",
                painted(CAUTION, &one_line(&with_hint(&failure)))
            )),
        }
    }

    async fn show_memory(&self, session: &Session) -> Result<(), Failure> {
        let scope = self.engine.scope();
        let look = |view: &recalld_memory::space::SpaceView| -> Vec<String> {
            let current = view.current(scope.now);
            current
                .map(|memory| {
                    format!(
                        "{} {}",
                        painted(NAME, &one_line(&memory.name())),
                        one_line(memory.content.as_str())
                    )
                })
                .collect()
        };
        let lines = self.engine.ports.spaces.read(scope.space(), look).await?;
        session.output.styled(&format!("{}\n", lines.join("\n")))
    }

    fn show_why(&self, session: &Session) -> Result<(), Failure> {
        let Some((started, reply)) = &self.last else {
            return session.output.styled("Nothing was said yet.\n");
        };
        let mut text = format!(
            "{} mode, because {}; {} tokens of system prompt; tools: {}\n",
            started.choice.mode.as_str(),
            started.choice.reason,
            started.prompt_tokens,
            reply.tools.join(", ")
        );
        for used in &started.used {
            text.push_str(&format!("  {}\n", one_line(&used.content)));
        }
        session.output.styled(&text)
    }

    async fn forget(&self, session: &Session, name: &str) -> Result<(), Failure> {
        let target = Target::parse(name);
        let done = retire::retire(&self.engine.ports, &self.engine.scope(), target, None).await?;
        session.output.styled(match done {
            Retired::Hidden(_) => "Forgotten; `recalld restore` brings it back.\n",
            _ => "There is no such memory; /memory lists them.\n",
        })
    }
}

fn prompt(session: &Session) -> Result<(), Failure> {
    session.output.styled(&painted(NAME, "you> "))?;
    let _ = std::io::stdout().flush();
    Ok(())
}
