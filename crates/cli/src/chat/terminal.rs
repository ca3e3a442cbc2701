//! The conversation as the user sees it: a prompt, the answer as it arrives, what was used and what
//! was learned.

use std::collections::VecDeque;
use std::time::Duration;

use recalld_agent::agent_loop::{AgentEvent, Ending};
use recalld_agent::chat::{MemoryState, Reply, Started};
use recalld_memory::retire::{self, Retired};
use recalld_memory::space::SpaceView;
use recalld_memory::target::Target;
use tokio::task::JoinHandle;

use super::learning::Learning;
use super::lines::{Input, Lines};
use super::partner::Partner;
use crate::arguments::quoted;
use crate::failure::Failure;
use crate::output::{CAUTION, FAINT, GOOD, NAME, Output, many_lines, one_line, painted};

/// How long the prompt waits for extraction. Later results are shown before the next prompt.
const LEARNING: Duration = Duration::from_millis(1_500);

/// How long the end of the conversation waits for extraction.
const LAST_LEARNING: Duration = Duration::from_secs(20);

/// A conversation in a terminal.
#[derive(Debug)]
pub(crate) struct Terminal {
    partner: Partner,
    output: Output,
    last: Option<(Started, Reply)>,
    learning: Option<JoinHandle<Learning>>,
    waiting: VecDeque<String>,
}

impl Terminal {
    /// Connects the model to the output.
    pub(crate) fn new(partner: Partner, output: Output) -> Terminal {
        Terminal {
            partner,
            output,
            last: None,
            learning: None,
            waiting: VecDeque::new(),
        }
    }

    /// Runs until the input ends or the user quits.
    pub(crate) async fn run(mut self, mut lines: Lines) -> Result<(), Failure> {
        self.faint("Type a message, or /memory, /why, /forget KEY, /new, /quit. Ctrl-C stops an answer.")?;
        loop {
            self.output.styled(&painted(NAME, "you> "))?;
            let line = match self.waiting.pop_front() {
                // Typed while the previous answer arrived.
                Some(line) => {
                    self.output.styled(&format!("{}\n", one_line(&line)))?;
                    line
                }
                None => match lines.next().await {
                    Some(Input::Line(line)) => line,
                    Some(Input::Stop) | None => {
                        self.output.styled("\n")?;
                        return self.end().await;
                    }
                },
            };
            self.show_learned(Duration::ZERO).await?;
            let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
            let done = match word {
                "" => Ok(()),
                "/quit" | "/exit" => return self.end().await,
                "/memory" => self.show_memory().await,
                "/why" => self.show_why(),
                "/forget" => self.forget(rest.trim()).await,
                "/new" => self.start_new(),
                word if word.starts_with('/') && rest.is_empty() => {
                    self.faint("Unknown command. Commands: /memory, /why, /forget KEY, /new, /quit.")
                }
                _ => self.turn(line.trim(), &mut lines).await,
            };
            // A failure is shown, and the conversation goes on.
            if let Err(failure) = done {
                self.output.styled(&format!(
                    "{}\n",
                    painted(CAUTION, &one_line(&self.with_hint(&failure)))
                ))?;
            }
        }
    }

    /// Joins message and hint.
    fn with_hint(&self, failure: &Failure) -> String {
        match &failure.hint {
            Some(hint) => format!("{}; {}", failure.message, self.output.prefix().complete(hint)),
            None => failure.message.clone(),
        }
    }

    fn faint(&self, text: &str) -> Result<(), Failure> {
        self.output.styled(&format!("{}\n", painted(FAINT, text)))
    }

    async fn end(&mut self) -> Result<(), Failure> {
        if self.learning.is_some() {
            self.show_learned(LAST_LEARNING).await?;
        }
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
        let on_event = |event: &AgentEvent| {
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
        self.waiting.extend(typed);
        let (started, reply) = said?;
        if !fresh_line || reply.text.is_empty() {
            self.output.styled("\n")?;
        }
        self.faint(&about(&started, &reply))?;
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

    async fn show_memory(&self) -> Result<(), Failure> {
        let scope = self.partner.engine.scope();
        let look = |view: &SpaceView| -> Vec<String> {
            let line = |memory: &std::sync::Arc<recalld_memory::memory::Memory>| {
                let name = painted(NAME, &one_line(&memory.name()));
                format!("{name} {}\n", one_line(memory.content.as_str()))
            };
            view.current(scope.now).map(line).collect()
        };
        let lines = self.partner.engine.ports.spaces.read(scope.space(), look).await?;
        match lines.is_empty() {
            true => self.faint("No memories yet."),
            false => self.output.styled(&lines.concat()),
        }
    }

    fn show_why(&self) -> Result<(), Failure> {
        let Some((started, reply)) = &self.last else {
            return self.faint("No answer yet.");
        };
        let tools = match reply.tools.is_empty() {
            true => "none".to_owned(),
            false => one_line(&reply.tools.join(", ")),
        };
        let (usage, choice) = (&reply.usage, &started.choice);
        let mut text = format!(
            "{} mode: {}\nmodel {}; {} tokens in the system prompt, {} in total, {} in the answer\ntools called: {tools}\nmemories shown:{}\n",
            choice.mode.as_str(),
            choice.reason,
            one_line(&started.model),
            started.prompt_tokens,
            usage.tokens_in,
            usage.tokens_out,
            if started.used.is_empty() { " none" } else { "" },
        );
        for used in &started.used {
            text.push_str(&format!("  {}\n", one_line(&used.content)));
        }
        self.output.styled(&text)
    }

    async fn forget(&self, name: &str) -> Result<(), Failure> {
        if name.is_empty() {
            return self.faint("Usage: /forget KEY. /memory lists the memories.");
        }
        let engine = &self.partner.engine;
        let done = retire::retire(&engine.ports, &engine.scope(), Target::parse(name), None).await?;
        match done {
            Retired::Hidden(memory) => {
                let line = format!("- {}", one_line(memory.content.as_str()));
                self.output.styled(&format!("{}\n", painted(GOOD, &line)))?;
                let back = format!("Undo with `recalld restore {}`.", memory.id);
                self.faint(&one_line(&self.output.prefix().complete(&back)))
            }
            _ => self.faint("Not found. /memory lists the memories."),
        }
    }
}

/// Summarises an answer in one line.
fn about(started: &Started, reply: &Reply) -> String {
    let mut about = vec![match started.used.len() {
        1 => "1 memory used".to_owned(),
        count => format!("{count} memories used"),
    }];
    if let MemoryState::Off(why) = reply.memory {
        about.push(format!("memory off: {why}"));
    }
    match (&reply.ending, &reply.failure) {
        (Ending::Abandoned, _) if reply.text.is_empty() => {
            about.push("stopped before the answer began".to_owned());
        }
        (Ending::Abandoned, _) => about.push("stopped".to_owned()),
        (_, Some(error)) => about.push(format!("interrupted: {}", one_line(&error.to_string()))),
        (Ending::Exhausted, None) => about.push("stopped after too many steps".to_owned()),
        _ => {}
    }
    about.join(", ")
}
