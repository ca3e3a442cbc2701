//! Reads early what other servers of the same database wrote.

use std::sync::Arc;

use recalld_memory::wiring::Ports;
use recalld_store::PostgresStore;

/// Runs until it is dropped. Without a database there is no other server.
pub(crate) async fn run(ports: Ports, database: Option<Arc<PostgresStore>>) {
    let Some(database) = database else { return };
    let mut ear = database.ear();
    loop {
        let news = ear.next().await;
        ports.spaces.prefetch(|space| news.is_about(space)).await;
    }
}
