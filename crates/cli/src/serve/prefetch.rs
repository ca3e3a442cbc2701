//! Refreshes spaces in memory as soon as another server of the same database writes to them.

use std::sync::Arc;

use recalld_memory::wiring::Ports;
use recalld_store::PostgresStore;

/// Runs until it is dropped. Without a database there are no other servers.
pub(crate) async fn run(ports: Ports, database: Option<Arc<PostgresStore>>) {
    let Some(database) = database else { return };
    let mut listener = database.listener();
    loop {
        let notification = listener.next().await;
        ports.spaces.prefetch(|space| notification.is_about(space)).await;
    }
}
