//! The line editor of a terminal.

use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};

use super::PROMPT;
use crate::chat::commands;
use crate::chat::typed::Input;
use crate::output::{NAME, painted};

/// Reads lines from a terminal.
pub(super) struct LineEditor(Editor<Commands, MemHistory>);

impl LineEditor {
    /// Prepares the terminal; `None` if it cannot be edited on.
    pub(super) fn new() -> Option<LineEditor> {
        let config = Config::builder().completion_type(CompletionType::List).build();
        let mut editor = Editor::with_history(config, MemHistory::new()).ok()?;
        editor.set_helper(Some(Commands));
        Some(LineEditor(editor))
    }

    /// Reads the next line.
    pub(super) fn next(&mut self) -> Input {
        let prompt = (PROMPT.to_owned(), painted(NAME, PROMPT));
        match self.0.readline(&prompt) {
            Ok(line) => {
                let _ = self.0.add_history_entry(&line);
                Input::Line(line)
            }
            Err(ReadlineError::Interrupted) => Input::Stop,
            Err(_) => Input::End,
        }
    }
}

/// Completes commands.
struct Commands;

impl Completer for Commands {
    type Candidate = Pair;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<Pair>)> {
        let found = commands::completions(&line[..at]);
        let pair = |name: &str| Pair {
            display: name.to_owned(),
            replacement: name.to_owned(),
        };
        Ok((0, found.into_iter().map(pair).collect()))
    }
}

impl Hinter for Commands {
    type Hint = String;
}
impl Highlighter for Commands {}
impl Validator for Commands {}
impl Helper for Commands {}
