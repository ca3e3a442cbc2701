//! What a platform sends, what becomes of it, and what is sent back.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot be set up should stop where that shows"
)]

mod feishu;
mod fixtures;
mod scenario;
mod slack;
mod stage;
mod stand_in;
