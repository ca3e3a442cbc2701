//! A space in this process: its rows and index, kept in step with the store, and the one way to
//! write to it.

mod account;
mod freshen;
mod job;
mod knowledge_shelf;
mod message_shelf;
mod shelf;
mod slot;
mod spaces;
mod standing;
mod view;

pub use job::Decision;
pub use knowledge_shelf::KnowledgeShelf;
pub(crate) use knowledge_shelf::passage;
pub use message_shelf::MessageShelf;
pub use spaces::{SpaceError, Spaces};
pub use view::SpaceView;
