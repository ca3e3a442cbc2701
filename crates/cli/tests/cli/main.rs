//! The program as its users meet it: every scene runs the built binary on a data directory of its
//! own.
//!
//! (`cfg(test)` is always true here; it tells the lints that helpers of tests may unwrap, too.)

#[cfg(test)]
mod channels;
#[cfg(test)]
mod chat;
#[cfg(test)]
mod coding;
#[cfg(test)]
mod commands;
#[cfg(test)]
mod configuration;
#[cfg(test)]
mod connect;
#[cfg(test)]
mod crash;
#[cfg(test)]
mod damaged_store;
#[cfg(test)]
mod database;
#[cfg(test)]
mod demo;
#[cfg(test)]
mod doctor;
#[cfg(test)]
mod erase;
#[cfg(test)]
mod erased_words;
#[cfg(test)]
mod escapes;
#[cfg(test)]
mod extraction;
#[cfg(test)]
mod fallback;
#[cfg(test)]
mod files;
#[cfg(test)]
mod hook_injection;
#[cfg(test)]
mod hooks;
#[cfg(test)]
mod import;
#[cfg(test)]
mod ingest;
#[cfg(test)]
mod invalid_input;
#[cfg(test)]
mod json;
#[cfg(test)]
mod jwt;
#[cfg(test)]
mod killed_server;
#[cfg(test)]
mod mcp;
#[cfg(test)]
mod memory_keys;
#[cfg(test)]
mod model_choice;
#[cfg(test)]
mod model_texts;
#[cfg(test)]
mod sandbox;
#[cfg(test)]
mod serve;
#[cfg(test)]
mod server_process;
#[cfg(test)]
mod shared_directory;
#[cfg(test)]
mod store_selection;
#[cfg(test)]
mod suggested_commands;
#[cfg(test)]
mod usage;
