//! Test doubles, sample data and temporary servers that the tests of several crates share.
//!
//! Used as a dev-dependency only: nothing in here reaches the program.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot be set up should stop where that shows"
)]

pub mod chat_server;
pub mod citus_database;
pub mod clock;
pub mod document_changes;
pub mod memory_changes;
pub mod message_changes;
pub mod platform_api;
pub mod platform_events;
pub mod postgres_database;
#[cfg(unix)]
pub mod postgres_server;
pub mod script;
pub mod words;
