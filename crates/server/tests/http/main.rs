//! The service as a client sees it, in-process on a real store.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot be set up should stop where that shows"
)]

mod archives;
mod audit;
mod console;
mod conversations;
mod description;
mod event_stream;
mod files;
mod hostile;
mod identity;
mod interactions;
mod key_ends;
mod knowledge;
mod limits;
mod me;
mod memories;
mod oauth;
mod oauth_forged;
mod once;
mod profile;
mod project_keys;
mod quotas;
mod review;
mod scope_table;
mod scopes;
mod shared_memories;
mod stage;
mod surrounded;
mod tokens;
mod tools;
mod undo;
mod working_memory;
