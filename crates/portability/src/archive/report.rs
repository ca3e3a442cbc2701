//! What became of an import, and how far it is.

use std::collections::BTreeMap;

/// Something that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where it is, such as `memories.jsonl:7` or `line 7`.
    pub place: String,
    pub reason: String,
}

/// What an import did, or would do, kind by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// By the name of the kind, such as `memories`.
    pub kinds: BTreeMap<&'static str, Tally>,
    /// What was left out, and why.
    pub faults: Vec<Fault>,
}

/// How many of a kind had which fate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// New here, or newer than what was here.
    pub added: u64,
    /// Here already.
    pub known: u64,
    /// Other than what is here, which stays.
    pub kept: u64,
    /// Of those, how many are hidden here.
    pub hidden: u64,
    /// Not acceptable.
    pub refused: u64,
}

/// The fate of one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fate {
    Added,
    Known,
    Kept,
    /// Kept, and hidden.
    Hidden,
    Refused,
}

impl Imported {
    /// Counts one more.
    pub(crate) fn count(&mut self, kind: &'static str, fate: Fate) {
        self.count_many(kind, fate, 1);
    }

    /// Counts several.
    pub(crate) fn count_many(&mut self, kind: &'static str, fate: Fate, many: usize) {
        let tally = self.kinds.entry(kind).or_default();
        let number = match fate {
            Fate::Added => &mut tally.added,
            Fate::Known => &mut tally.known,
            Fate::Kept => &mut tally.kept,
            Fate::Hidden => {
                tally.hidden += many as u64;
                &mut tally.kept
            }
            Fate::Refused => &mut tally.refused,
        };
        *number += many as u64;
    }

    /// Adds the figures of another report.
    pub(crate) fn add(&mut self, other: &Imported) {
        for (kind, tally) in &other.kinds {
            let sum = self.kinds.entry(kind).or_default();
            sum.added += tally.added;
            sum.known += tally.known;
            sum.kept += tally.kept;
            sum.hidden += tally.hidden;
            sum.refused += tally.refused;
        }
        self.faults.extend(other.faults.iter().cloned());
    }

    /// Counts what is new here, of all kinds.
    pub fn added(&self) -> u64 {
        self.kinds.values().map(|tally| tally.added).sum()
    }

    /// Counts what was not acceptable, of all kinds.
    pub fn refused(&self) -> u64 {
        self.kinds.values().map(|tally| tally.refused).sum()
    }
}

/// How far an import is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// How many things there are.
    pub total: u64,
    /// Of how many it is decided what becomes of them.
    pub done: u64,
    /// How many of those are stored and were not here before.
    pub added: u64,
    /// How many are not acceptable.
    pub refused: u64,
}
