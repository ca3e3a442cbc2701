//! `recalld migrate`: migrates the schema of a database.

use clap::Args;
use recalld_store::PostgresStore;
use recalld_store::postgres::{Cluster, MigrateOptions, Step};
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
    "recalld migrate --citus --shards 64 --serving-role recalld_server",
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
    /// Spreads the tables over the nodes of a Citus cluster (as a superuser of all nodes)
    #[arg(long, conflicts_with = "partitions")]
    citus: bool,
    /// Divides each table into N shards; 32 if not given
    #[arg(long, value_name = "N", requires = "citus", value_parser = clap::value_parser!(u32).range(1..=32_000))]
    shards: Option<u32>,
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
            citus: self.citus.then_some(self.shards),
        };
        let mut answer = match self.dry_run {
            true => Steps::pending(&PostgresStore::pending(url, &settings).await?),
            false => Steps::taken(PostgresStore::migrate(url, &settings, &options).await?),
        };
        if self.citus && !self.dry_run {
            answer.cluster = PostgresStore::cluster(url, &settings).await?.map(Nodes::of);
        }
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
    /// The nodes that the tables are spread over.
    #[serde(skip_serializing_if = "Option::is_none")]
    cluster: Option<Nodes>,
}

/// The nodes of a cluster.
#[derive(Debug, Serialize)]
struct Nodes {
    workers: Vec<String>,
    /// The lines that `pg_hba.conf` of every node needs.
    pg_hba: Vec<String>,
}

impl Nodes {
    fn of(cluster: Cluster) -> Nodes {
        Nodes {
            pg_hba: cluster.access_lines(),
            workers: cluster.workers,
        }
    }
}

impl Steps {
    fn taken(taken: Vec<&'static str>) -> Steps {
        Steps {
            taken,
            pending: Vec::new(),
            sql: String::new(),
            cluster: None,
        }
    }

    fn pending(steps: &[Step]) -> Steps {
        let sql = |step: &Step| format!("-- {}\nBEGIN;\n{}COMMIT;\n", step.name, step.sql);
        Steps {
            taken: Vec::new(),
            pending: steps.iter().map(|step| step.name).collect(),
            sql: steps.iter().map(sql).collect(),
            cluster: None,
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
        if let Some(nodes) = &self.cluster {
            page.line(format_args!(
                "The tables are spread over {}.",
                nodes.workers.join(", ")
            ));
            page.line("Every node needs these lines in pg_hba.conf (or the same with cert, if nodes have certificates):");
            for line in &nodes.pg_hba {
                page.line(line);
            }
        }
    }

    fn quiet(&self) -> String {
        match self.sql.is_empty() {
            true => self.taken.iter().map(|step| format!("{step}\n")).collect(),
            false => self.sql.clone(),
        }
    }
}
