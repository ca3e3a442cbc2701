//! The configured PostgreSQL database.

use std::fmt;

use recalld_store::postgres::{Settings, Storage};

/// A database that stores the memories, instead of the data directory.
#[derive(Clone)]
pub(crate) struct DatabaseValues {
    /// `None` if the data directory stores the memories.
    pub(crate) url: Option<String>,
    /// The URL for a role that may migrate; without it, a start never migrates.
    pub(crate) owner_url: Option<String>,
    /// Whether a start applies missing migrations.
    pub(crate) migrate: bool,
    pub(crate) connections_max: usize,
    /// Whether the operator confirms that the storage below PostgreSQL preserves writes.
    pub(crate) storage_vouched: bool,
    /// The role that reads the deployment's own tables.
    pub(crate) tables_role: String,
    /// Whether the vectors of the built-in model are stored.
    pub(crate) keep_vectors: bool,
    pub(crate) fallback: Fallback,
}

/// What a server does when the database cannot be reached at its start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Fallback {
    /// It does not start.
    #[default]
    Off,
    /// It serves from memory until the database can be reached, and then stores what was written.
    Memory,
}

impl Fallback {
    pub(crate) const ALL: [Fallback; 2] = [Fallback::Off, Fallback::Memory];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Fallback::Off => "off",
            Fallback::Memory => "memory",
        }
    }
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
            fallback: Fallback::default(),
        }
    }
}

impl DatabaseValues {
    /// Returns the settings of the store.
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
        // The URL contains a password, which must not appear in logs.
        f.debug_struct("DatabaseValues")
            .field("is_set", &self.url.is_some())
            .field("migrate", &self.migrate)
            .finish_non_exhaustive()
    }
}
