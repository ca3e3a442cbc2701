//! The memory document of a user: facts and places as one JSON text under a token cap.
//!
//! It is written so that its tokens can be counted line by line: each fact and each place is one
//! line that starts with a brace and ends with a newline, and no token of either encoding spans
//! such a border. So an add counts one line.

mod evictions;
mod ledger;
mod line;
mod text;
mod token_record;

use std::sync::Arc;

use jiff::Timestamp;

pub use evictions::warn_of_evictions;
pub use ledger::{Leaving, Ledger};
pub(crate) use token_record::token_record;

use recalld_index::text::tokens::TokenCount;

use crate::entity::Entity;
use crate::memory::Memory;

/// What a user's document holds at one moment.
#[derive(Clone, Debug)]
pub struct Document {
    /// The oldest first; inactive ones too.
    pub facts: Vec<Arc<Memory>>,
    /// The oldest first.
    pub places: Vec<Arc<Entity>>,
}

impl Document {
    /// Counts the facts that are active.
    pub fn active_facts(&self) -> usize {
        self.facts.iter().filter(|fact| fact.is_active()).count()
    }

    /// Tells when anything in it last changed.
    pub fn last_updated(&self) -> Option<Timestamp> {
        let facts = self.facts.iter().map(|fact| fact.revised_at);
        facts
            .chain(self.places.iter().map(|place| place.touched_at()))
            .max()
    }

    /// Writes the document as JSON, with its exact token count in its metadata.
    pub fn to_json(&self) -> String {
        text::document(self, self.tokens().most())
    }

    /// Counts the tokens of [`Document::to_json`].
    pub fn tokens(&self) -> TokenCount {
        let mut ledger = Ledger::default();
        for fact in &self.facts {
            ledger.put_fact(fact);
        }
        for place in &self.places {
            ledger.put_place(place);
        }
        ledger.tokens()
    }
}
