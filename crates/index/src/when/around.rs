//! Times that a date stands beside: `the week before 4 May`, `from 3 to 7 May`.

use std::sync::LazyLock;

use jiff::ToSpan;
use regex::Regex;

use super::Days;

static BESIDE: LazyLock<Regex> = LazyLock::new(|| {
    let count = "(?:(a|one|two|three|four|\\d{1,2}|zwei|drei|dos|tres|deux|trois) )?";
    let unit = "(days?|nights?|weeks?|weekends?|months?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|tage?|wochen?|wochenende|monate?|día|días|semanas?|jours?|semaines?|fin de semana)";
    let side = "(before|prior to|leading up to|after|following|vor|nach|antes de|después de|avant|après)";
    // What follows begins like a date.
    let date = r"(?:the |dem |del? |le |el )?(?:\d|\p{L}{3,10}\.? \d)";
    Regex::new(&format!(r"\b{count}{unit} {side} {date}")).expect("a fixed pattern")
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
    let count: i64 = match groups.get(1).map_or("", |count| count.as_str()) {
        "" | "a" | "one" => 1,
        "two" | "zwei" | "dos" | "deux" => 2,
        "three" | "drei" | "tres" | "trois" => 3,
        "four" => 4,
        digits => digits.parse().ok()?,
    };
    let unit = groups.get(2)?.as_str();
    let length = match unit {
        "day" | "days" | "night" | "nights" | "tag" | "tage" | "día" | "días" | "jour" | "jours" => {
            count.days()
        }
        unit if unit.starts_with("mon") && !unit.starts_with("monday") => count.months(),
        _ => (7 * count).days(),
    };
    match groups.get(3)?.as_str() {
        "after" | "following" | "nach" | "después de" | "après" => {
            Some((first, end.checked_add(length).ok()?))
        }
        _ => Some((first.checked_sub(length).ok()?, end)),
    }
}

/// Whether a question says that all between two dates is meant.
pub(super) fn is_range(lower: &str) -> bool {
    RANGE.is_match(lower)
}
