//! Days that are told from the day of speaking: "next week" means little a year later.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

use super::language::{DatePhrase, Language, Unit};

/// The first and the last day of what a phrase names.
pub(super) type Days = (Date, Date);

/// Adds to a statement the days that it names, so that it can be read on any other day. A whole
/// month or year is written as such.
pub(super) fn with_days(statement: &str, days: Option<Days>) -> String {
    let Some((first, last)) = days else {
        return statement.to_owned();
    };
    let (year, month) = (first.year(), first.month());
    match () {
        () if first == last => format!("{statement} ({first})"),
        () if first == last.first_of_month() && last == first.last_of_month() => {
            format!("{statement} ({year}-{month:02})")
        }
        () if first == last.first_of_year() && last == first.last_of_year() => {
            format!("{statement} ({year})")
        }
        () => format!("{statement} ({first} to {last})"),
    }
}

/// The days that a statement names relative to `said_at`.
pub(super) fn named(statement: &str, language: &Language, said_at: Timestamp) -> Option<Days> {
    let today = said_at.to_zoned(TimeZone::UTC).date();
    let open = language.gate.open(statement);
    let mut phrases = language.dates.iter().filter(|phrase| open.lets(&phrase.pattern));
    phrases.find_map(|phrase| days(phrase, statement, language, today))
}

fn days(phrase: &DatePhrase, statement: &str, language: &Language, today: Date) -> Option<Days> {
    let groups = phrase.pattern.captures(statement)?;
    let times = match groups.name("n") {
        Some(number) => number_of(number, language)?,
        None => 1,
    };
    let plus = phrase
        .plus
        .checked_mul(times)
        .filter(|plus| plus.abs() <= 10_000)?;
    let counted = groups.name("n").is_some();
    let one = |date: Date| Some((date, date));
    match phrase.unit {
        Unit::Day => one(today.checked_add(plus.days()).ok()?),
        Unit::Week if counted => one(today.checked_add(plus.weeks()).ok()?),
        Unit::Week => {
            let first = monday(today)?.checked_add(plus.weeks()).ok()?;
            Some((first, first.checked_add(6.days()).ok()?))
        }
        Unit::Month => {
            let first = today.first_of_month().checked_add(plus.months()).ok()?;
            Some((first, first.last_of_month()))
        }
        Unit::Year => {
            let year = i16::try_from(i64::from(today.year()) + plus).ok()?;
            Some((Date::new(year, 1, 1).ok()?, Date::new(year, 12, 31).ok()?))
        }
        Unit::Weekday => {
            let named = groups.name("d")?.to_lowercase();
            let day = language
                .weekdays
                .iter()
                .position(|day| named.starts_with(day.as_str()))? as i64;
            one(weekday(today, day % 7, phrase.plus)?)
        }
    }
}

fn monday(today: Date) -> Option<Date> {
    let passed = i64::from(today.weekday().to_monday_zero_offset());
    today.checked_sub(passed.days()).ok()
}

/// The last such day before today, the next one after it, or the one of the week `plus` weeks on.
fn weekday(today: Date, day: i64, plus: i64) -> Option<Date> {
    let this = monday(today)?.checked_add(day.days()).ok()?;
    match plus {
        -1 if today <= this => this.checked_sub(7.days()).ok(),
        -1 => Some(this),
        0 if this < today => this.checked_add(7.days()).ok(),
        0 => Some(this),
        weeks => this.checked_add(weeks.weeks()).ok(),
    }
}

fn number_of(text: &str, language: &Language) -> Option<i64> {
    let text = text.to_lowercase();
    let named = || language.numbers.iter().find(|(word, _)| *word == text);
    text.parse().ok().or_else(|| named().map(|(_, number)| *number))
}

#[cfg(test)]
mod tests {
    use super::super::language::all;
    use super::*;

    #[test]
    fn days_are_told_from_the_day_of_speaking() {
        // A Thursday.
        let said_at: Timestamp = "2026-11-12T09:00:00Z".parse().unwrap();
        for (code, statement, expected) in [
            ("en", "I present next week", " (2026-11-16 to 2026-11-22)"),
            ("en", "Demo tomorrow", " (2026-11-13)"),
            ("en", "We married last Saturday", " (2026-11-07)"),
            ("en", "Exam next Friday", " (2026-11-20)"),
            ("en", "I left two weeks ago", " (2026-10-29)"),
            ("en", "Trip next month", " (2026-12)"),
            ("en", "I like tea", ""),
            ("zh", "我明天出差", " (2026-11-13)"),
            ("zh", "我上个月辞职了", " (2026-10)"),
            ("de", "Wir sind gestern umgezogen", " (2026-11-11)"),
            ("de", "vor drei Tagen", " (2026-11-09)"),
            ("fr", "On a déménagé hier", " (2026-11-11)"),
            ("fr", "la semaine dernière", " (2026-11-02 to 2026-11-08)"),
            ("es", "Ayer nos mudamos", " (2026-11-11)"),
            ("es", "el mes que viene", " (2026-12)"),
            ("pt", "Ontem a gente se mudou", " (2026-11-11)"),
            ("ja", "来月結婚します", " (2026-12)"),
            ("en", "I quit smoking three years ago", " (2023)"),
            ("en", "We moved this month", " (2026-11)"),
            ("de", "vor zwei Jahren", " (2024)"),
            ("de", "vor drei Wochen", " (2026-10-22)"),
            ("zh", "我三个月前搬到了长沙", " (2026-08)"),
            ("zh", "两年前", " (2024)"),
            ("fr", "il y a deux ans", " (2024)"),
            ("fr", "dans trois mois", " (2027-02)"),
            ("es", "hace dos meses", " (2026-09)"),
            ("es", "hace un año", " (2025)"),
            ("pt", "mês passado", " (2026-10)"),
            ("pt", "faz dois anos", " (2024)"),
            ("ja", "先月", " (2026-10)"),
            ("ja", "三年前", " (2023)"),
        ] {
            let language = all().iter().find(|language| language.code == code).unwrap();
            assert_eq!(
                with_days(statement, named(statement, language, said_at)),
                format!("{statement}{expected}")
            );
        }
    }
}
