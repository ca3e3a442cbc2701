//! The only module that writes to standard output and standard error.
//!
//! A command hands over an answer that can be serialised and shown; this module decides whether it
//! is printed as JSON, as text with colours or, with `--quiet`, as ids alone.

mod page;
mod plain;
mod show;
mod sink;
mod table;
mod time;
mod written_file;

use std::ffi::OsString;
use std::io::{self, ErrorKind, IsTerminal};
use std::process::ExitCode;

use anstyle::{AnsiColor, Style};
use serde::Serialize;
use serde_json::json;

pub(crate) use page::{Page, painted, terminal_width};
pub(crate) use plain::{escaped, many_lines, one_line, plural, printable_json};
pub(crate) use show::Show;
pub(crate) use sink::{Captured, Sink};
pub(crate) use table::{Cell, Table};
pub(crate) use time::{ago, day, moment};
pub(crate) use written_file::WrittenFile;

use crate::arguments::{CommandPrefix, GlobalArgs};
use crate::failure::Failure;

pub(crate) const STRONG: Style = Style::new().bold();
pub(crate) const FAINT: Style = Style::new().dimmed();
pub(crate) const NAME: Style = AnsiColor::Cyan.on_default();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const CAUTION: Style = AnsiColor::Yellow.on_default();
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();

/// The format of answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Text,
    /// Ids and the like, one per line.
    Quiet,
    Json,
}

/// Where answers and failures go, and in which format.
#[derive(Clone, Debug)]
pub(crate) struct Output {
    format: Format,
    sink: Sink,
    /// What suggested commands repeat of this one.
    prefix: CommandPrefix,
}

impl Output {
    /// Guesses the format from unparsed arguments, so that even their rejection has the right one.
    pub(crate) fn for_arguments(raw: &[OsString]) -> Output {
        let mut options = raw.iter().take_while(|argument| *argument != "--");
        let json = options.any(|argument| argument == "--json");
        Output {
            format: if json { Format::Json } else { Format::Text },
            sink: Sink::Standard,
            prefix: CommandPrefix::default(),
        }
    }

    /// Uses the format that the arguments ask for.
    pub(crate) fn with(self, globals: &GlobalArgs) -> Output {
        let format = match (globals.json, globals.quiet) {
            (true, _) => Format::Json,
            (false, true) => Format::Quiet,
            (false, false) => Format::Text,
        };
        Output {
            format,
            prefix: CommandPrefix::of(globals),
            ..self
        }
    }

    /// Uses another prefix for suggested commands.
    pub(crate) fn with_prefix(self, prefix: CommandPrefix) -> Output {
        Output { prefix, ..self }
    }

    /// Returns what suggested commands repeat of this one.
    pub(crate) fn prefix(&self) -> &CommandPrefix {
        &self.prefix
    }

    /// Writes to `sink` from now on.
    pub(crate) fn into_sink(self, sink: Sink) -> Output {
        Output { sink, ..self }
    }

    /// Whether answers are JSON.
    pub(crate) fn is_json(&self) -> bool {
        self.format == Format::Json
    }

    /// Whether answers are text for a reader.
    pub(crate) fn is_text(&self) -> bool {
        self.format == Format::Text
    }

    /// Starts a page as wide as the reader's terminal.
    pub(crate) fn page(&self) -> Page {
        let mut page = self.sink.page();
        page.prefix = self.prefix.clone();
        page
    }

    /// Writes the answer of a command.
    pub(crate) fn answer<T: Serialize + Show>(&self, answer: &T) -> Result<(), Failure> {
        match self.format {
            Format::Json => self.json(answer),
            Format::Quiet => self.verbatim(&answer.quiet()),
            Format::Text => {
                let mut page = self.page();
                answer.show(&mut page);
                self.styled(page.text())
            }
        }
    }

    /// Writes `value` as JSON, whatever the format.
    pub(crate) fn json<T: Serialize + ?Sized>(&self, value: &T) -> Result<(), Failure> {
        let json = serde_json::to_string_pretty(value)
            .map_err(|error| Failure::failed("output", format!("cannot serialise the answer: {error}")))?;
        self.verbatim(&(printable_json(&json) + "\n"))
    }

    /// Writes `text` unchanged.
    pub(crate) fn verbatim(&self, text: &str) -> Result<(), Failure> {
        written(self.sink.write(text))
    }

    /// Writes text with colours, which are removed unless a terminal reads it.
    pub(crate) fn styled(&self, text: &str) -> Result<(), Failure> {
        written(self.sink.write_styled(text))
    }

    /// Writes a note to standard error, in text format only.
    pub(crate) fn note(&self, text: &str) {
        if self.format == Format::Text {
            let text = self.prefix.complete(text);
            self.sink
                .write_error_line(&format!("{FAINT}note:{FAINT:#} {}", escaped(&text)));
        }
    }

    /// Asks for confirmation. `None` if there is no terminal to ask on.
    pub(crate) fn ask(&self, question: &str) -> Option<bool> {
        if self.format != Format::Text
            || !self.sink.is_standard()
            || !io::stdin().is_terminal()
            || !io::stderr().is_terminal()
        {
            return None;
        }
        anstream::eprint!("{CAUTION}{}{CAUTION:#} [y/N] ", escaped(question));
        let mut line = String::new();
        let read = io::stdin().read_line(&mut line);
        Some(read.is_ok() && matches!(line.trim().to_lowercase().as_str(), "y" | "yes"))
    }

    /// Writes a failure to standard error and returns its exit code.
    pub(crate) fn report(&self, failure: &Failure) -> ExitCode {
        self.failure(failure);
        ExitCode::from(failure.exit as u8)
    }

    /// Writes a failure to standard error.
    pub(crate) fn failure(&self, failure: &Failure) {
        if failure.is_reported() {
            return;
        }
        let hint = failure.hint.as_ref().map(|hint| self.prefix.complete(hint));
        match self.format {
            Format::Json => {
                let Failure { code, message, .. } = failure;
                let error = json!({"error": {"code": code, "message": message, "hint": hint}});
                self.sink.write_error_line(&printable_json(&error.to_string()));
            }
            Format::Text | Format::Quiet => {
                self.sink
                    .write_error_line(&format!("{BAD}error:{BAD:#} {}", escaped(&failure.message)));
                if let Some(hint) = &hint {
                    self.sink
                        .write_error_line(&format!("{NAME}hint:{NAME:#} {}", escaped(hint)));
                }
            }
        }
    }
}

/// A reader that closed its end (`recalld list | head -1`) has what it wanted; any other error is a
/// failure.
fn written(result: io::Result<()>) -> Result<(), Failure> {
    match result {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::failed(
            "output",
            format!("cannot write to standard output: {error}"),
        )),
        _ => Ok(()),
    }
}
