//! What a run has heard besides the user, and so how far what it remembers can be trusted.
//!
//! A document or a tool may tell the model to remember something. What the model then writes is
//! trusted as little as what it heard, unless the user said it too.

use std::collections::HashSet;
use std::sync::Arc;

use parking_lot::Mutex;
use recalld_index::text::content_words;

use crate::conversation::{Message, Role};
use crate::memory::Origin;
use crate::policy::duplicates::is_negation;

/// What was heard so far. Clones share it.
#[derive(Clone, Debug)]
pub struct TrustContext {
    /// What the user said, sentence by sentence.
    said: Arc<Mutex<Vec<Sentence>>>,
    least: Arc<Mutex<Option<Origin>>>,
}

/// The words of a sentence, and whether it denies something.
#[derive(Debug)]
struct Sentence {
    words: HashSet<String>,
    is_negated: bool,
}

/// So much of a statement must be in the user's own words to be taken for theirs.
const SHARE_MIN: f64 = 0.8;

impl TrustContext {
    /// Nothing but what the user said.
    pub fn user(texts: &[&str]) -> TrustContext {
        let sentences = texts.iter().flat_map(|text| sentences(text)).collect();
        TrustContext {
            said: Arc::new(Mutex::new(sentences)),
            least: Arc::default(),
        }
    }

    /// Notes messages of another conversation: what the user said there is theirs, and an answer is
    /// trusted no further than what went into it, which only recalld's own answers tell.
    pub fn note_messages<'m>(&self, messages: impl IntoIterator<Item = &'m Message>) {
        for message in messages {
            let text = message.content.as_str();
            match message.role {
                Role::User => self.said.lock().extend(sentences(text)),
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

    /// Notes that something of `origin` was heard.
    pub fn note(&self, origin: Origin) {
        let mut least = self.least.lock();
        *least = Some(least.map_or(origin, |known| known.least_trusted(origin)));
    }

    /// Tells the least trusted thing that was heard.
    pub fn least(&self) -> Option<Origin> {
        *self.least.lock()
    }

    /// Tells how far a statement can be trusted that is given as one of `origin`. What an agent
    /// notes in nothing but the words of one sentence of the user was said by the user.
    pub fn trust(&self, statement: &str, origin: Origin) -> Origin {
        // "The user" is how models begin; it is nobody's word.
        let mut words = content_words(statement);
        words.retain(|word| word != "user");
        match self.least() {
            _ if origin == Origin::Assistant && self.is_said(&words) => Origin::Inferred,
            Some(least) if self.share(&words) < SHARE_MIN => origin.least_trusted(least),
            _ => origin,
        }
    }

    /// Tells whether one sentence of the user holds all of `words` and denies as much.
    fn is_said(&self, words: &[String]) -> bool {
        let is_negated = is_negated(words);
        let says_it = |sentence: &Sentence| {
            sentence.is_negated == is_negated && words.iter().all(|word| sentence.words.contains(word))
        };
        WORDS_MIN <= words.len() && self.said.lock().iter().any(says_it)
    }

    /// Tells which share of `words` the user has used, from 0 to 1.
    fn share(&self, words: &[String]) -> f64 {
        let said = self.said.lock();
        let is_known = |word: &&String| said.iter().any(|sentence| sentence.words.contains(*word));
        match words.len() {
            0 => 0.0,
            all => words.iter().filter(is_known).count() as f64 / all as f64,
        }
    }
}

/// A statement of fewer words is too short to tell whose it is.
const WORDS_MIN: usize = 2;

fn sentences(text: &str) -> Vec<Sentence> {
    let sentence = |part: &str| {
        let words = content_words(part);
        Sentence {
            is_negated: is_negated(&words),
            words: words.into_iter().collect(),
        }
    };
    text.split(['.', '!', '?', '\n', '。', '！', '？'])
        .map(sentence)
        .collect()
}

fn is_negated(words: &[String]) -> bool {
    words.iter().filter(|word| is_negation(word)).count() % 2 == 1
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
        let mostly = "The user presents on database performance next week again";
        assert_eq!(heard.trust(mostly, Origin::Assistant), Origin::Assistant);
        let partly = "The user presents on database performance at Evil Corp in Lisbon";
        assert_eq!(heard.trust(partly, Origin::Assistant), Origin::Document);
    }

    #[test]
    fn what_an_agent_notes_in_the_users_own_words_is_the_users() {
        let heard = TrustContext::user(&["I moved to Porto last month. I do not eat fish!"]);
        let trust = |statement: &str| heard.trust(statement, Origin::Assistant);
        assert_eq!(trust("User moved to Porto"), Origin::Inferred);
        assert_eq!(trust("The user does not eat fish"), Origin::Inferred);
        // A negation left out, words of two sentences, a word more.
        for other in [
            "User eats fish",
            "User moved to fish",
            "User moved to Porto with Eve",
        ] {
            assert_eq!(trust(other), Origin::Assistant, "{other}");
        }
        heard.note(Origin::Document);
        assert_eq!(trust("User moved to Porto last month"), Origin::Inferred);
        assert_eq!(heard.trust("User moved to Porto", Origin::Tool), Origin::Tool);
    }
}
