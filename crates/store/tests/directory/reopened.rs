//! Opens a directory again in the same process.

use std::path::Path;
use std::time::{Duration, Instant};

use recalld_store::SqliteStore;
use recalld_store::sqlite::OpenError;

/// Opens the directory when what was left to do before holds it no more.
pub fn opened(directory: &Path) -> SqliteStore {
    let until = Instant::now() + Duration::from_secs(60);
    loop {
        match SqliteStore::open(directory) {
            Err(OpenError::Locked { .. }) if Instant::now() < until => {
                std::thread::sleep(Duration::from_millis(1));
            }
            store => return store.unwrap(),
        }
    }
}
