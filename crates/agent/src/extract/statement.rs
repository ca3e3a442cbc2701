//! A fact as a statement that can be remembered.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use recalld_memory::memory::{Category, Confidence, Content, Key, Origin, Source, Tier};
use recalld_memory::remember::{Reach, Statement};
use recalld_memory::slots::Values;
use recalld_memory::validity::Period;

use super::finding::Fact;

/// The beginning of a day of the world.
pub(super) fn beginning(day: Date) -> Option<Timestamp> {
    Some(day.to_zoned(TimeZone::UTC).ok()?.timestamp())
}

pub(super) fn statement(fact: &Fact, origin: Origin) -> Option<Statement> {
    // Only what has one value at a time begins on a day; *I run on Mondays* does not.
    let of_one = fact
        .slot
        .as_ref()
        .is_some_and(|slot| slot.values() == Values::One);
    let from = fact.since.filter(|_| of_one).and_then(beginning);
    Some(Statement {
        period: Period {
            from,
            ..Period::default()
        },
        key: fact.key.as_deref().and_then(|key| Key::new(key).ok()),
        content: Content::new(&fact.content).ok()?,
        category: Category::new(fact.category).unwrap_or_else(|_| Category::unsorted()),
        tier: Tier::Durable,
        confidence: Confidence::new(fact.confidence).ok()?,
        origin,
        source: source(&fact.quote),
        reach: reach(fact),
        evidence: Vec::new(),
    })
}

/// Where a fact is seen: what is true of a person is true in every project; what they work on, plan
/// and note belongs where it was said.
fn reach(fact: &Fact) -> Reach {
    match &fact.slot {
        Some(slot) if slot.attribute.is_of_person() => Reach::Everywhere,
        _ => Reach::WhereSaid,
    }
}

/// The evidence, as much of it as a source holds.
pub(super) fn source(quote: &str) -> Option<Source> {
    const ROOM: usize = Source::BYTES_MAX - 16;
    let quote = recalld_memory::render::one_line(quote);
    let cut = &quote[..quote.floor_char_boundary(ROOM)];
    Source::new(&format!("said: {cut}")).ok()
}
