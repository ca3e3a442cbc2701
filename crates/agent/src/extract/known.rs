//! What is known already about what the user says: found by its words, by its slot, and by
//! likeness.

use std::sync::Arc;

use recalld_index::text::content_words;
use recalld_memory::lens::Lens;
use recalld_memory::memory::{Key, Memory, Origin};
use recalld_memory::policy::duplicates::{Fingerprint, differ_in_substance};
use recalld_memory::recall::{self, Question};
use recalld_memory::remember::Statement;
use recalld_memory::scope::Scope;
use recalld_memory::slots::{Slot, Values};
use recalld_memory::space::SpaceView;

use super::finding::{Correction, Ended, Ending, Fact, Finding};
use super::rules::find;

/// How many memories are looked at that are like a statement.
const LIKE_MAX: usize = 12;

/// The memories of a user, as they are looked at while findings are taken over.
pub(super) struct Known<'v> {
    pub(super) view: &'v SpaceView,
    pub(super) lens: Lens<'v>,
}

impl Known<'_> {
    /// Finds what says the same: in the same words, or in more words that leave nothing out.
    pub(super) fn says(
        &self,
        statement: &Statement,
        fingerprint: &Fingerprint,
        scope: &Scope,
    ) -> Option<Arc<Memory>> {
        if let Some(same) = self.view.by_statement(fingerprint, self.lens) {
            return Some(Arc::clone(same));
        }
        let content = undated(statement.content.as_str());
        let words = content_words(content);
        if words.is_empty() {
            return None;
        }
        let says_it = |memory: &Arc<Memory>| {
            let known = content_words(memory.content.as_str());
            words.iter().all(|word| known.contains(word))
                && !differ_in_substance(content, memory.content.as_str())
        };
        // The user may say anew what only sounds alike; under its key it is the same thing, said in
        // fewer words.
        match statement.origin {
            Origin::User => {
                let keyed = statement.key.as_ref();
                let keyed = keyed.and_then(|key| self.view.by_key(key.as_str(), self.lens));
                let of_this_message = |memory: &Arc<Memory>| {
                    // A tool was called to store it.
                    scope.message.is_some() && memory.message == scope.message && says_it(memory)
                };
                let keyed = keyed.filter(|keyed| says_it(keyed)).cloned();
                keyed.or_else(|| self.like(content).find(of_this_message))
            }
            _ => self.like(content).find(says_it),
        }
    }

    /// Finds what a fact takes the place of: under its key, in its slot of one value, or what says
    /// the opposite of it.
    pub(super) fn stale(&self, fact: &Fact, key: Option<&Key>) -> Option<Arc<Memory>> {
        let keyed = key.and_then(|key| self.view.by_key(key.as_str(), self.lens));
        if let Some(keyed) = keyed {
            return Some(Arc::clone(keyed));
        }
        let slot = fact.slot.as_ref()?;
        let about = fact.about.to_lowercase();
        if slot.values() == Values::One {
            return self
                .like(&fact.content)
                .find(|memory| slot_of(memory).as_ref() == Some(slot));
        }
        let opposite = fact.opposite.filter(|_| !about.is_empty())?;
        let contradicts = |memory: &Arc<Memory>| {
            let other = slot_of(memory);
            other.is_some_and(|other| other.attribute == opposite && other.subject == slot.subject)
                && mentions(memory, &about)
        };
        self.like(&fact.about).find(contradicts)
    }

    /// Finds what has ended: in the slot, by the words, or by likeness.
    pub(super) fn ended(&self, ended: &Ended) -> Option<Arc<Memory>> {
        let said = self
            .view
            .by_statement(&Fingerprint::of(&ended.statement), self.lens);
        if let Some(said) = said {
            return Some(Arc::clone(said));
        }
        let about = ended.about.to_lowercase();
        if about.is_empty() {
            return None;
        }
        let slot = ended.slot.as_ref();
        let keyed = slot.and_then(Slot::key);
        let keyed = keyed.and_then(|key| self.view.by_key(&key, self.lens));
        if let Some(keyed) = keyed.filter(|keyed| mentions(keyed, &about)) {
            return Some(Arc::clone(keyed));
        }
        let mut like: Vec<Arc<Memory>> = self
            .like(&ended.statement)
            .chain(self.like(&ended.about))
            .collect();
        like.retain(|memory| mentions(memory, &about));
        let same = like
            .iter()
            .find(|memory| slot.is_some() && slot_of(memory).as_ref() == slot);
        // Without a slot, or when it is filed elsewhere, what mentions it is meant; but only a fact
        // of one value ends by itself.
        let other = like.iter().find(|memory| {
            let of_one = || slot_of(memory).is_some_and(|slot| slot.values() == Values::One);
            ended.how == Ending::Forgotten || of_one()
        });
        same.or(other).cloned()
    }

    /// Finds what the user said last in this conversation and now corrects, with what it should
    /// say.
    pub(super) fn corrected(&self, correction: &Correction, scope: &Scope) -> Option<(Arc<Memory>, String)> {
        let said_here = |memory: &&Arc<Memory>| {
            memory.conversation.is_some()
                && memory.conversation == scope.conversation
                && memory.trust.is_users_own()
        };
        let mut said: Vec<&Arc<Memory>> = self.view.current(self.lens).filter(said_here).collect();
        said.sort_by_key(|memory| std::cmp::Reverse(memory.revised_at));
        if let Some(of) = &correction.of {
            let last = *said.first()?;
            return Some((
                Arc::clone(last),
                format!("{of}, not me: {}", last.content.as_str()),
            ));
        }
        let value = correction.value.as_deref()?;
        if let Some(old) = &correction.instead_of {
            let holds = |memory: &&&Arc<Memory>| mentions(memory, &old.to_lowercase());
            let all = said.iter().find(holds).copied();
            let was = all.cloned().or_else(|| {
                self.like(old)
                    .find(|memory| mentions(memory, &old.to_lowercase()))
            })?;
            let mended = replaced(was.content.as_str(), old, value)?;
            return Some((was, mended));
        }
        let last = *said.first()?;
        let about =
            find(last.content.as_str(), self.lens.now)
                .into_iter()
                .find_map(|finding| match finding {
                    Finding::Holds(fact) => Some(fact.about).filter(|about| !about.is_empty()),
                    _ => None,
                })?;
        let mended = replaced(last.content.as_str(), &about, value)?;
        Some((Arc::clone(last), mended))
    }

    fn like(&self, text: &str) -> impl Iterator<Item = Arc<Memory>> {
        let near = recall::in_view(self.view, &Question::new(text, LIKE_MAX), self.lens);
        // As they are stored: what is shown may have a time that was worked out.
        let stored = near.into_iter().filter_map(|hit| self.view.memory(hit.item.id));
        let of_now = stored.filter(|memory| !memory.period.is_over(self.lens.now));
        of_now.cloned()
    }
}

