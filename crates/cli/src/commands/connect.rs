//! `recalld connect`: adds the memories to coding agents, editors and desktop programs.

mod answer;
mod choice;
mod shown;

use clap::Args;
use clap::builder::PossibleValuesParser;

use super::{Execution, RunCommand};
use crate::arguments::examples;
use crate::connect::client::Directories;
use crate::connect::ledger::Ledger;
use crate::connect::{Client, FileChange, Launch, Wanted, clients, handshake, plan};
use crate::failure::Failure;
use crate::session::Session;

use answer::{Answer, Connection, State};

/// Connects coding agents, editors and desktop programs to the memories
///
/// Without a name, connects every supported client that is installed. Shows the change to its
/// configuration file, asks, writes it (the former file is kept), and then starts the server as the
/// client would. Comments and formatting of the file stay as they are.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld connect",
    "recalld connect claude-code --rules --hooks",
    "recalld connect cursor --print",
    "recalld connect claude-code --remove",
))]
pub(crate) struct Arguments {
    /// Clients to connect [default: all that are installed]
    #[arg(value_parser = PossibleValuesParser::new(clients::ids()))]
    clients: Vec<String>,

    /// Takes back what connecting changed
    #[arg(long)]
    remove: bool,

    /// Shows the change, and changes nothing
    #[arg(long)]
    print: bool,

    /// Also adds a short text to CLAUDE.md, AGENTS.md or the like that tells the agent when to use
    /// memory
    #[arg(long, conflicts_with = "remove")]
    rules: bool,

    /// Also lets the client run recalld at the turns of a session: memories come without tool
    /// calls, and what you say is learned (claude-code)
    #[arg(long, conflicts_with = "remove")]
    hooks: bool,

    /// Writes without asking for confirmation
    #[arg(short, long, conflicts_with = "print")]
    yes: bool,
}

impl RunCommand for Arguments {
    fn execution(&self) -> Execution {
        Execution::Local
    }

    async fn run(self, session: &Session) -> Result<(), Failure> {
        let directories = Directories::of_user()?;
        let run = Run {
            launch: Launch::of_this_program(session.config()?)?,
            ledger: Ledger::of_user()?,
            clients: self.chosen(&directories)?,
            directories,
            arguments: self,
            session,
        };
        let connections = match run.arguments.remove {
            true => run.remove()?,
            false => run.connect().await?,
        };
        session.output.answer(&Answer { connections })
    }
}

/// One run of the command.
struct Run<'s> {
    arguments: Arguments,
    session: &'s Session,
    directories: Directories,
    ledger: Ledger,
    launch: Launch,
    clients: Vec<&'static Client>,
}

