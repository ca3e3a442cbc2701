//! Memories in a database: opened before a command runs, because a network is waited for and a
//! directory is not.

use std::sync::Arc;

use recalld_memory::id::UserId;
use recalld_memory::ports::Tombstones;
use recalld_memory::wiring::Ports;
use recalld_portability::erase::enforce;
use recalld_store::PostgresStore;
use recalld_store::postgres::{MigrateOptions, OpenError};

use super::Engine;
use crate::config::Config;
use crate::erasures::{FileTombstones, NoTombstones, warn_of_returned};
use crate::failure::{Failure, chain};

/// What may be done about a schema that is behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Schema {
    /// Bring it up to date, unless the configuration forbids that.
    Migrate,
    /// Only say so.
    Leave,
}

impl Engine {
    /// Opens the database, if one is configured.
    pub(crate) async fn connect(config: &Config, schema: Schema) -> Option<Result<Engine, Failure>> {
        let url = config.values.database.url.as_deref()?;
        Some(open(url, config, schema).await)
    }
}

async fn open(url: &str, config: &Config, schema: Schema) -> Result<Engine, Failure> {
    let user = UserId::new(&config.values.user)?;
    let settings = config.values.database.settings();
    if schema == Schema::Migrate && config.values.database.migrate {
        migrate(url, config).await?;
    }
    let store = Arc::new(PostgresStore::open(url, &settings).await?);
    let mut engine = Engine::on(store.clone(), tombstones(&store, config).await?, user, config)?;
    if config.values.database.keep_vectors && store.has_matching().await? {
        engine = engine.with_ports(Ports::storing_all_vectors);
    }
    let count = enforce(&engine.ports, &engine.eraser).await?;
    warn_of_returned(count);
    let engine = engine.with_ports(|ports| ports.with_tables(store.clone()));
    Ok(Engine {
        database: Some(store),
        ..engine
    })
}

/// Migrates as the owner, if one is configured. A login role that must not serve is refused first: a
/// refused start changes nothing.
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
    };
    let steps = PostgresStore::migrate(owner_url, &settings, &options).await?;
    if !steps.is_empty() {
        tracing::info!(?steps, "migrated the database");
    }
    Ok(())
}

/// Finds the tombstones of a database: in the data directory, as those of the files are, so that no
/// backup of the database overwrites them, and apart from those of other databases.
async fn tombstones(store: &PostgresStore, config: &Config) -> Result<Arc<dyn Tombstones>, Failure> {
    let Ok(directory) = config.data() else {
        return Ok(Arc::new(NoTombstones));
    };
    let own = directory.join(FOLDER).join(store.database_id().await?);
    Ok(Arc::new(FileTombstones::new(&own)))
}

/// Where the data directory keeps what belongs to databases.
const FOLDER: &str = "databases";

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Failure {
        let hint = error.hint();
        let message = chain(&error);
        let failure = match &error {
            OpenError::Address { .. } | OpenError::Certificates { .. } => {
                Failure::bad_input("configuration", message)
            }
            OpenError::Unreachable { .. } => Failure::failed("unavailable", message),
            OpenError::Unsafe(_) => Failure::failed("unsafe", message),
            OpenError::Refused { .. } => Failure::failed("refused", message),
            OpenError::Behind { .. } => Failure::failed("behind", message),
            OpenError::Newer { .. } => Failure::failed("newer", message),
            OpenError::Migration { .. } | OpenError::Failed(_) => Failure::failed("store", message),
        };
        match hint {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }
}