/// A statement without the date that was added to it.
fn undated(content: &str) -> &str {
    match content.rsplit_once(" (") {
        Some((bare, date)) if date.starts_with("20") && date.ends_with(')') => bare,
        _ => content,
    }
}

/// The slot of a memory: of its key, or else of what it says.
fn slot_of(memory: &Memory) -> Option<Slot> {
    let keyed = memory.key.as_ref().and_then(|key| Slot::of_key(key.as_str()));
    keyed.or_else(|| Slot::of(memory.content.as_str())).or_else(|| {
        let found = find(memory.content.as_str(), memory.learned_at)
            .into_iter()
            .next();
        match found {
            Some(Finding::Holds(fact)) => fact.slot,
            _ => None,
        }
    })
}

/// Whether a memory holds what something is about: its words, or all of its content words.
pub(super) fn mentions(memory: &Memory, about: &str) -> bool {
    let content = memory.content.as_str();
    if content.to_lowercase().contains(about) {
        return true;
    }
    let words = content_words(about);
    let known = content_words(content);
    !words.is_empty() && words.iter().all(|word| known.contains(word))
}

/// Puts `new` in the place of `old`, whatever the case of the letters.
fn replaced(content: &str, old: &str, new: &str) -> Option<String> {
    let at = content.find(old).or_else(|| {
        let (lower, old) = (content.to_lowercase(), old.to_lowercase());
        // Only where lower case has the same length can places be compared.
        lower.find(&old).filter(|_| lower.len() == content.len())
    })?;
    let end = at + old.len();
    (content.is_char_boundary(at) && content.is_char_boundary(end))
        .then(|| format!("{}{new}{}", &content[..at], &content[end..]))
}
