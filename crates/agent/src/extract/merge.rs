//! What rules and a model found in the same messages, each thing once.
//!
//! Rules keep the user's own words, so where both read the same statement the rules' reading is the
//! quotation, and the quotation decides.

use recalld_index::text::content_words;
use recalld_memory::policy::duplicates::differ_in_substance;

use super::facts::Source;
use super::finding::{Fact, Finding};
use super::rules;

/// Leaves out the facts of a model that rules found as well.
pub(super) fn without_what_rules_found(facts: Vec<(usize, Fact)>, sources: &[Source]) -> Vec<(usize, Fact)> {
    let found: Vec<Vec<Fact>> = sources.iter().map(by_rules).collect();
    let is_new = |(at, fact): &(usize, Fact)| {
        let same = found
            .get(*at)
            .into_iter()
            .flatten()
            .find(|known| same_statement(known, fact));
        if let Some(known) = same
            && differ_in_substance(&known.content, &fact.content)
        {
            tracing::info!(
                target: "recalld::extract",
                rule = known.rule.as_deref().unwrap_or(""),
                said = %known.content,
                model = %fact.content,
                quote = %fact.quote,
                "the model read a statement differently; the quotation decides"
            );
        }
        same.is_none()
    };
    facts.into_iter().filter(is_new).collect()
}

fn by_rules(source: &Source) -> Vec<Fact> {
    let found = rules::find(&source.text, source.said_at).into_iter();
    let facts = found.filter_map(|finding| match finding {
        Finding::Holds(fact) => Some(fact),
        Finding::Ended(_) | Finding::Corrected(_) => None,
    });
    facts.collect()
}

/// Whether a model's fact is what a rule found: it is about the same slot, or it quotes the same
/// words and shares one that matters.
fn same_statement(known: &Fact, fact: &Fact) -> bool {
    let quotes = known.quote.contains(fact.quote.trim()) || fact.quote.contains(known.quote.trim());
    if !quotes {
        return false;
    }
    let same_slot = known.slot.is_some() && known.slot == fact.slot;
    let same_key = known.key.is_some() && known.key == fact.key;
    let words = content_words(&fact.content);
    let about = if known.about.is_empty() {
        &known.content
    } else {
        &known.about
    };
    let shares = content_words(about).iter().any(|word| words.contains(word));
    same_slot || same_key || shares
}

#[cfg(test)]
mod tests {
    use recalld_memory::id::{ConversationId, MessageId};
    use recalld_memory::slots::Slot;

    use super::*;

    fn source() -> Source {
        Source {
            conversation: ConversationId::new("c").unwrap(),
            message: MessageId::new("1").unwrap(),
            said_at: "2026-03-01T10:00:00Z".parse().unwrap(),
            text: "I live in Lisbon and I prefer tea. My plants need sun".to_owned(),
        }
    }

    fn kept(content: &str, quote: &str) -> usize {
        let fact = Fact {
            content: content.to_owned(),
            about: String::new(),
            slot: Slot::of(content),
            key: None,
            category: "personal_context",
            confidence: 0.9,
            quote: quote.to_owned(),
            since: None,
            opposite: None,
            rule: None,
        };
        without_what_rules_found(vec![(0, fact)], &[source()]).len()
    }

    #[test]
    fn what_rules_found_is_not_learned_twice() {
        assert_eq!(kept("User lives in Lisbon", "I live in Lisbon"), 0);
        assert_eq!(kept("Prefers tea", "I live in Lisbon and I prefer tea"), 0);
        // The quotation says Lisbon, so the rules' reading stands.
        assert_eq!(kept("User lives in Madrid", "I live in Lisbon"), 0);
        assert_eq!(kept("Has plants that need sun", "My plants need sun"), 1);
    }
}
