//! `recalld undo`: undoes changes.

use clap::Args;
use recalld_memory::id::ConversationId;
use recalld_memory::memory::Source;
use recalld_portability::undo::{Mode, UndoError, Which, undo};
use recalld_wire::{KeptMemory, UndoReport, UntouchedThing};

use super::RunCommand;
use crate::arguments::examples;
use crate::failure::Failure;
use crate::input;
use crate::memory_name::memory_name;
use crate::output::{CAUTION, FAINT, GOOD, NAME, Page, Show, one_line};
use crate::session::Session;

/// Undoes the last change, or all changes of a source or a conversation, or after a time
///
/// A memory gets its earlier content back, and a new memory is hidden; nothing is deleted. What was
/// changed again since then stays as it is.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld undo",
    "recalld undo --conversation chat-42 --dry-run",
    "recalld undo --source https://evil.example",
    "recalld undo --to 2026-03-01",
))]
pub(crate) struct Arguments {
    /// Undoes all changes from this source
    #[arg(long, group = "which")]
    source: Option<String>,

    /// Undoes all changes of this conversation
    #[arg(long, value_name = "ID", group = "which")]
    conversation: Option<String>,

    /// Undoes all changes after this time: a date, or a date and time (UTC)
    #[arg(long, value_name = "TIME", group = "which")]
    to: Option<String>,

    /// Shows what would be undone, and changes nothing
    #[arg(long)]
    dry_run: bool,
}

impl RunCommand for Arguments {
    async fn run(self, session: &Session) -> Result<(), Failure> {
        let which = match (&self.source, &self.conversation, &self.to) {
            (Some(source), ..) => Which::Source(Source::new(source)?),
            (_, Some(id), _) => Which::Conversation(ConversationId::new(id.as_str())?),
            (.., Some(to)) => Which::After(input::time(to)?),
            (None, None, None) => Which::Last,
        };
        let mode = match self.dry_run {
            true => Mode::DryRun,
            false => Mode::Write,
        };
        let engine = session.write().await?;
        let scope = engine.scope();
        let undone = undo(&engine.ports, &scope, &which, mode).await?;
        session.output.answer(&UndoReport::new(undone, mode, scope.now))
    }
}

/// The most things without versions that are listed; `--json` lists all.
const UNTOUCHED_SHOWN_MAX: usize = 10;

impl Show for UndoReport {
    fn show(&self, page: &mut Page) {
        let entities = self.hidden_entities.len() + self.restored_entities.len();
        if self.hidden.is_empty() && self.restored.is_empty() && self.kept.is_empty() && entities == 0 {
            page.line("Nothing to undo.");
        }
        for memory in &self.hidden {
            let (name, said) = (memory_name(memory), one_line(memory.content.as_str()));
            page.line(format_args!("{GOOD}hidden{GOOD:#}   {NAME}{name}{NAME:#} {said}"));
        }
        for memory in &self.restored {
            let (name, said) = (memory_name(memory), one_line(memory.content.as_str()));
            page.line(format_args!("{GOOD}restored{GOOD:#} {NAME}{name}{NAME:#} {said}"));
        }
        for KeptMemory { memory, why } in &self.kept {
            let name = memory_name(memory);
            let why = match *why {
                "taken" => "another memory now says the same",
                _ => "changed since then",
            };
            page.line(format_args!(
                "{CAUTION}kept{CAUTION:#}     {NAME}{name}{NAME:#} {FAINT}{why}{FAINT:#}"
            ));
        }
        for (done, all) in [
            ("hidden  ", &self.hidden_entities),
            ("restored", &self.restored_entities),
        ] {
            for entity in all {
                let (id, name) = (&entity.id, one_line(&entity.name));
                page.line(format_args!("{GOOD}{done}{GOOD:#} {NAME}{id}{NAME:#} {name}"));
            }
        }
        for UntouchedThing { kind, id } in self.untouched.iter().take(UNTOUCHED_SHOWN_MAX) {
            let kind = kind.replace('_', " ");
            page.line(format_args!(
                "{CAUTION}kept{CAUTION:#}     {kind} {NAME}{}{NAME:#} {FAINT}also changed, but has no earlier version{FAINT:#}",
                one_line(id)
            ));
        }
        if let Some(more @ 1..) = self.untouched.len().checked_sub(UNTOUCHED_SHOWN_MAX) {
            page.line(format_args!(
                "{FAINT}and {more} more that have no earlier version{FAINT:#}"
            ));
        }
        if self.dry_run {
            page.line(format_args!("{CAUTION}Dry run: nothing was changed.{CAUTION:#}"));
        }
    }

    fn quiet(&self) -> String {
        let all = self.hidden.iter().chain(&self.restored);
        all.map(|memory| format!("{}\n", memory.id)).collect()
    }
}

impl From<UndoError> for Failure {
    fn from(error: UndoError) -> Failure {
        match error {
            UndoError::Store(error) => error.into(),
            UndoError::Space(error) => error.into(),
        }
    }
}
