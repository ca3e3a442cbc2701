//! What was connected, and what to say first.

use std::path::PathBuf;

use serde::Serialize;

use crate::connect::Client;
use crate::output::{CAUTION, FAINT, GOOD, NAME, Page, STRONG, Show, escaped, plural};

#[derive(Debug, Serialize)]
pub(super) struct Answer {
    pub(super) connections: Vec<Connection>,
}

/// What happened to one client.
#[derive(Debug, Serialize)]
pub(super) struct Connection {
    client: &'static str,
    #[serde(skip)]
    name: &'static str,
    #[serde(skip)]
    restart: &'static str,
    file: PathBuf,
    pub(super) state: State,
    /// How many tools the server offered when it was started as the client would.
    pub(super) tools: usize,
    /// Copies of the files as they were.
    pub(super) backups: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum State {
    Connected,
    /// It was connected already.
    Unchanged,
    Removed,
    /// There was nothing to take back.
    Absent,
    Printed,
}

impl Connection {
    pub(super) fn of(client: &'static Client, file: PathBuf) -> Connection {
        Connection {
            client: client.id,
            name: client.name,
            restart: client.restart,
            file,
            state: State::Absent,
            tools: 0,
            backups: Vec::new(),
        }
    }

    fn show(&self, page: &mut Page) {
        let name = self.name;
        match self.state {
            State::Connected | State::Unchanged => {
                let word = match self.state {
                    State::Connected => "is connected",
                    _ => "was connected already",
                };
                let tools = self.tools;
                page.line(format_args!(
                    "{GOOD}{name} {word}{GOOD:#}: the server started and offers {tools} tool{}",
                    plural(tools as u64)
                ));
                for backup in &self.backups {
                    let path = backup.display().to_string();
                    page.line(format_args!("{FAINT}former file: {}{FAINT:#}", escaped(&path)));
                }
                page.line(format_args!("{FAINT}next: {}{FAINT:#}", self.restart));
            }
            State::Removed => page.line(format_args!("{GOOD}{name} is no longer connected{GOOD:#}")),
            State::Absent => page.line(format_args!("{CAUTION}{name} was not connected{CAUTION:#}")),
            State::Printed => {}
        }
    }
}

impl Show for Answer {
    fn show(&self, page: &mut Page) {
        if self.connections.is_empty() {
            page.line("Nothing to take back.");
        }
        for connection in &self.connections {
            connection.show(page);
        }
        let printed = self.connections.iter().any(|one| one.state == State::Printed);
        if printed {
            page.line(format_args!("{CAUTION}Nothing was changed.{CAUTION:#}"));
        }
        let connected = |one: &Connection| matches!(one.state, State::Connected | State::Unchanged);
        if self.connections.iter().any(connected) {
            page.line(format_args!(
                "\n{STRONG}Say first:{STRONG:#}  {NAME}Remember that I prefer short answers.{NAME:#}\n\
                 {STRONG}And later:{STRONG:#}  {NAME}What do you remember about me?{NAME:#}"
            ));
        }
    }

    fn quiet(&self) -> String {
        let lines = self.connections.iter();
        lines.map(|one| format!("{}\n", one.file.display())).collect()
    }
}
