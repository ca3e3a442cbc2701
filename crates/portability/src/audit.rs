//! The health of a memory: what is said twice, contradicts itself, is old, little trusted, or
//! should not be there.
//!
//! It only looks. Every finding comes with a command that a person may run after having looked as
//! well.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan};
use recalld_index::text::content_words;
use recalld_index::text::tokens::TokenCount;
use recalld_memory::lens::Lens;
use recalld_memory::memory::{Memory, Tier};
use recalld_memory::policy::duplicates::{Fingerprint, differ_in_substance};
use recalld_memory::ports::StoreError;
use recalld_memory::recall_stats::{self, RecallStats};
use recalld_memory::scope::Scope;
use recalld_memory::screening::secrets;
use recalld_memory::settings::Settings;
use recalld_memory::space::{SpaceError, SpaceView};
use recalld_memory::wiring::Ports;
use thiserror::Error;

/// What was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Audit {
    /// How many memories are shown.
    pub memories: usize,
    pub document_tokens: TokenCount,
    pub document_tokens_max: usize,
    /// The day since which it is counted what is recalled; none if nothing ever was.
    pub recalls_since: Option<Date>,
    /// How many of the memories shown were recalled since then.
    pub recalled: usize,
    /// By kind; kinds of which nothing was found are not in it.
    pub findings: BTreeMap<Kind, Vec<Finding>>,
}

/// What may be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// It looks like a secret.
    Secret,
    /// The same words.
    Duplicate,
    /// Nearly the same words, and no difference in numbers, names or negation.
    NearDuplicate,
    /// Nearly the same words, but another number or name, or a negation.
    Contradiction,
    /// A newer memory about the same took its place, or its time in the world is over.
    Outdated,
    /// Said by a document or a tool, or with little confidence.
    LowTrust,
    /// Durable, and not touched for long.
    Stale,
    /// Durable, and no question was ever answered by it.
    NeverRecalled,
    /// Its time has passed, and it is not tidied away yet.
    Expired,
    /// Durable, and outside the memory document because that is full.
    OverCap,
}

impl Kind {
    /// All kinds, the gravest first.
    pub const ALL: [Kind; 10] = [
        Kind::Secret,
        Kind::Duplicate,
        Kind::NearDuplicate,
        Kind::Contradiction,
        Kind::Outdated,
        Kind::LowTrust,
        Kind::Stale,
        Kind::NeverRecalled,
        Kind::Expired,
        Kind::OverCap,
    ];

    /// Gives the kind as a word.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Secret => "secret",
            Kind::Duplicate => "duplicate",
            Kind::NearDuplicate => "near_duplicate",
            Kind::Contradiction => "contradiction",
            Kind::Outdated => "outdated",
            Kind::LowTrust => "low_trust",
            Kind::Stale => "stale",
            Kind::NeverRecalled => "never_recalled",
            Kind::Expired => "expired",
            Kind::OverCap => "over_cap",
        }
    }

    /// Suggests a command, for the memory with that name.
    pub fn suggestion(self, name: &str) -> String {
        match self {
            Kind::Secret => format!("recalld forget {name} --erase"),
            Kind::Duplicate | Kind::NearDuplicate => format!("recalld forget {name}"),
            Kind::Contradiction | Kind::Outdated | Kind::LowTrust | Kind::Stale | Kind::NeverRecalled => {
                format!("recalld show {name}")
            }
            Kind::Expired => "it is hidden already; nothing to do".to_owned(),
            Kind::OverCap => "recalld document, then forget what is no longer needed".to_owned(),
        }
    }
}

/// One thing that may be wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The one to look at first.
    pub memory: Arc<Memory>,
    /// The one that it is like.
    pub other: Option<Arc<Memory>>,
}

/// Below this confidence a memory counts as little trusted.
const CONFIDENCE_LOW: f64 = 0.5;

/// After this many days without a change a durable memory is looked at again.
const STALE_DAYS: i64 = 365;

