//! The conversation as the user sees it: a prompt, the answer as it arrives, what was used and what
//! was learned.

use std::collections::VecDeque;
use std::time::Duration;

use recalld_agent::agent_loop::AgentEvent;
use recalld_agent::chat::{Reply, Started};
use tokio::task::JoinHandle;

use super::commands;
use super::learning::Learning;
use super::lines::Lines;
use super::partner::Partner;
use super::slash_commands;
use super::thinking::Thinking;
use super::typed::Input;
use crate::arguments::quoted;
use crate::failure::Failure;
use crate::output::{CAUTION, FAINT, GOOD, Output, many_lines, one_line, painted};

/// How long the prompt waits for extraction. Later results are shown before the next prompt.
const LEARNING: Duration = Duration::from_millis(1_500);

/// How long the end of the conversation waits for extraction.
const LAST_LEARNING: Duration = Duration::from_secs(20);

/// Which process holds the conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Host {
    /// The process that the user started.
    User { is_terminal: bool },
    /// A server, whose configuration counts.
    Server { is_terminal: bool },
}

/// A conversation in a terminal.
#[derive(Debug)]
pub(crate) struct Terminal {
    partner: Partner,
    output: Output,
    host: Host,
    last: Option<(Started, Reply)>,
    learning: Option<JoinHandle<Learning>>,
    waiting: VecDeque<Input>,
}

impl Terminal {
    /// Connects the model to the output.
    pub(crate) fn new(partner: Partner, output: Output, host: Host) -> Terminal {
        Terminal {
            partner,
            output,
            host,
            last: None,
            learning: None,
            waiting: VecDeque::new(),
        }
    }

    /// Runs until the input ends or the user quits.
    pub(crate) async fn run(mut self, mut lines: Lines) -> Result<(), Failure> {
        self.greet().await?;
        loop {
            let input = match self.waiting.pop_front() {
                // Typed while the previous answer arrived.
                Some(input) => input,
                None => {
                    lines.ask(&self.output)?;
                    lines.next().await
                }
            };
            let line = match input {
                Input::Line(line) => line,
                Input::Stop => return self.end_now(),
                Input::End => {
                    self.output.styled("\n")?;
                    return self.end().await;
                }
            };
            self.show_learned(Duration::ZERO).await?;
            let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
            let done = match word {
                "" => Ok(()),
                "/quit" | "/exit" => return self.end().await,
                "/help" => slash_commands::help(&self.output),
                "/memory" => slash_commands::memory(&self.output, &self.partner.engine).await,
                "/why" => slash_commands::why(&self.output, self.last.as_ref()),
                "/forget" => slash_commands::forget(&self.output, &self.partner.engine, rest.trim()).await,
                "/new" => self.start_new(),
                word if word.starts_with('/') && rest.is_empty() => {
                    self.faint(&format!("Unknown command. Commands: {}.", commands::names()))
                }
                _ => self.turn(line.trim(), &mut lines).await,
            };
            // A failure is shown, and the conversation goes on.
            if let Err(failure) = done {
                self.warn(&failure)?;
            }
        }
    }

    /// Names the model, and whose configuration counts. Without a model there is no conversation;
    /// one that does not answer now may do so later.
    async fn greet(&self) -> Result<(), Failure> {
        let server = match self.host {
            Host::Server { .. } => format!(
                " The server that holds the data directory (process {}) answers, with its configuration.",
                std::process::id()
            ),
            Host::User { .. } => String::new(),
        };
        match self.partner.model().await {
            Ok(model) => self.faint(&format!("Talking to {}.{server}", one_line(&model)))?,
            Err(failure) if failure.code == "no_model" => {
                let message = format!("{}{}", failure.message, server.trim_end_matches('.'));
                let message = message.replacen(" The server", ": the server", 1);
                return Err(Failure { message, ..failure });
            }
            Err(failure) => self.warn(&failure)?,
        }
        self.faint("Type a message, or /help. Ctrl-C stops an answer, and at the prompt the conversation.")
    }

