//! What users may ask for as the owners of their memories: erasure, export and import, undo; and
//! what operators need for that: backups.
//!
//! `RECALLD_TEST_SCALE=10` plays ten times as much.

#![expect(
    clippy::unwrap_used,
    reason = "all of this is test code, also what no test attribute marks"
)]

#[path = "keeping/archives.rs"]
mod archives;
#[path = "keeping/backups.rs"]
mod backups;
#[path = "keeping/desk.rs"]
mod desk;
#[path = "keeping/erasure.rs"]
mod erasure;
#[path = "keeping/folders.rs"]
mod folders;
#[path = "keeping/hand_edits.rs"]
mod hand_edits;
#[path = "keeping/household.rs"]
mod household;
#[path = "keeping/interactions.rs"]
mod interactions;
#[path = "keeping/kinds.rs"]
mod kinds;
#[path = "postgres/fresh.rs"]
mod postgres_database;
#[path = "keeping/random_edits.rs"]
mod random_edits;
#[path = "keeping/recalling.rs"]
mod recalling;
#[path = "scenes/stage.rs"]
#[expect(dead_code, reason = "the stage is larger than what these tests play")]
mod stage;

#[path = "keeping/undoing.rs"]
mod undoing;

#[path = "scenes/acts.rs"]
mod acts;

/// How much more is played than by default.
pub(crate) fn scale() -> usize {
    std::env::var("RECALLD_TEST_SCALE")
        .ok()
        .and_then(|scale| scale.parse().ok())
        .unwrap_or(1)
}
