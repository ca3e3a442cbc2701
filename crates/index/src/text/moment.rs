//! Finds dates, times of day and telephone numbers, whatever way they are written.

use super::fold::{fold, is_vietnamese, with_marks};
use super::months::month;
use super::scan::{Lexeme, Shape};

/// A lexeme, folded when it is a plain word.
#[derive(Debug)]
pub(crate) struct Token<'a> {
    pub(crate) lexeme: Lexeme<'a>,
    pub(crate) folded: String,
}

/// A point in time that a text names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moment {
    Day { year: u16, month: u8, day: u8 },
    Month { year: u16, month: u8 },
    MonthDay { month: u8, day: u8 },
    Clock { hour: u8, minute: u8 },
}

impl Moment {
    /// The one way to write it.
    pub(crate) fn term(self) -> String {
        match self {
            Moment::Day { year, month, day } => format!("{year:04}-{month:02}-{day:02}"),
            Moment::Month { year, month } => format!("{year:04}-{month:02}"),
            Moment::MonthDay { month, day } => format!("--{month:02}-{day:02}"),
            Moment::Clock { hour, minute } => format!("{hour}:{minute:02}"),
        }
    }

    /// The wider moments that a search for less may name: the month, and the day of any year.
    pub(crate) fn wider(self) -> Vec<Moment> {
        match self {
            Moment::Day { year, month, day } => {
                vec![Moment::Month { year, month }, Moment::MonthDay { month, day }]
            }
            _ => Vec::new(),
        }
    }
}

/// The moments whose first or naming word is `tokens[at]`.
pub(crate) fn moments_at(tokens: &[Token], at: usize) -> Vec<Moment> {
    let token = &tokens[at];
    match token.lexeme.shape {
        Shape::Joined => {
            let (clock, half) = split_half(token.lexeme.text);
            match clock_in(clock) {
                Some(clock) => in_half(clock, half.or_else(|| half_at(tokens, at + 1))),
                None => numeric_days(token.lexeme.text),
            }
        }
        Shape::Plain => {
            if let Some(month) = month(&token.folded) {
                return worded(tokens, at, month).into_iter().collect();
            }
            let (digits, half) = split_half(&token.folded);
            match (number(digits, 2), half.or_else(|| half_at(tokens, at + 1))) {
                (Some(hour @ 0..=12), Some(half)) => in_half((hour as u8, 0), Some(half)),
                _ => han_day(tokens, at).into_iter().collect(),
            }
        }
        _ => Vec::new(),
    }
}

/// How many tokens from `at` on spell one telephone number with a country code, and its digits.
pub(crate) fn telephone_at(tokens: &[Token], at: usize) -> Option<(usize, String)> {
    let first = tokens[at].lexeme;
    if first.shape != Shape::Signed || !first.text.starts_with('+') {
        return None;
    }
    let mut number = first.text.to_owned();
    let mut count = 1;
    for token in &tokens[at + 1..] {
        let digits: String = token.lexeme.text.chars().filter(char::is_ascii_digit).collect();
        let plain = token
            .lexeme
            .text
            .bytes()
            .all(|b| b.is_ascii_digit() || matches!(b, b'-' | b'.' | b'/'));
        if !plain || digits.is_empty() || number.len() + digits.len() > 16 {
            break;
        }
        number.push_str(&digits);
        count += 1;
    }
    (number.len() >= 7).then_some((count, number))
}

/// A date written in digits. Where day and month could be either, both readings are given.
pub(crate) fn numeric_days(text: &str) -> Vec<Moment> {
    let text = text.split_once(['T', 't']).map_or(text, |(date, _)| date);
    let Some(sign) = text.chars().find(|c| matches!(c, '-' | '.' | '/')) else {
        return Vec::new();
    };
    let parts: Vec<&str> = text.splitn(4, sign).collect();
    let [a, b, c] = parts[..] else { return Vec::new() };
    if a.len() == 4 {
        return match (year(a), number(b, 2), number(c, 2)) {
            (Some(year), Some(month), Some(day)) => day_of(year, month, day).into_iter().collect(),
            _ => Vec::new(),
        };
    }
    let (Some(first), Some(second), Some(year)) = (number(a, 2), number(b, 2), year(c)) else {
        return Vec::new();
    };
    let day_first = day_of(year, second, first);
    let month_first = if sign == '/' {
        day_of(year, first, second)
    } else {
        None
    };
    let mut days: Vec<Moment> = day_first.into_iter().chain(month_first).collect();
    days.dedup();
    days
}

