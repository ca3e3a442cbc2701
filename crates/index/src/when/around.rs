//! Times that a date stands beside: `the week before 4 May`, `from 3 to 7 May`.

use std::sync::LazyLock;

use jiff::{Span as Length, ToSpan};
use regex::{Match, Regex};

use super::Days;

/// How many, with the blank after it.
pub(super) const COUNT: &str = "(?:(a|one|two|three|four|\\d{1,2}|zwei|drei|dos|tres|deux|trois) )?";

/// Of what.
pub(super) const UNIT: &str = "(days?|nights?|weeks?|weekends?|months?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|tage?|wochen?|wochenende|monate?|día|días|semanas?|jours?|semaines?|fin de semana)";

static BESIDE: LazyLock<Regex> = LazyLock::new(|| {
    let side = "(before|prior to|leading up to|after|following|vor|nach|antes de|después de|avant|après)";
    // What follows begins like a date.
    let date = r"(?:the |dem |del? |le |el )?(?:\d|\p{L}{3,10}\.? \d)";
    Regex::new(&format!(r"\b{COUNT}{UNIT} {side} {date}")).expect("a fixed pattern")
});

static RANGE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"\b(?:between|from|since|until|till|through|to|zwischen|von|bis|entre|desde|hasta|depuis|jusqu|tra|dal|fino|с|до|между)\b|[–—~〜]|到|至|から|まで|부터",
    )
    .expect("a fixed pattern")
});

/// The time beside the date that is meant. It holds the date itself: what happened the week before
/// is mostly told on that day.
pub(super) fn shifted(lower: &str, (first, end): Days) -> Option<Days> {
    let groups = BESIDE.captures(lower)?;
    let length = length_of(groups.get(1).map_or("", |count| count.as_str()), groups.get(2))?;
    match groups.get(3)?.as_str() {
        "after" | "following" | "nach" | "después de" | "après" => {
            Some((first, end.checked_add(length).ok()?))
        }
        _ => Some((first.checked_sub(length).ok()?, end)),
    }
}

/// The length of so many units.
pub(super) fn length_of(count: &str, unit: Option<Match>) -> Option<Length> {
    let count: i64 = match count {
        "" | "a" | "one" => 1,
        "two" | "zwei" | "dos" | "deux" => 2,
        "three" | "drei" | "tres" | "trois" => 3,
        "four" => 4,
        digits => digits.parse().ok()?,
    };
    Some(match unit?.as_str() {
        "day" | "days" | "night" | "nights" | "tag" | "tage" | "día" | "días" | "jour" | "jours" => {
            count.days()
        }
        unit if unit.starts_with("mon") && !unit.starts_with("monday") => count.months(),
        _ => (7 * count).days(),
    })
}

/// Whether a question says that all between two dates is meant.
pub(super) fn is_range(lower: &str) -> bool {
    RANGE.is_match(lower)
}
