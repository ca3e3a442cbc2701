//! Chat with memory: tools for models, the agent loop, extraction of facts, summaries, daily runs.
//!
//! Nothing here knows SQL or HTTP: models and stores come in through the ports of
//! `recalld-memory`.

pub mod tools;

pub mod agent_loop;

pub mod learning_metrics;
pub mod prompts;
pub mod rollout;
pub mod settings;
pub mod task_queue;
pub mod wiring;

pub mod chat;
pub mod daily;
pub mod extract;
pub mod interactions;
pub mod summary;
