//! Everything that moves, shows or removes what is stored of a user: Markdown files, import,
//! export, undo, audit and erasure.
//!
//! Nothing here knows SQL or HTTP.

pub mod archive;
pub mod audit;
mod bounded;
pub mod erase;
mod event_log;
pub mod files;
pub mod import;
pub mod keyed_hash;
pub mod undo;
