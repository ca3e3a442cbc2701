//! What only an administrator of the database can do, and a test does to see what happens.

use recalld_store::PostgresStore;
use recalld_store::postgres::{OpenError, Settings};
use tokio_postgres::{Client, SimpleQueryMessage};

use crate::fresh::{Database, administrator, settings};

impl Database {
    /// Makes a database with nothing in it.
    pub async fn empty() -> Database {
        let database = Database::new().await;
        let (name, client) = (&database.name, administrator("postgres").await);
        for sql in [
            format!("DROP DATABASE {name}"),
            format!("CREATE DATABASE {name} OWNER recalld_test_server"),
        ] {
            client.batch_execute(&sql).await.unwrap();
        }
        database
    }

    /// Does something to it that no server may.
    pub async fn sabotage(&self, sql: &str) {
        administrator(&self.name).await.batch_execute(sql).await.unwrap();
    }

    /// Tries to open a store on it.
    pub async fn try_open(&self) -> Result<PostgresStore, OpenError> {
        PostgresStore::open(&self.address(), &settings()).await
    }

    /// Opens a store without a look at its walls.
    pub fn reach(&self, settings: &Settings) -> PostgresStore {
        PostgresStore::reach(&self.address(), settings).unwrap()
    }
}

/// Reads the first column of what `sql` finds.
pub async fn column(client: &Client, sql: &str) -> Result<Vec<String>, tokio_postgres::Error> {
    let found = client.simple_query(sql).await?;
    let rows = found.into_iter().filter_map(|message| match message {
        SimpleQueryMessage::Row(row) => Some(row.get(0).unwrap_or("null").to_owned()),
        _ => None,
    });
    Ok(rows.collect())
}

/// The tables that are keyed by space.
pub const TABLES: [&str; 12] = [
    "spaces",
    "events",
    "memories",
    "memory_versions",
    "entities",
    "mentions",
    "records",
    "conversations",
    "messages",
    "documents",
    "chunks",
    "vectors",
];
