//! What it means to remember and to recall: types, ports, policy, spaces and use cases.
//!
//! Nothing here knows SQL, HTTP, the environment or the wall clock: time, ids and identity come in
//! with the [`scope`], storage and models through the [`ports`].

// Types.
pub mod catalogue;
pub mod change;
pub mod conversation;
pub mod entity;
pub mod id;
pub mod knowledge;
pub mod memory;
pub mod model_tokens;
pub mod record;
pub mod schema;
pub mod screening;
pub mod settings;
pub mod slots;
pub mod validity;
pub mod vector;
pub mod whole_number;

// What the use cases work with.
pub mod document;
pub mod injection;
pub mod lens;
pub mod policy;
pub mod ports;
pub mod recall_counts;
pub mod render;
pub mod scope;
pub mod space;
pub mod space_owner;
pub mod target;
pub mod trace;
pub mod trust_context;
pub mod wiring;

// Use cases.
pub mod as_of;
pub mod browse;
pub mod checkpoints;
pub mod context;
pub mod conversation_items;
pub mod conversations;
pub mod embedding;
pub mod entities;
pub mod ingest;
mod item_links;
pub mod items;
pub mod memory_files;
pub mod profile;
pub mod prompt;
pub mod quota;
pub mod recall;
pub mod recall_stats;
pub mod receipts;
pub mod record_update;
pub mod remember;
pub mod remember_many;
pub mod research;
pub mod retire;
pub mod retire_many;
pub mod review;
pub mod revise;
pub mod text_ranking;
pub mod upkeep;
pub mod users;
pub mod working_memory;
