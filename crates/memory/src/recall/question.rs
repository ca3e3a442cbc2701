//! What is asked, and what may answer.

use jiff::Timestamp;

use super::item::ItemKind;
use crate::id::ConversationId;
use crate::memory::{Category, Tier};

/// What is asked, and what may answer. A filter that a kind of item does not have leaves it alone.
#[derive(Clone, Debug)]
pub struct Question {
    pub text: String,
    pub limit: usize,
    /// The kinds that [`super::search`] looks for; empty: all of them.
    pub kinds: Vec<ItemKind>,
    /// Only memories of this category.
    pub category: Option<Category>,
    /// Only memories of this tier.
    pub tier: Option<Tier>,
    /// Only memories learned at this time or later.
    pub since: Option<Timestamp>,
    /// Only memories learned before this time.
    pub until: Option<Timestamp>,
    /// Only messages of this conversation.
    pub conversation: Option<ConversationId>,
    /// Only what was known at this time, and of versions of one fact the one that held then first.
    pub as_of: Option<Timestamp>,
    /// Whether what nothing speaks for fills the list up, marked as weak, once something answers.
    pub fills: bool,
    /// Whether each hit shows its rank by words and by meaning.
    pub explain: bool,
    /// Whether the memories that answer count as recalled. What recalld asks for its own work does
    /// not.
    pub counted: bool,
}

impl Question {
    /// The most answers that a question may ask for.
    pub const LIMIT_MAX: usize = 1_000;

    /// Asks for the `limit` best answers of any kind.
    pub fn new(text: impl Into<String>, limit: usize) -> Question {
        Question {
            text: text.into(),
            limit,
            kinds: Vec::new(),
            category: None,
            tier: None,
            since: None,
            until: None,
            conversation: None,
            as_of: None,
            fills: false,
            explain: false,
            counted: true,
        }
    }

    /// The same question, asked by recalld for its own work.
    pub fn uncounted(self) -> Question {
        Question {
            counted: false,
            ..self
        }
    }

    /// Whether items of this kind may answer.
    pub(super) fn asks_for(&self, kind: ItemKind) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&kind)
    }
}
