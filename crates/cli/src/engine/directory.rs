//! Memories in the data directory, which one process at a time holds.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use recalld_store::SqliteStore;
use recalld_store::sqlite::{self, DATABASE_FILE, OpenError};

use super::{Access, Engine};
use crate::config::Config;
use crate::failure::Failure;
use crate::tombstones::FileTombstones;

/// Opens the data directory.
pub(super) async fn open(config: &Config, access: Access) -> Result<Engine, Failure> {
    config.check_supabase()?;
    let wait = Duration::from_millis(config.values.data_wait_ms);
    let directory = config.data()?;
    let store = Arc::new(open_store(directory, access, wait).await?);
    let tombstones = Arc::new(FileTombstones::new(directory));
    let mut engine = Engine::with_store(store.clone(), tombstones, config)?;
    if let Some(snapshots) = store.snapshots() {
        engine = engine.with_ports(|ports| ports.with_snapshots(snapshots));
    }
    Ok(Engine {
        sqlite: Some(store),
        ..engine
    })
}

/// Whether nothing was ever stored in the directory. A file in its place is not empty, but wrong.
pub(crate) fn is_empty(directory: &Path) -> bool {
    !directory.join(DATABASE_FILE).exists() && (!directory.exists() || directory.is_dir())
}

/// A command reads one thing at a time.
const READERS: usize = 1;

/// The pause between two attempts to open the directory.
const PAUSE: Duration = Duration::from_millis(10);

/// Opens the store. Another command holds the directory for moments only, so a short wait is
/// worthwhile.
async fn open_store(directory: &Path, access: Access, wait: Duration) -> Result<SqliteStore, Failure> {
    if access != Access::Write && is_empty(directory) {
        return SqliteStore::in_memory().map_err(Failure::from);
    }
    let settings = sqlite::Settings {
        readers: READERS,
        ..sqlite::Settings::default()
    };
    let begun = Instant::now();
    loop {
        match SqliteStore::open_with(directory, &settings) {
            Err(OpenError::Locked { .. }) if begun.elapsed() < wait => tokio::time::sleep(PAUSE).await,
            opened => return opened.map_err(Failure::from),
        }
    }
}
