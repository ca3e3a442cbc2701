//! The stores of recalld, SQLite and PostgreSQL. All SQL of the project is in this crate.

mod checksum;
mod chunks;
pub mod postgres;
pub mod sqlite;
mod verify;

pub use postgres::PostgresStore;
pub use sqlite::SqliteStore;
