//! Finds what answers a question. This is the one place that ranks.

mod events;
mod hit;
mod item;
mod knowledge;
mod memories;
mod messages;
mod newest;
mod overview;
mod prepared_query;
mod question;
mod rerank;
mod search;
mod vector;

pub use hit::{Hit, SCORE_FLOOR};
pub use item::{Item, ItemKind, Reach};
pub use knowledge::search_knowledge;
pub(crate) use memories::answers;
pub use memories::{in_view, recall, recall_in_view};
pub use messages::search_messages;
pub use prepared_query::PreparedQuery;
pub use question::Question;
pub use search::{Searched, search, search_what_is_there};
