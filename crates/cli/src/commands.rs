//! What the program can do: one file a command, each with its arguments, its answer and how that is
//! shown.

mod add;
mod audit;
mod backup;
mod chat;
mod completions;
mod config;
mod console;
mod context;
mod doctor;
mod document;
mod entity;
mod erase;
mod eval;
mod export;
mod extract;
mod files;
mod forget;
mod history;
mod import;
mod ingest;
mod keys;
mod list;
mod mcp;
mod migrate;
mod models;
mod pointer;
mod prompt;
mod reindex;
mod restore;
mod review;
mod runs;
mod search;
mod serve;
mod show;
mod stats;
mod tool;
mod tools;
mod undo;
mod update;

use std::pin::Pin;

use clap::Subcommand;

pub(crate) use chat::{STOP, attend as attend_chat};
pub(crate) use models::directory as models_directory;

use crate::engine::Schema;
use crate::failure::Failure;
use crate::output::Output;
use crate::session::Session;

/// A command that is being run.
pub(crate) type Run = Pin<Box<dyn Future<Output = Result<(), Failure>> + Send>>;

/// The commands, in the order in which help shows them.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Add(add::Arguments),
    Search(search::Arguments),
    List(list::Arguments),
    Show(show::Arguments),
    Update(update::Arguments),
    Forget(forget::Arguments),
    Restore(restore::Arguments),
    History(history::Arguments),
    Undo(undo::Arguments),
    Review(review::Arguments),
    Audit(audit::Arguments),
    Context(context::Arguments),
    Prompt(prompt::Arguments),
    Document(document::Arguments),
    Entity(entity::Arguments),
    Chat(chat::Arguments),
    Extract(extract::Arguments),
    Runs(runs::Arguments),
    Files(files::Arguments),
    Export(export::Arguments),
    Import(import::Arguments),
    Erase(erase::Arguments),
    Backup(backup::Arguments),
    Models(models::Arguments),
    Serve(serve::Arguments),
    Console(console::Arguments),
    Mcp(mcp::Arguments),
    Ingest(ingest::Arguments),
    Keys(keys::Arguments),
    Tools(tools::Arguments),
    Tool(tool::Arguments),
    Stats(stats::Arguments),
    Migrate(migrate::Arguments),
    Config(config::Arguments),
    Doctor(doctor::Arguments),
    Reindex(reindex::Arguments),
    Eval(eval::Arguments),
    Completions(completions::Arguments),
}

impl Command {
    /// Tells whether it goes by the configuration at all.
    pub(crate) fn needs_configuration(&self) -> bool {
        !matches!(self, Command::Completions(_) | Command::Tools(_))
    }

    /// Tells whether it works on the memories, wherever they are held.
    pub(crate) fn needs_memories(&self) -> bool {
        if let Command::Chat(chat) = self {
            return chat.is_one_message();
        }
        if let Command::Files(arguments) = self {
            return !arguments.watches();
        }
        !matches!(
            self,
            Command::Completions(_)
                | Command::Tools(_)
                | Command::Config(_)
                | Command::Migrate(_)
                | Command::Models(_)
                | Command::Eval(_)
                | Command::Serve(_)
                | Command::Console(_)
                | Command::Mcp(_)
        )
    }

    /// Tells what it may do about the schema of a database; none for a command that opens no
    /// database.
    pub(crate) fn schema(&self) -> Option<Schema> {
        match self {
            Command::Doctor(_) => Some(Schema::Leave),
            Command::Chat(_) => Some(Schema::Migrate),
            _ if self.needs_memories() || self.serves_many() => Some(Schema::Migrate),
            _ => None,
        }
    }

    /// Tells whether it serves many at a time.
    pub(crate) fn serves_many(&self) -> bool {
        matches!(self, Command::Serve(_) | Command::Console(_) | Command::Mcp(_))
    }

    /// Tells whether it may end while somebody could still type something.
    pub(crate) fn listens(&self) -> bool {
        self.serves_many() || matches!(self, Command::Chat(_))
    }

    /// Asks the person who gave it whether it is meant, where that is due.
    pub(crate) fn consent(&self, output: &Output) -> Result<(), Failure> {
        match self {
            Command::Forget(arguments) => arguments.consent(output),
            _ => Ok(()),
        }
    }

    /// Runs it. A server runs the commands that others send it, so the type of this future cannot
    /// be left to the compiler.
    pub(crate) fn run(self, session: Session) -> Run {
        Box::pin(self.run_here(session))
    }

    async fn run_here(self, session: Session) -> Result<(), Failure> {
        let serves = self.serves_many();
        let done = self.run_on(&session).await;
        if !serves {
            session.settle().await;
        }
        done
    }

    async fn run_on(self, session: &Session) -> Result<(), Failure> {
        match self {
            Command::Add(arguments) => arguments.run(session).await,
            Command::Search(arguments) => arguments.run(session).await,
            Command::List(arguments) => arguments.run(session).await,
            Command::Show(arguments) => arguments.run(session).await,
            Command::Update(arguments) => arguments.run(session).await,
            Command::Forget(arguments) => arguments.run(session).await,
            Command::Restore(arguments) => arguments.run(session).await,
            Command::History(arguments) => arguments.run(session).await,
            Command::Context(arguments) => arguments.run(session).await,
            Command::Prompt(arguments) => arguments.run(session).await,
            Command::Document(arguments) => arguments.run(session).await,
            Command::Entity(arguments) => arguments.run(session).await,
            Command::Chat(arguments) => arguments.run(session).await,
            Command::Extract(arguments) => arguments.run(session).await,
            Command::Runs(arguments) => arguments.run(session).await,
            Command::Models(arguments) => arguments.run(session).await,
            Command::Serve(arguments) => arguments.run(session).await,
            Command::Console(arguments) => arguments.run(session).await,
            Command::Mcp(arguments) => arguments.run(session).await,
            Command::Ingest(arguments) => arguments.run(session).await,
            Command::Keys(arguments) => arguments.run(session).await,
            Command::Tools(arguments) => arguments.run(session),
            Command::Tool(arguments) => arguments.run(session).await,
            Command::Stats(arguments) => arguments.run(session).await,
            Command::Migrate(arguments) => arguments.run(session).await,
            Command::Config(arguments) => arguments.run(session),
            Command::Doctor(arguments) => arguments.run(session).await,
            Command::Reindex(arguments) => arguments.run(session).await,
            Command::Eval(arguments) => arguments.run(session).await,
            Command::Backup(arguments) => arguments.run(session).await,
            Command::Erase(arguments) => arguments.run(session).await,
            Command::Export(arguments) => arguments.run(session).await,
            Command::Files(arguments) => arguments.run(session).await,
            Command::Undo(arguments) => arguments.run(session).await,
            Command::Review(arguments) => arguments.run(session).await,
            Command::Audit(arguments) => arguments.run(session).await,
            Command::Import(arguments) => arguments.run(session).await,
            Command::Completions(arguments) => arguments.run(session),
        }
    }
}
