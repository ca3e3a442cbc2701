//! Days that are told from the day of speaking: "next week" means little a year later.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

/// Adds to a statement the date that it names relative to `said_at`, if it names one.
pub(super) fn dated(statement: &str, said_at: Timestamp) -> String {
    let today = said_at.to_zoned(TimeZone::UTC).date();
    match named(statement, today) {
        Some((first, last)) if first == last => format!("{statement} ({first})"),
        Some((first, last)) => format!("{statement} ({first} to {last})"),
        None => statement.to_owned(),
    }
}

fn named(statement: &str, today: Date) -> Option<(Date, Date)> {
    let lower = statement.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let has = |phrase: &[&str]| words.windows(phrase.len()).any(|some| some == phrase);
    let any = |phrases: &[&str]| phrases.iter().any(|phrase| statement.contains(phrase));
    let day = |days: i64| today.checked_add(days.days()).ok();
    let one = |date: Option<Date>| date.map(|date| (date, date));
    let monday = today
        .checked_sub(i64::from(today.weekday().to_monday_zero_offset()).days())
        .ok()?;
    let month = today.first_of_month();
    if has(&["day", "after", "tomorrow"]) || any(&["后天"]) {
        return one(day(2));
    }
    if has(&["tomorrow"]) || any(&["明天", "明日", "明晚"]) {
        return one(day(1));
    }
    if has(&["today"]) || has(&["tonight"]) || any(&["今天", "今晚"]) {
        return one(Some(today));
    }
    if has(&["yesterday"]) || any(&["昨天"]) {
        return one(day(-1));
    }
    if has(&["next", "week"]) || any(&["下周", "下星期", "下个星期"]) {
        return Some((
            monday.checked_add(7.days()).ok()?,
            monday.checked_add(13.days()).ok()?,
        ));
    }
    if has(&["this", "week"]) || any(&["这周", "本周"]) {
        return Some((monday, monday.checked_add(6.days()).ok()?));
    }
    if has(&["next", "month"]) || any(&["下个月", "下月"]) {
        let first = month.checked_add(1.month()).ok()?;
        return Some((first, first.last_of_month()));
    }
    if has(&["next", "year"]) || any(&["明年"]) {
        let year = today.year() + 1;
        return Some((Date::new(year, 1, 1).ok()?, Date::new(year, 12, 31).ok()?));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_told_from_the_day_of_speaking() {
        let said_at: Timestamp = "2026-11-12T09:00:00Z".parse().unwrap();
        for (statement, expected) in [
            (
                "I present next week",
                "I present next week (2026-11-16 to 2026-11-22)",
            ),
            ("Demo tomorrow", "Demo tomorrow (2026-11-13)"),
            ("我明天出差", "我明天出差 (2026-11-13)"),
            ("Trip next month", "Trip next month (2026-12-01 to 2026-12-31)"),
            ("I like tea", "I like tea"),
        ] {
            assert_eq!(dated(statement, said_at), expected);
        }
    }
}
