//! Where memories are kept. The only SQL of recalld is in here.

mod chunks;
mod columns;
pub mod postgres;
pub mod sqlite;

pub use postgres::PostgresStore;
pub use sqlite::SqliteStore;
