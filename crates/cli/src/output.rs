//! The one way to standard output and standard error, for people and for programs.
//!
//! A command gives an answer that can be serialised and shown; whether it comes out as JSON, as a
//! page with colours or as bare ids is decided here. Nothing else prints.

mod made;
mod page;
mod plain;
mod show;
mod sink;
mod table;
mod time;

use std::ffi::OsString;
use std::io::{self, ErrorKind, IsTerminal};

use anstyle::{AnsiColor, Style};
use serde::Serialize;
use serde_json::json;

pub(crate) use made::MadeFile;
pub(crate) use page::{Page, painted, terminal_width};
pub(crate) use plain::{escaped, many_lines, one_line, plural, printable_json};
pub(crate) use show::Show;
pub(crate) use sink::{Captured, Sink};
pub(crate) use table::{Cell, Table};
pub(crate) use time::{ago, day, moment};

use crate::arguments::{Bearing, Globals};
use crate::failure::Failure;

pub(crate) const STRONG: Style = Style::new().bold();
pub(crate) const FAINT: Style = Style::new().dimmed();
pub(crate) const NAME: Style = AnsiColor::Cyan.on_default();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const CAUTION: Style = AnsiColor::Yellow.on_default();
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();

/// How answers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Page,
    /// Ids and the like, one a line.
    Bare,
    Json,
}

/// Where answers and failures go.
#[derive(Clone, Debug)]
pub(crate) struct Output {
    form: Form,
    sink: Sink,
    /// What a command that is suggested must repeat of this one.
    bearing: Bearing,
}

impl Output {
    /// Guesses from arguments that are not understood yet, so that even their refusal has the right
    /// form.
    pub(crate) fn for_arguments(raw: &[OsString]) -> Output {
        let mut options = raw.iter().take_while(|argument| *argument != "--");
        let json = options.any(|argument| argument == "--json");
        Output {
            form: if json { Form::Json } else { Form::Page },
            sink: Sink::Standard,
            bearing: Bearing::default(),
        }
    }

    /// Takes the form that the arguments ask for.
    pub(crate) fn with(self, globals: &Globals) -> Output {
        let form = match (globals.json, globals.quiet) {
            (true, _) => Form::Json,
            (false, true) => Form::Bare,
            (false, false) => Form::Page,
        };
        Output {
            form,
            bearing: Bearing::of(globals),
            ..self
        }
    }

    /// Suggests commands as somebody else must write them.
    pub(crate) fn with_bearing(self, bearing: Bearing) -> Output {
        Output { bearing, ..self }
    }

    /// Gives what a command that is suggested must repeat of this one.
    pub(crate) fn bearing(&self) -> &Bearing {
        &self.bearing
    }

    /// Takes answers and failures to `sink` from now on.
    pub(crate) fn into_sink(self, sink: Sink) -> Output {
        Output { sink, ..self }
    }

    /// Tells whether a program reads this.
    pub(crate) fn is_json(&self) -> bool {
        self.form == Form::Json
    }

    /// Opens a page for the reader.
    pub(crate) fn page(&self) -> Page {
        let mut page = self.sink.page();
        page.bearing = self.bearing.clone();
        page
    }

    /// Writes the answer of a command.
    pub(crate) fn answer<T: Serialize + Show>(&self, answer: &T) -> Result<(), Failure> {
        match self.form {
            Form::Json => self.json(answer),
            Form::Bare => self.verbatim(&answer.bare()),
            Form::Page => {
                let mut page = self.page();
                answer.show(&mut page);
                self.styled(page.text())
            }
        }
    }

    /// Writes `value` as JSON, whatever the form.
    pub(crate) fn json<T: Serialize + ?Sized>(&self, value: &T) -> Result<(), Failure> {
        let json = serde_json::to_string_pretty(value).map_err(|error| {
            Failure::failed("output", format!("the answer cannot be written as JSON: {error}"))
        })?;
        self.verbatim(&(printable_json(&json) + "\n"))
    }

    /// Writes `text` as it is, to the byte.
    pub(crate) fn verbatim(&self, text: &str) -> Result<(), Failure> {
        written(self.sink.write(text))
    }

    /// Writes text with colours, which reach a terminal only.
    pub(crate) fn styled(&self, text: &str) -> Result<(), Failure> {
        written(self.sink.write_styled(text))
    }

    /// Says something beside the answer to a person, on standard error.
    pub(crate) fn note(&self, text: &str) {
        if self.form == Form::Page {
            let text = self.bearing.complete(text);
            self.sink
                .complain(&format!("{FAINT}note:{FAINT:#} {}", escaped(&text)));
        }
    }

    /// Asks a person for consent. None when nobody is there to ask.
    pub(crate) fn ask(&self, question: &str) -> Option<bool> {
        if self.form != Form::Page
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

    /// Writes why a command failed, on standard error.
    pub(crate) fn failure(&self, failure: &Failure) {
        let hint = failure.hint.as_ref().map(|hint| self.bearing.complete(hint));
        match self.form {
            Form::Json => {
                let Failure { code, message, .. } = failure;
                let error = json!({"error": {"code": code, "message": message, "hint": hint}});
                self.sink.complain(&printable_json(&error.to_string()));
            }
            Form::Page | Form::Bare => {
                self.sink
                    .complain(&format!("{BAD}error:{BAD:#} {}", escaped(&failure.message)));
                if let Some(hint) = &hint {
                    self.sink
                        .complain(&format!("{NAME}hint:{NAME:#} {}", escaped(hint)));
                }
            }
        }
    }
}

/// A reader that went away (`recalld list | head -1`) has what it wanted; any other failure is
/// told.
fn written(result: io::Result<()>) -> Result<(), Failure> {
    match result {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(Failure::failed(
            "output",
            format!("standard output cannot be written: {error}"),
        )),
        _ => Ok(()),
    }
}
