//! Where memories are kept. The only SQL of recalld is in here.

pub mod sqlite;

pub use sqlite::SqliteStore;
