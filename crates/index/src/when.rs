//! The time that a question names: "last week", "in May", "2023-05", "昨天".
//!
//! Only what is clear counts, and it favours what was said then, but hides nothing: what happened
//! in May may have been told in June.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Span as Length, Timestamp, ToSpan};

use crate::text::NamedTime;

/// A stretch of time: from the first millisecond to the one after the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub since_ms: i64,
    pub until_ms: i64,
}

/// A day begins at different times around the world.
const MARGIN_MS: i64 = 12 * 60 * 60 * 1000;

impl Span {
    /// The time that a question names when it is asked at `now`: by its words, which are given in
    /// lower case too, or by `dates` that were found in it. None if it names none, or more than
    /// one.
    pub fn named_in(text: &str, lower: &str, dates: &[NamedTime], now: Timestamp) -> Option<Span> {
        if dates.is_empty() && !may_count_from_today(text, lower) {
            return None;
        }
        let today = now.to_zoned(TimeZone::UTC).date();
        let mut days: Vec<(Date, Date)> = Vec::new();
        days.extend(relative(text, lower, today));
        days.extend(dates.iter().filter_map(|date| dated(*date, today)));
        days.dedup();
        match days[..] {
            [(first, end)] => Some(Span {
                since_ms: start_of(first)?.saturating_sub(MARGIN_MS),
                until_ms: start_of(end)?.saturating_add(MARGIN_MS),
            }),
            _ => None,
        }
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

/// Tells by one word whether [`relative`] could find anything: most questions name no time.
fn may_count_from_today(text: &str, lower: &str) -> bool {
    let is_one = |word: &str| matches!(word, "ago" | "yesterday" | "last" | "past" | "this");
    !text.is_ascii() || words(lower).any(is_one)
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
}

/// Expressions that count from today. One that is added needs its word in [`may_count_from_today`].
fn relative(text: &str, lower: &str, today: Date) -> Option<(Date, Date)> {
    let words: Vec<&str> = words(lower).collect();
    let has = |phrase: &[&str]| words.windows(phrase.len()).any(|some| some == phrase);
    let any = |phrases: &[&str]| phrases.iter().any(|phrase| text.contains(phrase));
    let back = |length: Length| today.checked_sub(length).ok();
    let monday = today
        .checked_sub(i64::from(today.weekday().to_monday_zero_offset()).days())
        .ok()?;
    let month = today.first_of_month();
    let year = Date::new(today.year(), 1, 1).ok()?;
    let tomorrow = today.checked_add(1.day()).ok()?;
    if let Some((first, end)) = ago(&words, today) {
        return Some((first, end));
    }
    if has(&["day", "before", "yesterday"]) || any(&["前天", "一昨日"]) {
        return Some((back(2.days())?, back(1.day())?));
    }
    if has(&["yesterday"]) || has(&["last", "night"]) || any(&["昨天", "昨日", "昨晚"]) {
        return Some((back(1.day())?, today));
    }
    if has(&["last", "week"]) || any(&["上周", "上星期", "上个星期", "先週"]) {
        return Some((monday.checked_sub(7.days()).ok()?, monday));
    }
    if has(&["past", "week"]) || has(&["this", "week"]) || any(&["这周", "本周", "今週"]) {
        return Some((monday.min(back(7.days())?), tomorrow));
    }
    if has(&["last", "month"]) || any(&["上个月", "上月", "先月"]) {
        return Some((month.checked_sub(1.month()).ok()?, month));
    }
    if has(&["past", "month"]) || has(&["this", "month"]) || any(&["这个月", "本月", "今月"]) {
        return Some((month, tomorrow));
    }
    if has(&["last", "year"]) || any(&["去年"]) {
        return Some((year.checked_sub(1.year()).ok()?, year));
    }
    if has(&["this", "year"]) || any(&["今年"]) {
        return Some((year, tomorrow));
    }
    None
}

/// `three days ago`, `2 weeks ago`: the more it is, the less exact.
fn ago(words: &[&str], today: Date) -> Option<(Date, Date)> {
    let at = words
        .iter()
        .position(|word| *word == "ago")
        .filter(|at| *at >= 2)?;
    let count: i64 = match words[at - 2] {
        "a" | "an" | "one" => 1,
        "two" => 2,
        "three" => 3,
        "four" => 4,
        "five" => 5,
        "six" => 6,
        digits => digits.parse().ok().filter(|count| (1..1000).contains(count))?,
    };
    let (back, give) = match words[at - 1] {
        "day" | "days" => (count.days(), 0.days()),
        "week" | "weeks" => ((7 * count).days(), 3.days()),
        "month" | "months" => (count.months(), 15.days()),
        "year" | "years" => (count.years(), 180.days()),
        _ => return None,
    };
    let day = today.checked_sub(back).ok()?;
    Some((
        day.checked_sub(give).ok()?,
        day.checked_add(give).ok()?.checked_add(1.day()).ok()?,
    ))
}

#[cfg(test)]
mod tests;
