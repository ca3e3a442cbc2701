//! Memories in a PostgreSQL database.

use std::sync::Arc;

use recalld_memory::ports::Tombstones;
use recalld_memory::wiring::Ports;
use recalld_store::PostgresStore;
use recalld_store::postgres::MigrateOptions;

use super::{Access, Engine};
use crate::config::Config;
use crate::failure::Failure;
use crate::tombstones::{FileTombstones, NoTombstones};

/// Opens the database.
pub(super) async fn open(url: &str, config: &Config, access: Access) -> Result<Engine, Failure> {
    let settings = config.values.database.settings();
    if access != Access::Examine && config.values.database.migrate {
        migrate(url, config).await?;
    }
    let store = Arc::new(PostgresStore::open(url, &settings).await?);
    let mut engine = Engine::with_store(store.clone(), tombstones(&store, config).await?, config)?;
    if config.values.database.keep_vectors && store.has_matching().await? {
        engine = engine.with_ports(Ports::storing_all_vectors);
    }
    let engine = engine.with_ports(|ports| ports.with_tables(store.clone()));
    Ok(Engine {
        postgres: Some(store),
        ..engine
    })
}

/// Migrates as the owner, if one is configured. A login role that must not serve is refused first:
/// a refused start changes nothing.
async fn migrate(url: &str, config: &Config) -> Result<(), Failure> {
    let database = &config.values.database;
    let Some(owner_url) = database.owner_url.as_deref() else {
        return Ok(());
    };
    let settings = database.settings();
    PostgresStore::check_login(url, &settings).await?;
    let options = MigrateOptions {
        serving_role: PostgresStore::login_role(url)?,
        partitions: None,
        citus: None,
    };
    let steps = PostgresStore::migrate(owner_url, &settings, &options).await?;
    if !steps.is_empty() {
        tracing::info!(?steps, "migrated the database");
    }
    Ok(())
}

/// Where the data directory stores what belongs to databases.
const FOLDER: &str = "databases";

/// Opens the tombstones of a database. They are in the data directory, where no backup of the
/// database overwrites them, in a folder of their own for each database.
async fn tombstones(store: &PostgresStore, config: &Config) -> Result<Arc<dyn Tombstones>, Failure> {
    let Ok(directory) = config.data() else {
        return Ok(Arc::new(NoTombstones));
    };
    let own = directory.join(FOLDER).join(store.database_id().await?);
    Ok(Arc::new(FileTombstones::new(&own).within(directory)))
}
