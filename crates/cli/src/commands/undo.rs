//! `recalld undo`: takes changes back.

use clap::Args;
use recalld_memory::id::ConversationId;
use recalld_memory::memory::Source;
use recalld_portability::undo::{Mode, UndoError, Which, undo};
use recalld_wire::{KeptMemory, UndoReport, UntouchedThing};

use crate::arguments::examples;
use crate::failure::Failure;
use crate::input;
use crate::memory_name::memory_name;
use crate::output::{CAUTION, FAINT, GOOD, NAME, Page, Show, one_line};
use crate::session::Session;

/// Takes back the last change, or all of one source or conversation, or since a time
///
/// A memory becomes what it was before, and what was new is hidden; nothing is deleted. What was
/// changed again since stays as it is.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld undo",
    "recalld undo --conversation chat-42 --dry-run",
    "recalld undo --source https://evil.example",
    "recalld undo --to 2026-03-01",
))]
pub(crate) struct Arguments {
    /// All changes that came from this source
    #[arg(long, group = "which")]
    source: Option<String>,

    /// All changes that were made in this conversation
    #[arg(long, value_name = "ID", group = "which")]
    conversation: Option<String>,

    /// All changes after this time: a date, or a date and time (UTC)
    #[arg(long, value_name = "TIME", group = "which")]
    to: Option<String>,

    /// Only tells what would be done
    #[arg(long)]
    dry_run: bool,
}

impl Arguments {
    /// Takes them back.
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
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
        let engine = session.write()?;
        let scope = engine.scope();
        let undone = undo(&engine.ports, &scope, &which, mode).await?;
        session.output.answer(&UndoReport::new(undone, mode, scope.now))
    }
}

/// How many things without versions are named to a person; a script gets all of them.
const UNTOUCHED_SHOWN_MAX: usize = 10;

impl Show for UndoReport {
    fn show(&self, page: &mut Page) {
        let entities = self.hidden_entities.len() + self.restored_entities.len();
        if self.hidden.is_empty() && self.restored.is_empty() && self.kept.is_empty() && entities == 0 {
            page.line("There is nothing to take back.");
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
                "taken" => "another memory says the same by now",
                _ => "changed since",
            };
            page.line(format_args!(
                "{CAUTION}stays{CAUTION:#}    {NAME}{name}{NAME:#} {FAINT}{why}{FAINT:#}"
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
                "{CAUTION}stays{CAUTION:#}    {kind} {NAME}{}{NAME:#} {FAINT}changed too, and has no earlier version{FAINT:#}",
                one_line(id)
            ));
        }
        if let Some(more @ 1..) = self.untouched.len().checked_sub(UNTOUCHED_SHOWN_MAX) {
            page.line(format_args!(
                "{FAINT}and {more} more that have no earlier version{FAINT:#}"
            ));
        }
        if self.dry_run {
            page.line(format_args!("{CAUTION}Nothing was changed.{CAUTION:#}"));
        }
    }

    fn bare(&self) -> String {
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
