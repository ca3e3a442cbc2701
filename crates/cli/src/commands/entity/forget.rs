//! `recalld entity forget`: hides an entity.

use clap::Args;
use recalld_index::text::tokens;
use recalld_memory::entities;
use recalld_memory::id::EntityId;
use serde::Serialize;

use super::unknown;
use crate::arguments::examples;
use crate::failure::Failure;
use crate::output::{FAINT, GOOD, NAME, Page, Show, escaped};
use crate::session::Session;

/// Hides an entity; `recalld undo` or adding it again brings it back
#[derive(Debug, Args)]
#[command(after_help = examples!("recalld entity forget cafe-1"))]
pub(super) struct Arguments {
    /// Id of the entity
    id: String,
}

impl Arguments {
    pub(super) async fn run(self, session: &Session) -> Result<(), Failure> {
        let id = EntityId::new(self.id)?;
        tokens::warm_up();
        let engine = session.write().await?;
        match entities::retire(&engine.ports, &engine.scope(), id.clone()).await? {
            true => session.output.answer(&Forgotten {
                outcome: "retired",
                id: id.to_string(),
            }),
            false => Err(unknown(&engine, &id).await?),
        }
    }
}

/// What was done.
#[derive(Debug, Serialize)]
struct Forgotten {
    outcome: &'static str,
    id: String,
}

impl Show for Forgotten {
    fn show(&self, page: &mut Page) {
        let id = escaped(&self.id);
        page.line(format_args!("{GOOD}Forgotten{GOOD:#} {NAME}{id}{NAME:#}"));
        let back = page.prefix.command("undo");
        page.line(format_args!(
            "{FAINT}Restore it with: {}{FAINT:#}",
            escaped(&back)
        ));
    }

    fn quiet(&self) -> String {
        format!("{}\n", self.id)
    }
}