/// A memory is called never recalled when for this many days it could have been.
const UNRECALLED_DAYS: i32 = 30;

/// A word of more memories than this tells none of them apart.
const COMMON: usize = 200;

/// What share of all their words two statements must have in common to be nearly the same.
const LIKENESS_MIN: f64 = 0.6;

/// Why nothing was looked at.
#[derive(Debug, Error)]
pub enum AuditError {
    /// It could not be read what was recalled.
    #[error("the recall statistics cannot be read: {0}")]
    Store(#[from] StoreError),
    /// The space could not be read.
    #[error(transparent)]
    Space(#[from] SpaceError),
}

/// Looks at everything that the user of `scope` has.
pub async fn audit(ports: &Ports, scope: &Scope) -> Result<Audit, AuditError> {
    let settings = Arc::clone(&ports.settings);
    let recalled = recall_stats::read(ports, scope).await?;
    let look = |view: &SpaceView| examine(view, &recalled, scope.now, &settings);
    Ok(ports.spaces.read(scope.space(), look).await?)
}

fn examine(view: &SpaceView, recalled: &RecallStats, now: Timestamp, settings: &Settings) -> Audit {
    let current: Vec<&Arc<Memory>> = view.current(Lens::everywhere(now)).collect();
    let was_recalled = |memory: &Memory| recalled.memories.contains_key(&memory.id);
    let mut audit = Audit {
        memories: current.len(),
        recalls_since: recalled.since,
        recalled: current.iter().filter(|memory| was_recalled(memory)).count(),
        document_tokens: view.ledger().tokens(),
        document_tokens_max: settings.document_tokens_max,
        findings: BTreeMap::new(),
    };
    let mut find = |kind: Kind, memory: &Arc<Memory>, other: Option<&Arc<Memory>>| {
        audit.findings.entry(kind).or_default().push(Finding {
            memory: Arc::clone(memory),
            other: other.map(Arc::clone),
        });
    };
    let stale = now - SignedDuration::from_hours(24 * STALE_DAYS);
    for memory in &current {
        let key = memory.key.as_ref().map_or("", |key| key.as_str());
        if secrets::find(memory.content.as_str()).is_some() || secrets::find(key).is_some() {
            find(Kind::Secret, memory, None);
        }
        if !memory.trust.may_be_injected() || memory.confidence.value() < CONFIDENCE_LOW {
            find(Kind::LowTrust, memory, None);
        }
        if let Some(validity) = view.validity(memory.id)
            && validity.until.is_some_and(|until| until <= now)
        {
            let newer = validity.superseded_by.and_then(|newer| view.memory(newer));
            find(Kind::Outdated, memory, newer);
        }
        if memory.tier == Tier::Durable && memory.revised_at < stale {
            find(Kind::Stale, memory, None);
        }
        if memory.tier == Tier::Durable && !was_recalled(memory) && had_time(memory, recalled.since, now) {
            find(Kind::NeverRecalled, memory, None);
        }
        if memory.belongs_in_document() && !memory.in_document {
            find(Kind::OverCap, memory, None);
        }
    }
    for memory in view.memories() {
        if memory.is_active() && !memory.is_current(now) {
            find(Kind::Expired, memory, None);
        }
    }
    for (kind, first, second) in alike(&current) {
        find(kind, second, Some(first));
    }
    audit
}

/// Tells whether a memory has been there long enough, while recalls were counted, to be expected to
/// answer something.
fn had_time(memory: &Memory, since: Option<Date>, now: Timestamp) -> bool {
    let Some(since) = since else {
        return false;
    };
    let learned_on = memory.learned_at.to_zoned(TimeZone::UTC).date();
    let due = since.max(learned_on).checked_add(UNRECALLED_DAYS.days());
    due.is_ok_and(|due| due < now.to_zoned(TimeZone::UTC).date())
}

/// Finds statements that are like each other, each pair once, the earlier one first.
fn alike<'a>(memories: &[&'a Arc<Memory>]) -> Vec<(Kind, &'a Arc<Memory>, &'a Arc<Memory>)> {
    let words: Vec<HashSet<String>> = memories
        .iter()
        .map(|memory| content_words(memory.content.as_str()).into_iter().collect())
        .collect();
    let prints: Vec<Fingerprint> = memories
        .iter()
        .map(|memory| Fingerprint::of(memory.content.as_str()))
        .collect();
    let mut said: HashMap<&Fingerprint, usize> = HashMap::new();
    let mut holding: HashMap<&str, Vec<usize>> = HashMap::new();
    let mut found = Vec::new();
    for (number, own) in words.iter().enumerate() {
        let mut shared: HashMap<usize, usize> = HashMap::new();
        for word in own {
            let others = holding.entry(word).or_default();
            if others.len() < COMMON {
                others
                    .iter()
                    .for_each(|other| *shared.entry(*other).or_default() += 1);
            }
            others.push(number);
        }
        if let Some(first) = said.get(&prints[number]) {
            found.push((Kind::Duplicate, memories[*first], memories[number]));
            continue;
        }
        said.insert(&prints[number], number);
        let mut near: Vec<usize> = shared
            .into_iter()
            .filter(|(other, shared)| {
                let all = own.len() + words[*other].len() - shared;
                LIKENESS_MIN * all as f64 <= *shared as f64
            })
            .map(|(other, _)| other)
            .collect();
        near.sort_unstable();
        for other in near {
            let (first, second) = (memories[other], memories[number]);
            let kind = match differ_in_substance(first.content.as_str(), second.content.as_str()) {
                true => Kind::Contradiction,
                false => Kind::NearDuplicate,
            };
            found.push((kind, first, second));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use recalld_memory::id::MemoryId;
    use recalld_memory::memory::{Category, Confidence, Content, Origin, Standing};

    use super::*;

    fn memory(number: u128, content: &str) -> Arc<Memory> {
        Arc::new(Memory {
            id: MemoryId::from_uuid(uuid::Uuid::from_u128(number)),
            key: None,
            content: Content::new(content).unwrap(),
            category: Category::unsorted(),
            tier: Tier::Durable,
            confidence: Confidence::CERTAIN,
            origin: Origin::User,
            trust: Origin::User,
            source: None,
            conversation: None,
            message: None,
            learned_at: Timestamp::UNIX_EPOCH,
            revised_at: Timestamp::UNIX_EPOCH,
            expires_at: None,
            standing: Standing::Active,
            in_document: true,
            amends: None,
            period: Default::default(),
            project: None,
            evidence: Vec::new(),
            version: 1,
        })
    }

    #[test]
    fn likeness_and_contradiction_are_told_apart() {
        let all = [
            memory(1, "Ana drinks two cups of coffee each morning"),
            memory(2, "Ana drinks three cups of coffee each morning"),
            memory(3, "Each morning Ana drinks two cups of coffee"),
            memory(4, "ana drinks two cups of coffee each morning!"),
            memory(5, "The train to Porto leaves at nine"),
        ];
        let refs: Vec<&Arc<Memory>> = all.iter().collect();
        let found: Vec<(Kind, u128, u128)> = alike(&refs)
            .into_iter()
            .map(|(kind, a, b)| (kind, a.id.as_uuid().as_u128(), b.id.as_uuid().as_u128()))
            .collect();
        assert!(found.contains(&(Kind::Duplicate, 1, 4)), "{found:?}");
        assert!(found.contains(&(Kind::NearDuplicate, 1, 3)), "{found:?}");
        assert!(found.iter().all(|(_, a, b)| *a != 5 && *b != 5), "{found:?}");
        assert!(found.iter().any(|(_, a, b)| (*a, *b) == (1, 2)), "{found:?}");
    }
}
