//! The doors of vendors and what they share, in-process on both stores.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot be set up should stop where that shows"
)]

mod batch;
mod checkpoints;
mod conversations;
mod langgraph;
mod mem0;
mod mem0_dialects;
mod memory_stores;
mod memory_tool;
mod models;
mod stage;
