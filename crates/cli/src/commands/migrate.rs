//! `recalld migrate`: brings the schema of a database up to date.

use clap::Args;
use recalld_store::PostgresStore;
use recalld_store::postgres::Step;
use serde::Serialize;

use crate::arguments::examples;
use crate::failure::Failure;
use crate::output::{Page, Show};
use crate::session::Session;

/// Brings the schema of a PostgreSQL database up to date
///
/// A start does the same unless `database.migrate` is false. Each step is one transaction, and two
/// servers never take one at the same time. The data directory needs no command: it is brought up
/// to date whenever it is opened.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld migrate --database-url postgres://owner@db.example.com/memories",
    "recalld migrate --dry-run > steps.sql",
))]
pub(crate) struct Arguments {
    /// Prints the SQL of the steps, and takes none
    #[arg(long)]
    dry_run: bool,
}

impl Arguments {
    /// Migrates.
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let database = &session.config()?.values.database;
        let Some(url) = database.url.as_deref() else {
            let failure = Failure::bad_input("no_database", "no database is configured");
            return Err(failure.hint("name one with --database-url or DATABASE_URL"));
        };
        let settings = database.settings();
        let answer = match self.dry_run {
            true => Steps::pending(&PostgresStore::pending(url, &settings).await?),
            false => Steps::taken(PostgresStore::migrate(url, &settings).await?),
        };
        session.output.answer(&answer)
    }
}

/// The steps that were taken, or would be.
#[derive(Debug, Serialize)]
struct Steps {
    taken: Vec<&'static str>,
    pending: Vec<&'static str>,
    /// What the pending ones do.
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
            page.line("the schema is up to date");
        }
        for step in &self.taken {
            page.line(format_args!("took {step}"));
        }
        for line in self.sql.lines() {
            page.line(line);
        }
    }

    fn bare(&self) -> String {
        match self.sql.is_empty() {
            true => self.taken.iter().map(|step| format!("{step}\n")).collect(),
            false => self.sql.clone(),
        }
    }
}
