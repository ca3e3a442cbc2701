//! What only an administrator of the database can do, and a test does to see what happens.

use tokio_postgres::{Client, SimpleQueryMessage};

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
