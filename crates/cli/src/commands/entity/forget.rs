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

/// Hides an entity; adding it again brings it back, and so does `recalld undo`
#[derive(Debug, Args)]
#[command(after_help = examples!("recalld entity forget cafe-1"))]
pub(super) struct Arguments {
    /// Its id
    id: String,
}

impl Arguments {
    pub(super) async fn run(self, session: &Session) -> Result<(), Failure> {
        let id = EntityId::new(self.id)?;
        tokens::warm_up();
        let engine = session.write()?;
        match entities::retire(&engine.ports, &engine.scope(), id.clone()).await? {
            true => session.output.answer(&Forgotten {
                outcome: "retired",
                id: id.to_string(),
            }),
            false => Err(unknown(&engine, &id).await?),
        }
    }
}

/// What became of it.
#[derive(Debug, Serialize)]
struct Forgotten {
    outcome: &'static str,
    id: String,
}

impl Show for Forgotten {
    fn show(&self, page: &mut Page) {
        let id = escaped(&self.id);
        page.line(format_args!("{GOOD}Forgotten{GOOD:#} {NAME}{id}{NAME:#}"));
        let back = page.bearing.command("undo");
        page.line(format_args!(
            "{FAINT}Bring it back with: {}{FAINT:#}",
            escaped(&back)
        ));
    }

    fn bare(&self) -> String {
        format!("{}\n", self.id)
    }
}
