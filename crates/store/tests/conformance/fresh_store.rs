//! Fresh, empty stores to try things on.

use std::any::Any;
use std::sync::Arc;

use recalld_memory::ports::{Administration, Keyring, Store};
use recalld_store::SqliteStore;
use recalld_testing::postgres_database::Database;

/// A store of its own for one test.
pub(crate) struct Fresh {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) administration: Arc<dyn Administration>,
    pub(crate) keyring: Arc<dyn Keyring>,
    /// What has to live as long as the store: a temporary directory or database.
    _keep: Box<dyn Any + Send + Sync>,
}

pub(crate) async fn sqlite_in_directory() -> Fresh {
    let directory = tempfile::tempdir().unwrap();
    let store = Arc::new(SqliteStore::open(directory.path()).unwrap());
    Fresh {
        store: store.clone(),
        administration: store.clone(),
        keyring: store,
        _keep: Box::new(directory),
    }
}

pub(crate) async fn sqlite_in_memory() -> Fresh {
    let store = Arc::new(SqliteStore::in_memory().unwrap());
    Fresh {
        store: store.clone(),
        administration: store.clone(),
        keyring: store,
        _keep: Box::new(()),
    }
}

pub(crate) async fn postgres() -> Fresh {
    on(Database::new().await).await
}

pub(crate) async fn postgres_partitioned() -> Fresh {
    on(Database::partitioned().await).await
}

async fn on(database: Database) -> Fresh {
    let store = Arc::new(database.open().await);
    Fresh {
        store: store.clone(),
        administration: store.clone(),
        keyring: store,
        _keep: Box::new(database),
    }
}
