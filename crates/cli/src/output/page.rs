//! Text for a person: with colours, and as wide as the terminal.

use std::fmt::Display;

use anstyle::Style;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use recalld_memory::ports::Clock;

use super::FAINT;
use super::plain::escaped;
use crate::arguments::CommandPrefix;
use crate::clock::SystemClock;

/// Text that grows line by line.
#[derive(Debug)]
pub(crate) struct Page {
    text: String,
    /// `None` if no terminal reads the text: then nothing is cut.
    pub(crate) width: Option<usize>,
    pub(crate) now: Timestamp,
    pub(crate) zone: TimeZone,
    /// What suggested commands repeat of this one.
    pub(crate) prefix: CommandPrefix,
}

impl Page {
    /// Starts a page as wide as the terminal of standard output.
    pub(crate) fn for_terminal() -> Page {
        Page::of_width(terminal_width())
    }

    /// Starts a page of that width; without one, nothing is cut.
    pub(crate) fn of_width(width: Option<usize>) -> Page {
        Page {
            text: String::new(),
            width,
            now: SystemClock.now(),
            zone: TimeZone::system(),
            prefix: CommandPrefix::default(),
        }
    }

    /// Adds a line that is already escaped.
    pub(crate) fn line(&mut self, line: impl Display) {
        self.text.push_str(&format!("{line}\n"));
    }

    /// Adds an empty line, except at the top.
    pub(crate) fn gap(&mut self) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
    }

    /// Adds a named value.
    pub(crate) fn field(&mut self, name: &str, value: impl Display) {
        self.line(format_args!("  {FAINT}{name:<12}{FAINT:#} {value}"));
    }

    /// Adds escaped text with its own line breaks, indented by `indent` spaces.
    pub(crate) fn quote(&mut self, text: &str, indent: usize) {
        for line in text.lines() {
            self.line(format_args!(
                "{:indent$}{}",
                "",
                escaped(&line.replace('\t', "    "))
            ));
        }
    }

    /// Returns the text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }
}

/// Applies `style` to `text`.
pub(crate) fn painted(style: Style, text: &str) -> String {
    match text.is_empty() {
        true => String::new(),
        false => format!("{style}{text}{style:#}"),
    }
}

/// Returns the width of the terminal that standard output goes to, if any.
pub(crate) fn terminal_width() -> Option<usize> {
    let size = terminal_size::terminal_size_of(std::io::stdout());
    size.map(|(width, _)| usize::from(width.0))
}
