//! A part of a month: `early in March`, `mid-January`, `Ende Mai`, `5月上旬`.

use std::sync::LazyLock;

use jiff::ToSpan;
use jiff::civil::Date;
use regex::Regex;

use super::Days;
use crate::text::month_named;

/// Ways to say which part, each list with the days that it means. People are not exact about it, so
/// the parts overlap.
const PARTS: [(&str, i8, i8); 6] = [
    (
        "first week of|first few days of|(?:erste|ersten) woche (?:im|des)",
        1,
        8,
    ),
    (
        "early in|early|(?:the )?beginning of|(?:the )?start of|(?:the )?first half of|anfang|(?:a )?principios de|comienzos de|début|início de|inicio de|começo de|inizio|начале",
        1,
        12,
    ),
    (
        "mid|(?:the )?middle of|mitte|(?:a )?mediados de|mi|meados de|metà|середине",
        9,
        22,
    ),
    (
        "late in|late|(?:the )?end of|(?:the )?second half of|ende|(?:a )?finales de|fines de|fin|fim de|final de|a fine|alla fine di|конце",
        19,
        31,
    ),
    (
        "last week of|last few days of|letzte(?:n)? woche (?:im|des)",
        23,
        31,
    ),
    ("(?:the )?second week of", 7, 15),
];

static LATIN: LazyLock<Regex> = LazyLock::new(|| {
    let parts = PARTS.map(|(words, ..)| format!("({words})")).join("|");
    Regex::new(&format!(
        r"\b(?:{parts})[ -](?:the month of |de )?(\p{{L}}{{3,12}})\.?(?:,? (?:of |de )?(\d{{4}}))?\b"
    ))
    .expect("a fixed pattern")
});

static HAN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:(\d{4})年)?(\d{1,2})月(?:(初|上旬|上半)|(中旬)|(底|末|下旬|下半))")
        .expect("a fixed pattern")
});

/// The days that a question means by a part of a month.
pub(super) fn named(lower: &str, today: Date) -> Option<Days> {
    if let Some(groups) = HAN.captures(lower) {
        let part = (3..=5).find(|at| groups.get(*at).is_some())?;
        let (first, last) = [(1, 12), (9, 22), (19, 31)][part - 3];
        let year = groups.get(1).and_then(|year| year.as_str().parse().ok());
        return days(groups[2].parse().ok()?, year, (first, last), today);
    }
    let found = |groups: regex::Captures| {
        let part = (1..=PARTS.len()).find(|at| groups.get(*at).is_some())? - 1;
        let month = month_named(&groups[PARTS.len() + 1])?;
        let year = groups.get(PARTS.len() + 2);
        let year = year.and_then(|year| year.as_str().parse().ok());
        let (_, first, last) = PARTS[part];
        days(i8::try_from(month).ok()?, year, (first, last), today)
    };
    LATIN.captures_iter(lower).find_map(found)
}

/// Of a month without a year, the last one that has begun is meant.
fn days(month: i8, year: Option<i16>, (first, last): (i8, i8), today: Date) -> Option<Days> {
    let begin = |year: i16| Date::new(year, month, 1).ok();
    let start = match year {
        Some(year) => begin(year)?,
        None => begin(today.year())
            .filter(|start| *start <= today)
            .or_else(|| begin(today.year() - 1))?,
    };
    let last = last.min(start.days_in_month());
    let day = |day: i8| Date::new(start.year(), month, day).ok();
    Some((day(first)?, day(last)?.checked_add(1.day()).ok()?))
}
