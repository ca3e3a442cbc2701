//! The options with which a database is opened.

use std::time::Duration;

/// The options with which a database is opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The most connections of one server.
    pub connections_max: usize,
    /// The longest that one transaction may take.
    pub transaction_max: Duration,
    pub storage: Storage,
    /// The role in which the deployment's own tables are read.
    pub tables_role: String,
    /// Whether statements are prepared where no pooler stands between.
    pub prepares: bool,
    #[doc(hidden)]
    pub filter: Filter,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            connections_max: 16,
            transaction_max: Duration::from_secs(30),
            storage: Storage::Checked,
            tables_role: "recalld_reader".to_owned(),
            prepares: true,
            filter: Filter::On,
        }
    }
}

/// What guarantees that a committed write is on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// PostgreSQL, whose settings are checked.
    Checked,
    /// The storage below PostgreSQL, as the deployment confirms.
    Vouched,
}

/// Whether statements name the space that they apply to. Only a test of the policies turns it off.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    On,
    Off,
}
