//! What can be said about a PostgreSQL database.

use std::fmt;

use recalld_store::postgres::{Settings, Storage};

/// A database for the memories, in place of the data directory.
#[derive(Clone)]
pub(crate) struct DatabaseValues {
    /// None: the memories are in the data directory.
    pub(crate) url: Option<String>,
    /// The address for a role that may migrate. None: a start never migrates.
    pub(crate) owner_url: Option<String>,
    /// Whether a start migrates.
    pub(crate) migrate: bool,
    pub(crate) connections_max: usize,
    /// Whether something below PostgreSQL answers for writes that reach the disk.
    pub(crate) storage_vouched: bool,
    /// The role in which tables of the deployment's own are read.
    pub(crate) tables_role: String,
    /// Whether the vectors of the built-in model are kept too.
    pub(crate) keep_vectors: bool,
}

impl Default for DatabaseValues {
    fn default() -> DatabaseValues {
        DatabaseValues {
            url: None,
            owner_url: None,
            migrate: true,
            connections_max: Settings::default().connections_max,
            storage_vouched: false,
            tables_role: Settings::default().tables_role,
            keep_vectors: true,
        }
    }
}

impl DatabaseValues {
    /// Gives the settings of the store.
    pub(crate) fn settings(&self) -> Settings {
        Settings {
            connections_max: self.connections_max,
            storage: match self.storage_vouched {
                true => Storage::Vouched,
                false => Storage::Checked,
            },
            tables_role: self.tables_role.clone(),
            ..Settings::default()
        }
    }
}

impl fmt::Debug for DatabaseValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The address holds a password, which stays out of logs.
        f.debug_struct("DatabaseValues")
            .field("is_set", &self.url.is_some())
            .field("migrate", &self.migrate)
            .finish_non_exhaustive()
    }
}
