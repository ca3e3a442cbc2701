//! What it means to remember and to recall: types, ports, policy, index and tools.
//!
//! Nothing here knows SQL, HTTP, the environment or the wall clock: time, ids and identity come in
//! with the [`scope`], storage and models through the [`ports`].

// What there is.
pub mod change;
pub mod conversation;
pub mod entity;
pub mod id;
pub mod knowledge;
pub mod memory;
pub mod record;
pub mod vector;

// What it is kept and found with.
pub mod document;
mod figures;
pub mod index;
pub mod policy;
pub mod ports;
pub mod render;
pub mod schema;
pub mod scope;
pub mod settings;
pub mod space;
pub mod target;
pub mod text;
pub mod whole_number;

// What can be done.
pub mod agent;
pub mod archive;
pub mod as_of;
pub mod audit;
pub mod browse;
pub mod chat;
pub mod context;
pub mod conversations;
pub mod daily;
pub mod embedding;
pub mod entities;
pub mod erase;
pub mod extract;
pub mod files;
pub mod import;
pub mod interactions;
mod log;
pub mod profile;
pub mod prompt;
pub mod recall;
pub mod recalls;
pub mod receipts;
pub mod remember;
pub mod retire;
pub mod revise;
pub mod summary;
pub mod tools;
pub mod undo;
pub mod upkeep;
pub mod working_memory;
