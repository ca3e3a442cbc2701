//! Times that an event stands beside: `the week before the wedding`, `vor meinem Umzug`, `搬家之前`.
//! When the event was is for those to find out who know what was told about it.

use std::sync::LazyLock;

use jiff::{Span as Length, Timestamp, ToSpan};
use regex::Regex;

use super::around::{COUNT, UNIT, length_of};
use super::{MARGIN_MS, Span};
use crate::text::{NamedTime, read_query};

/// An event by which a question names a time.
#[derive(Clone, Debug)]
pub struct EventTime {
    /// What the question may call it, without its article: the most words first.
    pub names: Vec<String>,
    side: Side,
    /// How much time beside it is meant; none: all of it.
    length: Option<Length>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Before,
    After,
}

/// What stands before an event that both know of: without it, `after work` and `before bed` are
/// habits.
const KNOWN: &str = r"(?:the |my |our |his |her |their |\p{L}+['’]s |de[mnr] |mein\w* |unser\w* |la |el |mi |nuestr\w+ |le |l['’]|mon |ma |notre |minha |meu |моей |моего )";

static BESIDE: LazyLock<Regex> = LazyLock::new(|| {
    // A preposition may hold the article already, and some languages have none.
    let before = format!(
        "(?:before|prior to|leading up to|vor|antes de|avant|prima di) {KNOWN}|(?:antes d(?:el|[ao])|prima del(?:l[ao])?|перед|до) "
    );
    let after = format!(
        "(?:after|following|since|nach|seit|después de|desde|après|depuis|dopo) {KNOWN}|(?:después del|depois d[ao]|desde o|после) "
    );
    let event = r"(\p{L}[\p{L}\d'’-]*(?: [\p{L}\d'’-]+){0,3})";
    Regex::new(&format!(r"\b(?:{COUNT}{UNIT} )?(?:({before})|({after})){event}")).expect("a fixed pattern")
});

/// In Chinese the side follows the event, which is taken to have two characters.
static HAN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(\p{Han}{2})(?:(之前|以前)|(之后|以后|之後|以後))").expect("a fixed pattern")
});

/// A part of each word that [`BESIDE`] looks for.
const SIDES: [&str; 21] = [
    "before ",
    "prior to ",
    "leading up ",
    "after ",
    "following ",
    "since ",
    "vor ",
    "nach ",
    "seit ",
    "antes d",
    "después d",
    "depois d",
    "desde ",
    "avant ",
    "après ",
    "depuis ",
    "prima d",
    "dopo ",
    "до ",
    "перед ",
    "после ",
];

const ENGLISH: [&str; 6] = ["before", "prior", "leading", "after", "following", "since"];

/// Words with which the question goes on after the event.
const ENDS: [&str; 29] = [
    "did", "do", "does", "was", "were", "is", "are", "have", "had", "has", "i", "we", "you", "he", "she",
    "they", "what", "who", "where", "when", "in", "on", "and", "habe", "hatte", "war", "ich", "und", "ended",
];

/// What happens every day names no time.
const HABITS: [&str; 24] = [
    "work",
    "school",
    "breakfast",
    "lunch",
    "dinner",
    "bed",
    "sleep",
    "shower",
    "meal",
    "morning",
    "evening",
    "arbeit",
    "schule",
    "frühstück",
    "essen",
    "schlafen",
    "trabajo",
    "desayuno",
    "cena",
    "travail",
    "dîner",
    "weekend",
    "day",
    "gym",
];

impl EventTime {
    /// The event that a question in lower case names a time by.
    pub fn named_in(lower: &str) -> Option<EventTime> {
        if let Some(groups) = HAN.captures(lower) {
            return Some(EventTime {
                names: vec![groups[1].to_owned()],
                side: groups.get(2).map_or(Side::After, |_| Side::Before),
                length: None,
            });
        }
        // Few questions have such a word, and the pattern is costly where letters are not ASCII.
        if !SIDES.iter().any(|side| lower.contains(side)) {
            return None;
        }
        let groups = BESIDE.captures(lower)?;
        let side = groups.get(3).or(groups.get(4))?.as_str();
        let whose = side
            .split(' ')
            .filter(|word| word.ends_with("'s") || word.ends_with("’s"));
        let said = groups[5].split(' ').take_while(|word| !ENDS.contains(word));
        let words: Vec<&str> = whose.chain(said).collect();
        let is_habit = words.len() == 1 && HABITS.contains(&words[0]);
        // A date beside which a time lies is read as one.
        let has_date = !read_query(&words.join(" ")).1.is_empty();
        if words.is_empty() || is_habit || has_date {
            return None;
        }
        // In English the last word says what it was (`the Lisbon trip`). Elsewhere it is the first,
        // and the words after it may be those that the question goes on with.
        let is_english = ENGLISH.iter().any(|word| side.starts_with(word));
        let fewest = if is_english { words.len() } else { 1 };
        Some(EventTime {
            names: (fewest..=words.len())
                .rev()
                .map(|count| words[..count].join(" "))
                .collect(),
            side: groups.get(3).map_or(Side::After, |_| Side::Before),
            length: length_of(groups.get(1).map_or("", |count| count.as_str()), groups.get(2)),
        })
    }

    /// The time that is meant if the event was at `at`.
    pub fn beside(&self, at: Span) -> Span {
        let moved = |ms: i64, length: Length| {
            let start = Timestamp::from_millisecond(ms)
                .ok()?
                .to_zoned(jiff::tz::TimeZone::UTC);
            Some(start.checked_add(length).ok()?.timestamp().as_millisecond())
        };
        match (self.side, self.length) {
            // With the event itself: what happened shortly before is mostly told on that day.
            (Side::Before, Some(length)) => Span {
                since_ms: moved(at.since_ms, length.negate()).unwrap_or(i64::MIN),
                ..at
            },
            (Side::After, Some(length)) => Span {
                until_ms: moved(at.until_ms, length).unwrap_or(i64::MAX),
                ..at
            },
            // Without it: what held before a change ended with it.
            (Side::Before, None) => Span {
                since_ms: i64::MIN,
                until_ms: at.first_day_ms().saturating_sub(1),
            },
            (Side::After, None) => Span {
                until_ms: i64::MAX,
                ..at
            },
        }
    }
}

/// An event that lasted longer is no time to count from.
const EVENT_DAYS_MAX: i64 = 31;

/// When something was, by what was said about it at `said`. A date without its year is the one
/// nearest to that: a wedding may be announced.
pub fn told_time(text: &str, said: Timestamp) -> Option<Span> {
    let (_, dates) = read_query(text);
    let has_no_year = |date: &NamedTime| {
        matches!(
            date,
            NamedTime::MonthDay { .. } | NamedTime::MonthOfAnyYear { .. }
        )
    };
    let nearest = !dates.is_empty() && dates.iter().all(has_no_year);
    let from = match nearest {
        true => said.checked_add((183 * 24).hours()).ok()?,
        false => said,
    };
    let span = Span::named_in(text, &text.to_lowercase(), &dates, from)?;
    let length = span.until_ms - span.since_ms - 2 * MARGIN_MS;
    (length <= EVENT_DAYS_MAX * 24 * 60 * 60 * 1000).then_some(span)
}
