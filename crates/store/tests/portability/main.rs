//! What users may ask for as the owners of their memories: erasure, export and import, undo; and
//! what operators need for that: backups.
//!
//! `RECALLD_TEST_SCALE=10` plays ten times as much.

#![expect(
    clippy::unwrap_used,
    reason = "all of this is test code, also what no test attribute marks"
)]

mod archives;
mod backups;
mod covered_tables;
mod erasure;
mod folder_editor;
mod hand_edits;
mod interactions;
mod line_origins;
mod random_edits;
mod recall_counts;
mod sample_user;
mod several_folders;
mod undoing;
mod unverified_archives;

/// How much more is played than by default.
pub(crate) fn scale() -> usize {
    std::env::var("RECALLD_TEST_SCALE")
        .ok()
        .and_then(|scale| scale.parse().ok())
        .unwrap_or(1)
}