impl Run<'_> {
    async fn connect(&self) -> Result<Vec<Connection>, Failure> {
        let mut connections = Vec::new();
        for client in &self.clients {
            connections.push(self.connect_one(client).await?);
        }
        Ok(connections)
    }

    async fn connect_one(&self, client: &'static Client) -> Result<Connection, Failure> {
        let mut connection = Connection::of(client, client.path(&self.directories));
        let mut wanted = vec![Wanted::Server];
        wanted.extend(self.arguments.rules.then_some(Wanted::Rules));
        wanted.extend(self.hooks(client)?);
        let changes = self.additions(client, &wanted)?;
        for change in &changes {
            shown::show(&self.session.output, client, change)?;
        }
        if self.arguments.print {
            connection.state = State::Printed;
            return Ok(connection);
        }
        connection.state = match changes.is_empty() {
            true => State::Unchanged,
            false => State::Connected,
        };
        self.confirm(&changes, &format!("Write this for {}?", client.name))?;
        for change in &changes {
            connection.backups.extend(self.write(client, change)?);
        }
        connection.tools = match self.verified(client).await {
            Ok(tools) => tools,
            Err(problem) => return Err(self.rolled_back(client, &changes, &problem)),
        };
        if !self.arguments.rules && connection.state == State::Connected {
            self.offer_rules(client)?;
        }
        Ok(connection)
    }

    /// Returns the changes, as far as there is anything to change.
    fn additions(&self, client: &Client, all: &[Wanted]) -> Result<Vec<FileChange>, Failure> {
        let mut planned = Vec::new();
        for wanted in all {
            let change = plan::adding(client, &self.directories, *wanted, &self.launch, &planned)?;
            plan::plan(&mut planned, change);
        }
        planned.retain(|change| !change.is_empty());
        Ok(planned)
    }

    /// Tells whether hooks are wanted. A client that is named and has none is an error.
    fn hooks(&self, client: &Client) -> Result<Option<Wanted>, Failure> {
        if !self.arguments.hooks {
            return Ok(None);
        }
        if !client.has_hooks() && !self.arguments.clients.is_empty() {
            let message = format!("recalld knows no hooks of {}", client.name);
            return Err(Failure::bad_input("hooks", message).hint("leave out --hooks; --rules works as well"));
        }
        Ok(Some(Wanted::Hooks))
    }

    /// Writes a change, and records the file as it is without anything of ours.
    fn write(&self, client: &Client, change: &FileChange) -> Result<Option<std::path::PathBuf>, Failure> {
        let clean = match self.ledger.former(client, change) {
            Some(former) => former,
            None => self.without_ours(client, change)?,
        };
        self.ledger.apply(client, change, clean)
    }

    fn without_ours(&self, client: &Client, change: &FileChange) -> Result<Option<String>, Failure> {
        let removals = self.removals(client)?;
        let removal = removals.into_iter().find(|removal| removal.path == change.path);
        Ok(removal.map_or_else(|| change.before.clone(), |removal| removal.after))
    }

    /// Returns the changes that take out all that is ours.
    fn removals(&self, client: &Client) -> Result<Vec<FileChange>, Failure> {
        let mut planned = Vec::new();
        for wanted in Wanted::ALL {
            let change = plan::removing(client, &self.directories, wanted, &planned)?;
            plan::plan(&mut planned, change);
        }
        Ok(planned)
    }

    /// Starts the server by the entry that the file now has.
    async fn verified(&self, client: &Client) -> Result<usize, String> {
        let configured = plan::configured(client, &self.directories).map_err(|failure| failure.message)?;
        let launch = configured.ok_or("the entry cannot be read back")?;
        let tools = handshake::tools(&launch).await?;
        match tools.len() {
            0 => Err("it has no tools".to_owned()),
            count => Ok(count),
        }
    }

    /// Puts the files back after a failed check.
    fn rolled_back(&self, client: &Client, changes: &[FileChange], problem: &str) -> Failure {
        let message = format!("{} could not start the server: {problem}", client.name);
        for change in changes {
            let back = FileChange {
                path: change.path.clone(),
                before: change.after.clone(),
                after: change.before.clone(),
            };
            if let Err(failure) = self.ledger.revert(client, &back) {
                return Failure::failed("handshake", message).hint(format!(
                    "the file was changed and could not be put back: {}",
                    failure.message
                ));
            }
        }
        Failure::failed("handshake", message)
            .hint("nothing was changed; `recalld doctor` checks the memories")
    }

    /// Offers the rules on a terminal.
    fn offer_rules(&self, client: &'static Client) -> Result<(), Failure> {
        if self.arguments.yes {
            return Ok(());
        }
        for change in self.additions(client, &[Wanted::Rules])? {
            shown::show(&self.session.output, client, &change)?;
            let question = format!("Also tell {} when to use memory?", client.name);
            if self.session.output.ask(&question) == Some(true) {
                self.write(client, &change)?;
            }
        }
        Ok(())
    }

    fn remove(&self) -> Result<Vec<Connection>, Failure> {
        let mut planned = Vec::new();
        for client in &self.clients {
            let mut changes = Vec::new();
            for mut change in self.removals(client)? {
                if let Some(former) = self.ledger.former(client, &change) {
                    change.after = former;
                }
                if !change.is_empty() {
                    shown::show(&self.session.output, client, &change)?;
                    changes.push(change);
                }
            }
            // Without names, only clients that have something to take back are listed.
            if !changes.is_empty() || !self.arguments.clients.is_empty() {
                planned.push((*client, changes));
            }
        }
        let all: Vec<FileChange> = planned.iter().flat_map(|(_, changes)| changes.clone()).collect();
        let mut connections = Vec::new();
        if !self.arguments.print {
            self.confirm(&all, "Take this back?")?;
        }
        for (client, changes) in planned {
            let mut connection = Connection::of(client, client.path(&self.directories));
            connection.state = match (self.arguments.print, changes.is_empty()) {
                (true, _) => State::Printed,
                (false, true) => State::Absent,
                (false, false) => State::Removed,
            };
            if !self.arguments.print {
                for change in &changes {
                    self.ledger.revert(client, change)?;
                }
            }
            connections.push(connection);
        }
        Ok(connections)
    }

    fn confirm(&self, changes: &[FileChange], question: &str) -> Result<(), Failure> {
        if self.arguments.yes || changes.is_empty() {
            return Ok(());
        }
        match self.session.output.ask(question) {
            Some(true) => Ok(()),
            Some(false) => Err(Failure::failed("declined", "nothing was changed")),
            None => Err(Failure::bad_input(
                "consent",
                "refusing to change files of other programs without confirmation (no terminal)",
            )
            .hint("look at the change with --print, then add --yes")),
        }
    }
}
