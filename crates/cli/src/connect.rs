//! Connects clients (coding agents, editors, desktop programs) to the memories: adds an entry to
//! their configuration files, and takes it back.
//!
//! A client is one file in `clients/` and one line in [`clients::ALL`]. Comments and formatting of
//! the files survive, and what was written can be taken back to the byte (`ledger`).

pub(crate) mod client;
pub(crate) mod clients;
pub(crate) mod diff;
pub(crate) mod handshake;
mod hooks;
mod json_file;
mod launch;
pub(crate) mod ledger;
pub(crate) mod plan;
mod rules;
mod text_file;
mod toml_file;

pub(crate) use client::Client;
pub(crate) use launch::Launch;
pub(crate) use plan::{FileChange, Wanted};
