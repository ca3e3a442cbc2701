//! `recalld history`: every version of a memory, and who created it.

use clap::Args;
use recalld_memory::browse;
use recalld_wire::History;

use super::RunCommand;
use super::memory_ref::MemoryRef;
use crate::arguments::examples;
use crate::failure::Failure;
use crate::output::{Cell, FAINT, Page, Show, Table, moment};
use crate::session::Session;

/// Shows every version of a memory, oldest first
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld history role",
    "recalld history role --json | jq '.versions[].memory.content'",
))]
pub(crate) struct Arguments {
    /// Key or id of the memory, or the end of its id
    #[arg(value_name = "MEMORY")]
    memory: String,
}

impl RunCommand for Arguments {
    async fn run(self, session: &Session) -> Result<(), Failure> {
        let memory_ref = MemoryRef::new(&self.memory)?;
        let engine = session.read().await?;
        let scope = engine.scope();
        let target = memory_ref.target(&engine, &scope).await?;
        let versions = browse::history(&engine.ports, &scope, &target)
            .await?
            .unwrap_or_default();
        let history = History::new(&versions, scope.now);
        session.output.answer(&history)
    }
}

impl Show for History {
    fn show(&self, page: &mut Page) {
        let mut table = Table::new(["VERSION", "TIME", "CHANGE", "ACTOR", "CONVERSATION", "STATEMENT"]);
        for version in &self.versions {
            table.row([
                Cell::plain(&version.version.to_string()),
                Cell::styled(FAINT, &moment(version.at.0, &page.zone)),
                Cell::plain(version.act),
                Cell::styled(FAINT, &version.actor),
                Cell::styled(FAINT, version.conversation.as_deref().unwrap_or_default()),
                Cell::plain(version.memory.content.as_str()),
            ]);
        }
        table.write(page);
    }

    fn quiet(&self) -> String {
        self.versions
            .iter()
            .map(|version| format!("{}\n", version.version))
            .collect()
    }
}
