//! What a person is shown: text with colours, as wide as the terminal.

use std::fmt::Display;

use anstyle::Style;
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::FAINT;
use super::plain::escaped;
use crate::arguments::Bearing;
use crate::surroundings::SystemClock;
use recalld_memory::ports::Clock;

/// Text in the making.
#[derive(Debug)]
pub(crate) struct Page {
    text: String,
    /// None when the text is not for a terminal: then nothing is cut.
    pub(crate) width: Option<usize>,
    pub(crate) now: Timestamp,
    pub(crate) zone: TimeZone,
    /// What a command that is suggested must repeat of the one that was given.
    pub(crate) bearing: Bearing,
}

impl Page {
    /// Opens a page for where standard output goes.
    pub(crate) fn for_terminal() -> Page {
        Page::of_width(terminal_width())
    }

    /// Opens a page of that width; nothing is cut if there is none.
    pub(crate) fn of_width(width: Option<usize>) -> Page {
        Page {
            text: String::new(),
            width,
            now: SystemClock.now(),
            zone: TimeZone::system(),
            bearing: Bearing::default(),
        }
    }

    /// Adds a line that is safe already.
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

    /// Adds text of somebody else, with its own line breaks, after `indent` spaces.
    pub(crate) fn quote(&mut self, text: &str, indent: usize) {
        for line in text.lines() {
            self.line(format_args!(
                "{:indent$}{}",
                "",
                escaped(&line.replace('\t', "    "))
            ));
        }
    }

    /// Gives the text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }
}

/// Puts `text` in `style`.
pub(crate) fn painted(style: Style, text: &str) -> String {
    match text.is_empty() {
        true => String::new(),
        false => format!("{style}{text}{style:#}"),
    }
}

/// Tells how wide the terminal is that standard output goes to, if it goes to one.
pub(crate) fn terminal_width() -> Option<usize> {
    let size = terminal_size::terminal_size_of(std::io::stdout());
    size.map(|(width, _)| usize::from(width.0))
}
