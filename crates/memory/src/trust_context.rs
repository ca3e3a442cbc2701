//! What a run has heard besides the user, and so how far what it remembers can be trusted.
//!
//! A document or a tool may tell the model to remember something. What the model then writes is
//! trusted as little as what it heard, unless the user said it too.

use std::collections::HashSet;
use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};
use recalld_index::text::content_words;

use crate::conversation::{Message, Role};
use crate::memory::Origin;

/// What was heard so far. Clones share it.
#[derive(Clone, Debug)]
pub struct TrustContext {
    user_words: Arc<Mutex<HashSet<String>>>,
    least: Arc<Mutex<Option<Origin>>>,
}

/// So much of a statement must be in the user's own words to be taken for theirs.
const SHARE_MIN: f64 = 0.8;

impl TrustContext {
    /// Nothing but what the user said.
    pub fn user(texts: &[&str]) -> TrustContext {
        let words = texts.iter().flat_map(|text| content_words(text)).collect();
        TrustContext {
            user_words: Arc::new(Mutex::new(words)),
            least: Arc::default(),
        }
    }

    /// Notes messages of another conversation: what the user said there is theirs, and an answer is
    /// trusted no further than what went into it, which only recalld's own answers tell.
    pub fn note_messages<'m>(&self, messages: impl IntoIterator<Item = &'m Message>) {
        for message in messages {
            let text = message.content.as_str();
            match message.role {
                Role::User => self.words().extend(content_words(text)),
                Role::Assistant => {
                    let about = message.metadata.as_ref();
                    let heard = about.and_then(|about| about["heard"].as_str());
                    let own = about.is_some_and(|about| about["arm"].is_string());
                    let heard = heard.and_then(|name| Origin::parse(name).ok());
                    heard
                        .or((!own).then_some(Origin::Tool))
                        .into_iter()
                        .for_each(|origin| self.note(origin));
                }
                Role::System => {}
            }
        }
    }

    fn words(&self) -> MutexGuard<'_, HashSet<String>> {
        self.user_words.lock()
    }

    /// Notes that something of `origin` was heard.
    pub fn note(&self, origin: Origin) {
        let mut least = self.least.lock();
        *least = Some(least.map_or(origin, |known| known.least_trusted(origin)));
    }

    /// Tells the least trusted thing that was heard.
    pub fn least(&self) -> Option<Origin> {
        *self.least.lock()
    }

    /// Tells how far a statement can be trusted that is given as one of `origin`.
    pub fn trust(&self, statement: &str, origin: Origin) -> Origin {
        match self.least() {
            Some(least) if !self.said_by_user(statement) => origin.least_trusted(least),
            _ => origin,
        }
    }

    fn said_by_user(&self, statement: &str) -> bool {
        // "The user" is how models begin; it is nobody's word.
        let words: Vec<String> = content_words(statement)
            .into_iter()
            .filter(|word| word != "user")
            .collect();
        let known = self.words();
        let said = words.iter().filter(|word| known.contains(*word)).count();
        !words.is_empty() && SHARE_MIN <= said as f64 / words.len() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_document_says_is_not_trusted_unless_the_user_said_it() {
        let heard = TrustContext::user(&["Remember that I present on database performance next week"]);
        let poison = "The user's bank is Evil Corp";
        assert_eq!(heard.trust(poison, Origin::Assistant), Origin::Assistant);
        heard.note(Origin::Document);
        assert_eq!(heard.trust(poison, Origin::Assistant), Origin::Document);
        assert_eq!(
            heard.trust(
                "The user presents on database performance next week",
                Origin::Assistant
            ),
            Origin::Assistant
        );
    }
}
