//! The dates that a text names, for those who ask about a time.

use super::moment::{Moment, Token, moments_at, year};
use super::months::month;

/// A time that a text names by the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedTime {
    Day { year: u16, month: u8, day: u8 },
    Month { year: u16, month: u8 },
    Year { year: u16 },
    MonthDay { month: u8, day: u8 },
    MonthOfAnyYear { month: u8 },
}

/// Finds the dates that a text names, in their order. A bare month or year counts only after a word
/// that makes it one (`in May`).
pub(crate) fn times_among(tokens: &[Token]) -> Vec<NamedTime> {
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        let moments = moments_at(tokens, at);
        // A date of two readings is not clear.
        if let [moment] = moments[..] {
            found.extend(named(moment));
        } else if moments.is_empty() {
            found.extend(bare(tokens, at));
        }
    }
    found.dedup();
    found
}

fn named(moment: Moment) -> Option<NamedTime> {
    match moment {
        Moment::Day { year, month, day } => Some(NamedTime::Day { year, month, day }),
        Moment::Month { year, month } => Some(NamedTime::Month { year, month }),
        Moment::MonthDay { month, day } => Some(NamedTime::MonthDay { month, day }),
        Moment::Clock { .. } => None,
    }
}

fn bare(tokens: &[Token], at: usize) -> Option<NamedTime> {
    let text = tokens[at].lexeme.text;
    if let Some(found) = iso_month(text) {
        return Some(found);
    }
    let before = &tokens.get(at.checked_sub(1)?)?.folded;
    if !matches!(
        before.as_str(),
        "in" | "during"
            | "since"
            | "until"
            | "through"
            | "im"
            | "seit"
            | "en"
            | "desde"
            | "em"
            | "nel"
            | "в"
            | "w"
    ) {
        return None;
    }
    let word = &tokens[at].folded;
    match (month(word), year(word)) {
        (Some(month), _) => Some(NamedTime::MonthOfAnyYear { month: month as u8 }),
        (None, Some(year)) => Some(NamedTime::Year { year }),
        (None, None) => None,
    }
}

/// `2023-05`.
fn iso_month(text: &str) -> Option<NamedTime> {
    let (digits, month) = text.split_once('-')?;
    let month: u8 = month.parse().ok().filter(|_| month.len() == 2)?;
    let year = year(digits)?;
    (1..=12)
        .contains(&month)
        .then_some(NamedTime::Month { year, month })
}