/// A date around the name of its month: `1 March 2026`, `March 1st, 2026`, `1 de marzo de 2026`,
/// `March 2026`.
fn worded(tokens: &[Token], at: usize, month: u16) -> Option<Moment> {
    let word = |at: Option<usize>| {
        at.and_then(|at| tokens.get(at))
            .map_or("", |token| token.folded.as_str())
    };
    let is_of = |word: &str| matches!(word, "of" | "de" | "del" | "di");
    let before = at.checked_sub(if is_of(word(at.checked_sub(1))) { 2 } else { 1 });
    let (day, next) = match ordinal(word(before)) {
        Some(day) => (Some(day), at + 1),
        None => match ordinal(word(Some(at + 1))) {
            Some(day) => (Some(day), at + 2),
            None => (None, at + 1),
        },
    };
    let next = if is_of(word(Some(next))) { next + 1 } else { next };
    match (day, year(word(Some(next)))) {
        (Some(day), Some(year)) => day_of(year, month, day),
        (Some(day), None) => month_day(month, day),
        (None, Some(year)) => Some(Moment::Month {
            year,
            month: month as u8,
        }),
        (None, None) => None,
    }
}

/// `2026年3月1日`, `5月4号`, `2026년 3월 1일`, `5월 4일`.
fn han_day(tokens: &[Token], at: usize) -> Option<Moment> {
    let text = |ahead: usize| tokens.get(at + ahead).map_or("", |token| token.lexeme.text);
    let previous = at.checked_sub(1).map_or("", |before| tokens[before].lexeme.text);
    let is_year = |text: &str| matches!(text, "年" | "년");
    let is_month = |text: &str| matches!(text, "月" | "월");
    let is_day = |text: &str| text.starts_with(['日', '号', '號', '일']);
    // Of a date with its year this is the middle.
    if is_month(text(1)) && is_day(text(3)) && !is_year(previous) {
        return month_day(number(text(0), 2)?, number(text(2), 2)?);
    }
    if !is_year(text(1)) || !text(3).starts_with(['月', '월']) {
        return None;
    }
    let (year, month) = (year(text(0))?, number(text(2), 2)?);
    if is_month(text(3)) && is_day(text(5)) {
        return day_of(year, month, number(text(4), 2)?);
    }
    (1..=12).contains(&month).then_some(Moment::Month {
        year,
        month: month as u8,
    })
}

fn month_day(month: u16, day: u16) -> Option<Moment> {
    // A leap year: the day may be of any.
    day_of(2000, month, day).map(|_| Moment::MonthDay {
        month: month as u8,
        day: day as u8,
    })
}

