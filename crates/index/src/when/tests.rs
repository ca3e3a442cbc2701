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
    check("Was habe ich gestern gegessen?", "2026-06-09..2026-06-10");
    check("¿Qué hice la semana pasada?", "2026-06-01..2026-06-08");
    check("Où suis-je allé le mois dernier ?", "2026-05-01..2026-06-01");
    check("O que fiz no ano passado?", "2025-01-01..2026-01-01");
    check("Что я делал на прошлой неделе?", "2026-06-01..2026-06-08");
    check("지난주에 뭐 했어?", "2026-06-01..2026-06-08");
    check("Tuần trước tôi ở đâu?", "2026-06-01..2026-06-08");
    check("vor drei Tagen", "2026-06-07..2026-06-08");
    check("hace dos semanas", "2026-05-24..2026-05-31");
    check("3天前我去了哪里", "2026-06-07..2026-06-08");
    check("whom did I meet last Monday?", "2026-06-08..2026-06-09");
    check("wen traf ich letzten Freitag", "2026-06-05..2026-06-06");
}

#[test]
fn parts_of_months() {
    check("in early March", "2026-03-01..2026-03-13");
    check("the mid-January trip", "2026-01-09..2026-01-23");
    check("at the end of September 2025", "2025-09-19..2025-10-01");
    check("the first week of March", "2026-03-01..2026-03-09");
    check("Ende Mai", "2026-05-19..2026-06-01");
    check("a mediados de abril", "2026-04-09..2026-04-23");
    check("5月上旬做了什么", "2026-05-01..2026-05-13");
}

#[test]
fn ranges_and_times_beside_a_date() {
    check("from May 3rd to May 7th", "2026-05-03..2026-05-08");
    check("on 3 January and 5 January", "2026-01-03..2026-01-06");
    check("between 2023-05-01 and 2024-05-01", "2023-05-01..2024-05-02");
    check("the week before 11 May 2026", "2026-05-04..2026-05-12");
    check("the weekend after May 11, 2026", "2026-05-11..2026-05-19");
    check("two days before 11 May 2026", "2026-05-09..2026-05-12");
}

#[test]
fn dates_of_other_languages() {
    check("5月4日发生了什么", "2026-05-04..2026-05-05");
    check("5月4号", "2026-05-04..2026-05-05");
    check("что было 4 мая", "2026-05-04..2026-05-05");
    check("was war am 4. Mai", "2026-05-04..2026-05-05");
    check("el 4 de mayo", "2026-05-04..2026-05-05");
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
        "2023-05-01 or 2024-05-01",
        "the fine may come late",
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

/// The event, and the first and last day that are meant if it was on 20 April 2026.
#[track_caller]
fn check_event(text: &str, expected: &str) {
    let found = EventTime::named_in(&text.to_lowercase()).map(|found| {
        let said = "2026-04-20T08:00:00Z".parse().unwrap();
        let span = found.beside(
            told_time("yesterday", said)
                .map(|day| Span {
                    since_ms: day.since_ms + 86_400_000,
                    until_ms: day.until_ms + 86_400_000,
                })
                .unwrap(),
        );
        let day = |ms: i64| match Timestamp::from_millisecond(ms) {
            Ok(at) if (i64::MIN + 1..i64::MAX).contains(&ms) => at.to_zoned(TimeZone::UTC).date().to_string(),
            _ => String::new(),
        };
        format!(
            "{}: {}..{}",
            found.names.join(", "),
            day(span.since_ms.saturating_add(MARGIN_MS)),
            day(span.until_ms)
        )
    });
    assert_eq!(found.as_deref().unwrap_or("none"), expected, "{text}");
}

#[test]
fn events_that_a_time_lies_beside() {
    check_event(
        "What did I buy the week before the wedding?",
        "wedding: 2026-04-13..2026-04-21",
    );
    check_event(
        "who did I meet after the Lisbon trip",
        "lisbon trip: 2026-04-20..",
    );
    check_event(
        "where did I live before my move to Porto?",
        "move to porto: ..2026-04-19",
    );
    check_event(
        "two days after Ana's birthday did we swim?",
        "ana's birthday: 2026-04-20..2026-04-23",
    );
    check_event(
        "Wo habe ich vor meinem Umzug gewohnt?",
        "umzug gewohnt, umzug: ..2026-04-19",
    );
    check_event(
        "was geschah in der Woche nach der Hochzeit",
        "hochzeit: 2026-04-20..2026-04-28",
    );
    check_event("¿qué compré antes de la boda?", "boda: ..2026-04-19");
    check_event("¿qué hice después del viaje?", "viaje: 2026-04-20..");
    check_event(
        "où vivais-je avant mon déménagement ?",
        "déménagement: ..2026-04-19",
    );
    check_event("где я жил до переезда", "переезда: ..2026-04-19");
    check_event("我搬家之前住在哪里", "搬家: ..2026-04-19");
}

#[test]
fn habits_and_dates_are_no_events() {
    for text in [
        "what do I eat before bed",
        "what do I do after work?",
        "was mache ich nach der Arbeit",
        "the week before 4 May",
        "who called after the 3rd of May 2026",
        "what comes after",
        "vor drei Tagen",
    ] {
        check_event(text, "none");
    }
}

#[test]
fn what_is_told_of_an_event_gives_its_day() {
    let told = |text: &str| {
        let span = told_time(text, "2026-03-01T08:00:00Z".parse().unwrap())?;
        let day = Timestamp::from_millisecond(span.first_day_ms()).unwrap();
        Some(day.to_zoned(TimeZone::UTC).date().to_string())
    };
    assert_eq!(told("our wedding is on 12 June").as_deref(), Some("2026-06-12"));
    assert_eq!(
        told("our wedding was on 12 December").as_deref(),
        Some("2025-12-12")
    );
    assert_eq!(told("married on 2024-06-12").as_deref(), Some("2024-06-12"));
    assert_eq!(told("moved to Porto yesterday").as_deref(), Some("2026-02-28"));
    assert_eq!(told("worked there in 2024"), None);
    assert_eq!(told("the wedding will be large"), None);
}
