//! What must hold of times named in a question.

use super::*;
use crate::text::read_query;

fn span(text: &str, now: Timestamp) -> Option<Span> {
    let (_, dates) = read_query(text);
    Span::named_in(text, &text.to_lowercase(), &dates, now)
}

/// The first and last day that a question names, asked on Wednesday, 10 June 2026.
fn named(text: &str) -> Option<String> {
    let now = "2026-06-10T15:00:00Z".parse().unwrap();
    let span = span(text, now)?;
    let day = |ms: i64| {
        Timestamp::from_millisecond(ms)
            .unwrap()
            .to_zoned(TimeZone::UTC)
            .date()
            .to_string()
    };
    Some(format!(
        "{}..{}",
        day(span.since_ms + MARGIN_MS),
        day(span.until_ms - MARGIN_MS)
    ))
}

#[track_caller]
fn check(text: &str, expected: &str) {
    assert_eq!(named(text).as_deref(), Some(expected), "{text}");
}

#[test]
fn expressions_that_count_from_today() {
    check("what did I eat yesterday?", "2026-06-09..2026-06-10");
    check("who called last week", "2026-06-01..2026-06-08");
    check("What did we decide last month?", "2026-05-01..2026-06-01");
    check("trips of last year", "2025-01-01..2026-01-01");
    check("what happened 3 days ago", "2026-06-07..2026-06-08");
    check("two weeks ago", "2026-05-24..2026-05-31");
    check("上周我去了哪里", "2026-06-01..2026-06-08");
    check("昨天吃了什么", "2026-06-09..2026-06-10");
    check("先月の旅行", "2026-05-01..2026-06-01");
}

#[test]
fn dates_in_any_form() {
    check("meetings in May", "2026-05-01..2026-06-01");
    check("what happened in November?", "2025-11-01..2025-12-01");
    check("notes of 2023-05", "2023-05-01..2023-06-01");
    check("May 2023 plans", "2023-05-01..2023-06-01");
    check("on 14 May 2023", "2023-05-14..2023-05-15");
    check("in 2024", "2024-01-01..2025-01-01");
    check("2023年5月", "2023-05-01..2023-06-01");
}

#[test]
fn what_is_not_clear_is_no_time() {
    for text in [
        "",
        "I may go",
        "march on",
        "the last week of my life, or yesterday, in 2024",
        "ago",
        "99999999999999999999 days ago",
        "between 2023-05-01 and 2024-05-01",
        "flat 2024",
        "x ago",
        "日",
    ] {
        assert_eq!(named(text), None, "{text}");
    }
}

#[test]
fn the_ends_of_time_are_survived() {
    for now in [Timestamp::MIN, Timestamp::MAX] {
        for text in [
            "last year",
            "500 years ago",
            "in May",
            "yesterday",
            "in 2024",
            "this year",
        ] {
            let _ = span(text, now);
        }
    }
    assert!(span("yesterday", Timestamp::UNIX_EPOCH).is_some());
}