fn day_of(year: u16, month: u16, day: u16) -> Option<Moment> {
    let days = match month {
        2 if year.is_multiple_of(4) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    (1..=days).contains(&day).then_some(Moment::Day {
        year,
        month: month as u8,
        day: day as u8,
    })
}

fn number(digits: &str, length_max: usize) -> Option<u16> {
    if digits.is_empty() || digits.len() > length_max || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok()
}

pub(crate) fn year(digits: &str) -> Option<u16> {
    number(digits, 4).filter(|year| (1900..2200).contains(year))
}

fn ordinal(word: &str) -> Option<u16> {
    let digits = ["st", "nd", "rd", "th"]
        .iter()
        .find_map(|end| word.strip_suffix(end))
        .unwrap_or(word);
    number(digits, 2).filter(|day| (1..=31).contains(day))
}

/// Hour and minute of `9:40` or `09:40:15`.
pub(crate) fn clock_in(text: &str) -> Option<(u8, u8)> {
    let mut parts = text.split(':');
    let hour = number(parts.next()?, 2).filter(|hour| *hour < 24)?;
    let minutes = parts.next()?;
    let minute = number(minutes, 2).filter(|minute| minutes.len() == 2 && *minute < 60)?;
    match (parts.next(), parts.next()) {
        (None, None) => Some((hour as u8, minute as u8)),
        (Some(seconds), None) if seconds.len() == 2 => number(seconds, 2).map(|_| (hour as u8, minute as u8)),
        _ => None,
    }
}

#[derive(Clone, Copy)]
enum Half {
    Morning,
    Afternoon,
}

fn in_half((hour, minute): (u8, u8), half: Option<Half>) -> Vec<Moment> {
    let hour = match half {
        Some(Half::Afternoon) if hour < 12 => hour + 12,
        Some(Half::Morning) if hour == 12 => 0,
        _ => hour,
    };
    vec![Moment::Clock { hour, minute }]
}

fn split_half(text: &str) -> (&str, Option<Half>) {
    let Some(end) = text
        .len()
        .checked_sub(2)
        .filter(|end| text.is_char_boundary(*end))
    else {
        return (text, None);
    };
    match half(&text[end..]) {
        Some(half) => (&text[..end], Some(half)),
        None => (text, None),
    }
}

fn half_at(tokens: &[Token], at: usize) -> Option<Half> {
    let text = tokens.get(at)?.lexeme.text;
    if text.len() <= 3 { half(text) } else { None }
}

fn half(text: &str) -> Option<Half> {
    if ["am", "a.m"].iter().any(|half| text.eq_ignore_ascii_case(half)) {
        return Some(Half::Morning);
    }
    ["pm", "p.m"]
        .iter()
        .any(|half| text.eq_ignore_ascii_case(half))
        .then_some(Half::Afternoon)
}

/// Pairs each lexeme with its folded form. One word with marks that only Vietnamese has tells that
/// all marks of the text count: `dâu` alone could be French.
pub(crate) fn tokens(lexemes: Vec<Lexeme<'_>>) -> Vec<Token<'_>> {
    let marks_tell = lexemes
        .iter()
        .any(|lexeme| lexeme.shape == Shape::Plain && is_vietnamese(lexeme.text));
    let folded = |lexeme: &Lexeme| match lexeme.shape {
        Shape::Plain if marks_tell && !lexeme.text.is_ascii() => with_marks(lexeme.text),
        Shape::Plain => fold(lexeme.text),
        _ => String::new(),
    };
    lexemes
        .into_iter()
        .map(|lexeme| Token {
            folded: folded(&lexeme),
            lexeme,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::scan::lexemes;

    fn found(text: &str) -> Vec<String> {
        let tokens = tokens(lexemes(text));
        (0..tokens.len())
            .flat_map(|at| moments_at(&tokens, at))
            .map(Moment::term)
            .collect()
    }

    #[test]
    fn a_date_is_the_same_however_it_is_written() {
        for text in [
            "2026-03-01",
            "2026/3/1",
            "2026-03-01T10:00:00Z",
            "01.03.2026",
            "on 1 March 2026",
            "March 1st, 2026",
            "1st of March 2026",
            "Mar 1, 2026",
            "am 1. Marz 2026",
            "1 de marzo de 2026",
            "2026年3月1日",
        ] {
            assert_eq!(found(text), ["2026-03-01"], "{text}");
        }
        assert_eq!(found("01/03/2026"), ["2026-03-01", "2026-01-03"]);
    }

    #[test]
    fn part_of_a_date_is_enough() {
        assert_eq!(found("in March 2026"), ["2026-03"]);
        assert_eq!(found("on 5 May"), ["--05-05"]);
        for text in [
            "5月4日",
            "我5月4号去了",
            "4 мая",
            "5월 4일",
            "am 4. Mai",
            "4 maja",
        ] {
            assert_eq!(found(text), ["--05-04"], "{text}");
        }
        assert_eq!(found("2026년 3월 1일"), ["2026-03-01"]);
        assert_eq!(found("1 марта 2026"), ["2026-03-01"]);
    }

    #[test]
    fn words_that_only_look_like_dates_are_none() {
        for text in [
            "I may go",
            "march on",
            "31.02.2026",
            "1.2.3",
            "99/99/2026",
            "v1.2.3",
        ] {
            assert_eq!(found(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn a_time_of_day_is_told_in_24_hours() {
        for (text, term) in [
            ("9:40", "9:40"),
            ("09:40 am", "9:40"),
            ("9:40pm", "21:40"),
            ("7 p.m.", "19:00"),
            ("12am", "0:00"),
        ] {
            assert_eq!(found(text), [term], "{text}");
        }
    }

    #[test]
    fn a_telephone_number_is_one() {
        let tokens = tokens(lexemes("call +49 30 1234567 now"));
        assert_eq!(telephone_at(&tokens, 1), Some((3, "+49301234567".to_owned())));
        assert_eq!(telephone_at(&tokens, 0), None);
    }
}
