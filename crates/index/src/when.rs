//! The time that a question names: "last week", "in May", "early in March", "from 3 to 7 May",
//! "the week before 4 May", "2023-05", "昨天".
//!
//! Only what is clear counts, and it favours what was said then, but hides nothing: what happened
//! in May may have been told in June.

mod around;
mod event;
mod part_of_month;
mod relative;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

use crate::text::NamedTime;

pub use event::{EventTime, told_time};

/// A stretch of time: from the first millisecond to the one after the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub since_ms: i64,
    pub until_ms: i64,
}

/// A day begins at different times around the world.
const MARGIN_MS: i64 = 12 * 60 * 60 * 1000;

/// Days from the first to the one after the last.
type Days = (Date, Date);

/// Dates that are no further apart than this are meant as one time, with or without a word between
/// them.
const TOGETHER_DAYS_MAX: i32 = 31;

impl Span {
    /// The time that a question names when it is asked at `now`: by its words, which are given in
    /// lower case too, or by `dates` that were found in it. None if it names none, or several that
    /// do not belong together.
    pub fn named_in(text: &str, lower: &str, dates: &[NamedTime], now: Timestamp) -> Option<Span> {
        let today = now.to_zoned(TimeZone::UTC).date();
        let (first, end) = days_named(text, lower, dates, today)?;
        Some(Span {
            since_ms: start_of(first)?.saturating_sub(MARGIN_MS),
            until_ms: start_of(end)?.saturating_add(MARGIN_MS),
        })
    }

    /// The first millisecond in UTC of the first day that was named.
    pub fn first_day_ms(self) -> i64 {
        self.since_ms.saturating_add(MARGIN_MS)
    }

    /// Whether a moment is in it.
    pub fn holds(self, time_ms: i64) -> bool {
        (self.since_ms..self.until_ms).contains(&time_ms)
    }
}

fn start_of(day: Date) -> Option<i64> {
    let start = day.to_zoned(TimeZone::UTC).ok()?;
    Some(start.timestamp().as_millisecond())
}

fn dated(time: NamedTime, today: Date) -> Option<(Date, Date)> {
    let year_of = |month: i8, day: i8| {
        // The last one that has begun.
        let this = Date::new(today.year(), month, day).ok()?;
        if this <= today {
            Some(this)
        } else {
            this.checked_sub(1.year()).ok()
        }
    };
    let (first, length) = match time {
        NamedTime::Day { year, month, day } => {
            (Date::new(year as i16, month as i8, day as i8).ok()?, 1.day())
        }
        NamedTime::Month { year, month } => (Date::new(year as i16, month as i8, 1).ok()?, 1.month()),
        NamedTime::Year { year } => (Date::new(year as i16, 1, 1).ok()?, 1.year()),
        NamedTime::MonthDay { month, day } => (year_of(month as i8, day as i8)?, 1.day()),
        NamedTime::MonthOfAnyYear { month } => (year_of(month as i8, 1)?, 1.month()),
    };
    Some((first, first.checked_add(length).ok()?))
}

fn days_named(text: &str, lower: &str, dates: &[NamedTime], today: Date) -> Option<Days> {
    if let Some(part) = part_of_month::named(lower, today) {
        return Some(part);
    }
    let counted = relative::named(text, lower, today);
    let mut days: Vec<Days> = dates.iter().filter_map(|date| dated(*date, today)).collect();
    days.dedup();
    match (counted, &days[..]) {
        (Some(counted), []) => Some(counted),
        (None, [one]) => around::shifted(lower, *one).or(Some(*one)),
        (None, [_, ..]) => together(&days, lower),
        // Which of the two is meant?
        (Some(counted), [one]) if counted == *one => Some(counted),
        _ => None,
    }
}

/// The time from the first of several dates to the last, if they are near each other or a word
/// says that all between them is meant.
fn together(days: &[Days], lower: &str) -> Option<Days> {
    let first = days.iter().map(|(first, _)| *first).min()?;
    let end = days.iter().map(|(_, end)| *end).max()?;
    let length = first.until(end).ok()?.get_days();
    (length <= TOGETHER_DAYS_MAX || around::is_range(lower)).then_some((first, end))
}

#[cfg(test)]
mod tests;
