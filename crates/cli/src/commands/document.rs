//! `recalld document`: the user's memory document.

use clap::Args;
use recalld_index::text::tokens;
use recalld_memory::document::Document;
use recalld_wire::Entity;

use super::RunCommand;
use crate::arguments::examples;
use crate::failure::Failure;
use crate::memory_name::short_id;
use crate::output::{CAUTION, Cell, FAINT, NAME, Page, STRONG, Table, day};
use crate::session::Session;

/// Shows the memory document: facts and places, within a token limit
///
/// With --json, prints the document itself; its token count is that of exactly this text.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld document",
    "recalld document --json | jq .metadata.token_count",
))]
pub(crate) struct Arguments {}

impl RunCommand for Arguments {
    async fn run(self, session: &Session) -> Result<(), Failure> {
        tokens::warm_up();
        let engine = session.read().await?;
        let scope = engine.scope();
        let document = engine
            .ports
            .spaces
            .read(scope.space(), |view| view.document(scope.lens()))
            .await?;
        if session.output.is_json() {
            return session.output.verbatim(&document.to_json());
        }
        let mut page = session.output.page();
        show(&document, engine.ports.settings.document_tokens_max, &mut page);
        session.output.styled(page.text())
    }
}

fn show(document: &Document, cap: usize, page: &mut Page) {
    let (facts, active) = (document.facts.len(), document.active_facts());
    let inactive = match facts - active {
        0 => String::new(),
        inactive => format!(", {inactive} inactive"),
    };
    page.line(format_args!(
        "{STRONG}Facts{STRONG:#} {FAINT}{active}{inactive}{FAINT:#}"
    ));
    let mut table = Table::new(["ID", "ADDED", "", "STATEMENT"]);
    for fact in &document.facts {
        let mark = if fact.is_active() { "" } else { "inactive" };
        table.row([
            Cell::styled(FAINT, &short_id(fact.id)),
            Cell::styled(FAINT, &day(fact.learned_at, &page.zone)),
            Cell::styled(CAUTION, mark),
            Cell::plain(fact.content.as_str()),
        ]);
    }
    table.write(page);
    page.gap();
    page.line(format_args!(
        "{STRONG}Places{STRONG:#} {FAINT}{}{FAINT:#}",
        document.places.len()
    ));
    let places: Vec<Entity> = document
        .places
        .iter()
        .map(|place| Entity::from(&**place))
        .collect();
    write_entities(page, &places);
    page.gap();
    let tokens = document.tokens().most();
    page.line(format_args!("{FAINT}{tokens} of {cap} tokens{FAINT:#}"));
}

/// Writes a table of entities.
pub(crate) fn write_entities(page: &mut Page, entities: &[Entity]) {
    let mut table = Table::new(["ID", "KIND", "NAME", "CONVERSATIONS", "ADDED", "NOTES"]);
    for entity in entities {
        table.row([
            Cell::styled(FAINT, &entity.id),
            Cell::plain(entity.kind),
            Cell::styled(NAME, &entity.name),
            Cell::plain(&entity.conversations.to_string()),
            Cell::styled(FAINT, &day(entity.added_at.0, &page.zone)),
            Cell::plain(entity.notes.as_deref().unwrap_or_default()),
        ]);
    }
    table.write(page);
}
