//! What a platform sends, what becomes of it, and what is sent back.

mod feishu;
mod fixtures;
mod scenario;
mod slack;
mod stage;
mod stand_in;
