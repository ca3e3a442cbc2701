//! `recalld migrate`: migrates the schema of a database.

use clap::Args;
use recalld_store::PostgresStore;
use recalld_store::postgres::{MigrateOptions, Step};
use serde::Serialize;

use super::{Execution, RunCommand};
use crate::arguments::examples;
use crate::failure::Failure;
use crate::output::{Page, Show};
use crate::session::Session;

/// Creates or updates the schema of a PostgreSQL database
///
/// Connects as an owner: a role that may create roles and that no server logs in as. The schema
/// belongs to the role `recalld_owner`. Each step is one transaction, and the command can be run
/// again at any time. A data directory needs no migration: it is updated when it is opened.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld migrate --database-url postgres://owner@db.example.com/memories --serving-role recalld_server",
    "recalld migrate --dry-run > steps.sql",
))]
pub(crate) struct Arguments {
    /// Prints the SQL of the missing steps without applying them
    #[arg(long)]
    dry_run: bool,
    /// Grants the roles that a server needs to ROLE, which servers log in as
    #[arg(long, value_name = "ROLE")]
    serving_role: Option<String>,
    /// Creates the tables with N hash partitions each (only in a database without recalld's tables)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=1024))]
    partitions: Option<u32>,
}

impl RunCommand for Arguments {
    fn execution(&self) -> Execution {
        Execution::Local
    }

    async fn run(self, session: &Session) -> Result<(), Failure> {
        let database = &session.config()?.values.database;
        let Some(url) = database.owner_url.as_deref().or(database.url.as_deref()) else {
            let failure = Failure::bad_input("no_database", "no database is configured");
            return Err(failure.hint("name one with --database-url or DATABASE_URL"));
        };
        let settings = database.settings();
        let options = MigrateOptions {
            serving_role: self.serving_role,
            partitions: self.partitions,
        };
        let answer = match self.dry_run {
            true => Steps::pending(&PostgresStore::pending(url, &settings).await?),
            false => Steps::taken(PostgresStore::migrate(url, &settings, &options).await?),
        };
        session.output.answer(&answer)
    }
}

/// The steps that were applied, or would be.
#[derive(Debug, Serialize)]
struct Steps {
    taken: Vec<&'static str>,
    pending: Vec<&'static str>,
    /// The SQL of the pending ones.
    sql: String,
}

impl Steps {
    fn taken(taken: Vec<&'static str>) -> Steps {
        Steps {
            taken,
            pending: Vec::new(),
            sql: String::new(),
        }
    }

    fn pending(steps: &[Step]) -> Steps {
        let sql = |step: &Step| format!("-- {}\nBEGIN;\n{}COMMIT;\n", step.name, step.sql);
        Steps {
            taken: Vec::new(),
            pending: steps.iter().map(|step| step.name).collect(),
            sql: steps.iter().map(sql).collect(),
        }
    }
}

impl Show for Steps {
    fn show(&self, page: &mut Page) {
        if self.taken.is_empty() && self.pending.is_empty() {
            page.line("The schema is up to date.");
        }
        for step in &self.taken {
            page.line(format_args!("applied {step}"));
        }
        for line in self.sql.lines() {
            page.line(line);
        }
    }

    fn quiet(&self) -> String {
        match self.sql.is_empty() {
            true => self.taken.iter().map(|step| format!("{step}\n")).collect(),
            false => self.sql.clone(),
        }
    }
}
