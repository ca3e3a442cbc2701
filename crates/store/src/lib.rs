//! Where memories are kept. The only SQL of recalld is in here.

pub mod postgres;
pub mod sqlite;

pub use postgres::PostgresStore;
pub use sqlite::SqliteStore;
