//! Memories as Markdown files that people read, edit and keep in git, and the way back from an edit
//! to the store.
//!
//! `MEMORY.md` holds what is remembered for good, `memory/YYYY-MM-DD.md` the notes of a day: one
//! line a memory, by category, in the order of learning. Lines that mean nothing to recalld stay
//! where they stand. Nothing here reads or writes a file: whoever does hands in texts and gets
//! texts.

mod base;
mod compare;
mod edits;
mod line;
mod merge;
mod name;
mod page;
mod project;
mod sync;
mod sync_folder;

pub use compare::{Note, NoteKind};
pub use name::{FileName, folder_of, space_of};
pub use project::{days, project};
pub use sync::{FileContent, SyncError, Synced, settle, sync};
pub use sync_folder::{Past, SyncFolder};
