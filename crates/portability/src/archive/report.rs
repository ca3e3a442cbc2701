//! What became of an import.

use std::collections::BTreeMap;

use super::contents::Fault;

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

    /// Adds what another report tells.
    pub(crate) fn add(&mut self, other: Imported) {
        for (kind, tally) in other.kinds {
            let sum = self.kinds.entry(kind).or_default();
            sum.added += tally.added;
            sum.known += tally.known;
            sum.kept += tally.kept;
            sum.hidden += tally.hidden;
            sum.refused += tally.refused;
        }
        self.faults.extend(other.faults);
    }

    /// Counts what is new here, of all kinds.
    pub fn added(&self) -> u64 {
        self.kinds.values().map(|tally| tally.added).sum()
    }
}
