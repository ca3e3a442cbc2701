//! How the memory document is written.

use std::fmt::Write;

use jiff::Timestamp;
use recalld_index::text::tokens::TokenCount;

use super::Document;
use crate::entity::{Entity, Mention};
use crate::memory::Memory;

/// The figures in a document's metadata.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Totals {
    pub(super) facts: usize,
    pub(super) active_facts: usize,
    pub(super) places: usize,
    pub(super) tokens: usize,
}

impl Totals {
    /// Counts what these figures cost beyond zeros in their places: three digits are one token.
    pub(super) fn tokens_beyond_zeros(self) -> TokenCount {
        let groups = |figure: usize| figure.checked_ilog(1000).unwrap_or(0) as usize;
        let more = groups(self.facts) + groups(self.active_facts) + groups(self.places) + groups(self.tokens);
        TokenCount {
            cl100k: more,
            o200k: more,
        }
    }
}

pub(super) const FACTS_OPEN: &str = "{\"facts\": [\n";
pub(super) const PLACES_OPEN: &str = "],\n\"places_of_interest\": [\n";

/// Writes the whole document.
pub(super) fn document(document: &Document, tokens: usize) -> String {
    let mut json = String::from(FACTS_OPEN);
    lines(&mut json, document.facts.iter().map(|fact| fact_line(fact)));
    json.push_str(PLACES_OPEN);
    lines(&mut json, document.places.iter().map(|place| place_line(place)));
    let totals = Totals {
        facts: document.facts.len(),
        active_facts: document.active_facts(),
        places: document.places.len(),
        tokens,
    };
    json.push_str(&metadata(totals, document.last_updated()));
    json
}

fn lines(json: &mut String, lines: impl Iterator<Item = String>) {
    let mut lines = lines.peekable();
    while let Some(line) = lines.next() {
        json.push_str(&line);
        json.push_str(if lines.peek().is_some() { ",\n" } else { "\n" });
    }
}

/// Writes one fact, without the border after it.
pub(super) fn fact_line(fact: &Memory) -> String {
    format!(
        "{{\"id\": \"{}\", \"content\": {}, \"added_at\": \"{}\", \"source_conversation_id\": {}, \
         \"source_message_id\": {}, \"is_active\": {}}}",
        fact.id,
        quoted(fact.content.as_str()),
        fact.learned_at,
        quoted_or_null(fact.conversation.as_ref().map(|id| id.as_str())),
        quoted_or_null(fact.message.as_ref().map(|id| id.as_str())),
        fact.is_active(),
    )
}

/// Writes one place, without the border after it.
pub(super) fn place_line(place: &Entity) -> String {
    let mut mentions = String::new();
    for (conversation, of_it) in by_conversation(place) {
        let border = if mentions.is_empty() { "" } else { ", " };
        let pairs: Vec<String> = of_it
            .iter()
            .map(|m| format!("[{}, \"{}\"]", quoted(m.message.as_str()), m.at))
            .collect();
        let _ = write!(
            mentions,
            "{border}{}: [{}]",
            quoted(conversation),
            pairs.join(", ")
        );
    }
    format!(
        "{{\"place_id\": {}, \"place_name\": {}, \"notes\": {}, \"mentioned_in\": {{{mentions}}}, \"added_at\": \"{}\"}}",
        quoted(place.id.as_str()),
        quoted(place.name.as_str()),
        quoted_or_null(place.notes.as_ref().map(|notes| notes.as_str())),
        place.added_at,
    )
}

/// Groups the mentions by conversation, in the order in which each conversation first mentioned it.
fn by_conversation(place: &Entity) -> Vec<(&str, Vec<&Mention>)> {
    let mut groups: Vec<(&str, Vec<&Mention>)> = Vec::new();
    for mention in &place.mentions {
        let conversation = mention.conversation.as_str();
        match groups.iter_mut().find(|(name, _)| *name == conversation) {
            Some((_, group)) => group.push(mention),
            None => groups.push((conversation, vec![mention])),
        }
    }
    groups
}

/// Writes what stands after the places.
pub(super) fn metadata(totals: Totals, last_updated: Option<Timestamp>) -> String {
    let updated = last_updated.map(|at| at.to_string());
    format!(
        "],\n\"metadata\": {{\"last_updated\": {}, \"total_facts\": {}, \"total_active_facts\": {}, \
         \"total_pois\": {}, \"token_count\": {}, \"schema_version\": \"1.0\"}}}}\n",
        quoted_or_null(updated.as_deref()),
        totals.facts,
        totals.active_facts,
        totals.places,
        totals.tokens,
    )
}

/// Counts a line field by field: no token reaches over a space that stands after a sign, and most
/// fields are like one that was counted before.
pub(super) fn line_tokens(line: &str) -> TokenCount {
    let mut rest = line;
    let mut total = TokenCount::default();
    while let Some(comma) = rest.find(", \"") {
        let (field, after) = rest.split_at(comma + 1);
        total += field_tokens(field);
        rest = after;
    }
    total + field_tokens(rest)
}

/// Counts the metadata with zeros for figures.
pub(super) fn metadata_tokens(last_updated: Option<Timestamp>) -> TokenCount {
    field_tokens(&metadata(Totals::default(), last_updated))
}

/// In ASCII a group of digits is one token whichever they are, so that one text stands for many and
/// its count is remembered.
fn field_tokens(field: &str) -> TokenCount {
    match field.is_ascii() && field.contains(|c: char| c.is_ascii_digit()) {
        true => TokenCount::of(&field.replace(|c: char| c.is_ascii_digit(), "0")),
        false => TokenCount::of(field),
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn quoted_or_null(text: Option<&str>) -> String {
    text.map_or_else(|| "null".to_owned(), quoted)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn figures_and_times_of_any_size_are_counted_as_they_are_written() {
        let times = [
            None,
            Some("2026-11-16T05:39:05Z"),
            Some("0001-01-01T00:00:00.123456Z"),
        ];
        for time in times.map(|time| time.map(|time| time.parse().unwrap())) {
            for figure in [0, 7, 42, 999, 1000, 12_345, 999_999, 1_000_000] {
                let totals = Totals {
                    facts: figure,
                    active_facts: figure / 2,
                    places: figure / 10,
                    tokens: figure * 100,
                };
                let counted = metadata_tokens(time) + totals.tokens_beyond_zeros();
                assert_eq!(counted, TokenCount::of(&metadata(totals, time)), "{totals:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn a_line_has_as_many_tokens_as_its_fields(content in "(\\PC|[0-9²٣, \"\n]){1,40}", id in "[0-9a-f]{8}-[0-9a-f]{4}") {
            let line = format!(
                "{{\"id\": \"{id}\", \"content\": {}, \"added_at\": \"2026-11-16T05:39:05.5Z",
                quoted(&content)
            );
            prop_assert_eq!(line_tokens(&line), TokenCount::of(&line));
        }
    }
}
