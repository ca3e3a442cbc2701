//! When a memory holds in the world, apart from when it was stored.
//!
//! Two things tell it, and they make one truth. A memory's [`Period`] is what was said about it
//! ("we moved yesterday", "I quit in March", an end given over the API) and is stored with it. What
//! nobody said is worked out from the other versions of the same fact when it is read: it held
//! until the next version began. So nothing has to be mended when a version is hidden, undone or
//! imported.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use thiserror::Error;

use crate::id::MemoryId;

/// What was said about when a memory holds. What is none was not said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Period {
    pub from: Option<Timestamp>,
    /// From then on it no longer holds.
    pub until: Option<Timestamp>,
    /// The memory that took its place.
    pub superseded_by: Option<MemoryId>,
}

/// Why times are no period.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("valid_until ({until}) is before valid_from ({from})")]
pub struct InvalidPeriod {
    pub from: Timestamp,
    pub until: Timestamp,
}

impl Period {
    /// A period of which both ends may be open.
    pub fn new(from: Option<Timestamp>, until: Option<Timestamp>) -> Result<Period, InvalidPeriod> {
        match (from, until) {
            (Some(from), Some(until)) if until < from => Err(InvalidPeriod { from, until }),
            _ => Ok(Period {
                from,
                until,
                superseded_by: None,
            }),
        }
    }

    /// The same period, ended at `at`; at its beginning if it begins later.
    pub fn ended(self, at: Timestamp) -> Period {
        let earliest = self.from.unwrap_or(at);
        Period {
            until: Some(at.max(earliest)),
            ..self
        }
    }

    /// Tells whether it is over at `at`.
    pub fn is_over(&self, at: Timestamp) -> bool {
        self.until.is_some_and(|until| until <= at)
    }
}

/// Reads a moment of the world: a date and time, or a date, which means its beginning in UTC.
pub fn world_moment(raw: &str) -> Result<Timestamp, InvalidMoment> {
    let day = || raw.parse::<Date>().ok()?.to_zoned(TimeZone::UTC).ok();
    // A date and time would be read as a date, too.
    const DATE_CHARS: usize = 10;
    let read = match raw.len() == DATE_CHARS {
        true => day().map(|day| day.timestamp()),
        false => raw.parse().ok(),
    };
    read.ok_or_else(|| InvalidMoment(raw.chars().take(40).collect()))
}

/// A text that names no moment.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0:?} is neither a date such as 2026-10-01 nor a time such as 2026-10-01T09:00:00Z")]
pub struct InvalidMoment(String);

/// The time in which a memory holds, and its neighbours among the versions of the same fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Validity {
    pub from: Timestamp,
    /// None: it still holds.
    pub until: Option<Timestamp>,
    /// The version that took its place.
    pub superseded_by: Option<MemoryId>,
    /// The version whose place it took.
    pub replaces: Option<MemoryId>,
}

impl Validity {
    /// Tells whether it holds at `at`.
    pub fn holds(&self, at: Timestamp) -> bool {
        self.from <= at && self.until.is_none_or(|until| at < until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_means_its_beginning() {
        let read = |raw: &str| world_moment(raw).map(|at| at.to_string()).ok();
        assert_eq!(read("2026-03-01").as_deref(), Some("2026-03-01T00:00:00Z"));
        assert_eq!(
            read("2026-03-01T10:00:00+02:00").as_deref(),
            Some("2026-03-01T08:00:00Z")
        );
        for other in ["", "yesterday", "2026-02-30", "2026-3-1", "12:00"] {
            assert_eq!(read(other), None, "{other}");
        }
    }

    #[test]
    fn a_period_does_not_end_before_it_begins() {
        let at = |second| Timestamp::from_second(second).unwrap();
        assert!(Period::new(Some(at(1)), Some(at(2))).is_ok());
        assert!(Period::new(None, Some(at(2))).is_ok());
        let error = Period::new(Some(at(3)), Some(at(2))).unwrap_err();
        assert_eq!(
            error.to_string(),
            "valid_until (1970-01-01T00:00:02Z) is before valid_from (1970-01-01T00:00:03Z)"
        );
        let late = Period::new(Some(at(5)), None).unwrap().ended(at(3));
        assert_eq!(late.until, Some(at(5)));
        assert!(late.is_over(at(5)) && !late.is_over(at(4)));
    }
}