    fn warn(&self, failure: &Failure) -> Result<(), Failure> {
        let text = one_line(&self.with_hint(failure));
        self.output.styled(&format!("{}\n", painted(CAUTION, &text)))
    }

    /// Joins message and hint.
    fn with_hint(&self, failure: &Failure) -> String {
        match &failure.hint {
            Some(hint) => format!("{}; {}", failure.message, self.output.prefix().complete(hint)),
            None => failure.message.clone(),
        }
    }

    fn faint(&self, text: &str) -> Result<(), Failure> {
        slash_commands::faint(&self.output, text)
    }

    async fn end(&mut self) -> Result<(), Failure> {
        if self.learning.is_some() {
            self.show_learned(LAST_LEARNING).await?;
        }
        self.show_continuation()
    }

    /// Ends at once. What was said last is learned in the background: by the server, or by the next
    /// process that opens the memories.
    fn end_now(&mut self) -> Result<(), Failure> {
        self.output.styled("\n")?;
        let is_learning = self
            .learning
            .take()
            .is_some_and(|learning| !learning.is_finished());
        if is_learning {
            let who = match self.host {
                Host::Server { .. } => "the server",
                Host::User { .. } => "the next conversation or server",
            };
            self.faint(&format!("What was said last will be learned by {who}."))?;
        }
        self.show_continuation()
    }

    fn show_continuation(&self) -> Result<(), Failure> {
        if let Some(conversation) = &self.partner.conversation {
            let again = format!("chat --session {}", quoted(conversation.as_str()));
            let again = self.output.prefix().command(&again);
            self.faint(&format!("Continue with: {}", one_line(&again)))?;
        }
        Ok(())
    }

    fn start_new(&mut self) -> Result<(), Failure> {
        self.partner.conversation = None;
        self.faint("Started a new conversation. Memories are unchanged.")
    }

    async fn turn(&mut self, message: &str, lines: &mut Lines) -> Result<(), Failure> {
        let output = self.output.clone();
        let mut fresh_line = true;
        let (Host::User { is_terminal } | Host::Server { is_terminal }) = self.host;
        let thinking = Thinking::start(&output, is_terminal);
        let on_event = |event: &AgentEvent| {
            thinking.stop();
            // A closed terminal does not interrupt the model.
            let _ = match event {
                AgentEvent::Text(text) => {
                    fresh_line = text.ends_with('\n');
                    output.verbatim(&many_lines(text))
                }
                AgentEvent::CallReady { name, .. } => {
                    output.styled(&painted(FAINT, &format!("[{}] ", one_line(name))))
                }
                _ => Ok(()),
            };
        };
        let mut typed = Vec::new();
        let said = self
            .partner
            .say(message, lines.stopped(&mut typed), on_event)
            .await;
        thinking.stop();
        self.waiting.extend(typed);
        let (started, reply) = said?;
        if !fresh_line || reply.text.is_empty() {
            self.output.styled("\n")?;
        }
        self.faint(&slash_commands::about(&started, &reply))?;
        self.last = Some((started, reply));
        // One extraction at a time: the new one covers what the old one left.
        if let Some(learning) = self.learning.take() {
            learning.abort();
        }
        self.learning = Some(tokio::spawn(self.partner.learn()));
        self.show_learned(LEARNING).await
    }

    /// Shows what was learned, if extraction finishes within `patience`.
    async fn show_learned(&mut self, patience: Duration) -> Result<(), Failure> {
        let Some(mut learning) = self.learning.take() else {
            return Ok(());
        };
        match tokio::time::timeout(patience, &mut learning).await {
            Ok(learned) => {
                let lines = learned.map(|learned| learned.0).unwrap_or_default();
                for line in lines {
                    self.output.styled(&format!("{}\n", painted(GOOD, &line)))?;
                }
            }
            Err(_) => self.learning = Some(learning),
        }
        Ok(())
    }
}
