//! A person with sixty statements in three languages, corrections over two and a half years and
//! twenty-five questions; and contradictions, of which the newer one is true.

#![expect(
    clippy::unwrap_used,
    reason = "all of this is test code, also what no test attribute marks"
)]

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use recalld_memory::change::Actor;
use recalld_memory::embedding;
use recalld_memory::id::UserId;
use recalld_memory::memory::Content;
use recalld_memory::recall::{self, Question};
use recalld_memory::remember::{Statement, remember};
use recalld_memory::scope::Scope;
use recalld_memory::settings::Settings;
use recalld_memory::wiring::Ports;
use recalld_models::combined::{Combined, EncoderUse};
use recalld_testing::script::{in_this_process, ports};

const STATEMENTS: &str = include_str!("statements.tsv");
const QUESTIONS: &str = include_str!("questions.tsv");
const CONTRADICTIONS: &str = include_str!("contradictions.tsv");
const PAIRS_OPEN: &str = include_str!("pairs_open.tsv");
const PAIRS_CLOSED: &str = include_str!("pairs_closed.tsv");
const AROUND: &str = include_str!("around.tsv");
const ASKED_AT: &str = "2025-08-01T12:00:00Z";

fn wired() -> Ports {
    let (_, store, _) = in_this_process().remove(0);
    ports(store, Settings::default()).with_embedder(Arc::new(Combined::new(EncoderUse::Auto)))
}

fn scope(user: &str, at: &str) -> Scope {
    let at: Timestamp = at.parse().unwrap();
    Scope::of_user(UserId::new(user).unwrap(), Actor::new("test"), at)
}

async fn say(ports: &Ports, scope: &Scope, text: &str) {
    let statement = Statement::plain(Content::new(text).unwrap());
    remember(ports, scope, statement).await.unwrap();
}

async fn asked(ports: &Ports, scope: &Scope, question: &str, limit: usize) -> Vec<String> {
    let question = Question {
        fills: true,
        ..Question::new(question, limit)
    };
    let hits = recall::recall(ports, scope, &question).await.unwrap();
    hits.iter()
        .map(|hit| hit.item.content.as_str().to_owned())
        .collect()
}

async fn settle(ports: &Ports, scope: &Scope) {
    embedding::settle(ports, scope.space(), Duration::from_secs(600))
        .await
        .unwrap();
}

#[tokio::test]
async fn a_person_is_known_in_three_languages_and_as_of_now() {
    let ports = wired();
    for line in STATEMENTS.lines() {
        let (day, text) = line.split_once('\t').unwrap();
        say(&ports, &scope("mara", &format!("{day}T09:00:00Z")), text).await;
    }
    let now = scope("mara", ASKED_AT);
    settle(&ports, &now).await;
    let (mut first, mut in_three, mut asked_for) = (0, 0, 0);
    for line in QUESTIONS.lines() {
        let (question, answer) = line.split_once('\t').unwrap();
        let found = asked(&ports, &now, question, 10).await;
        let place = found.iter().position(|text| text == answer);
        println!(
            "{:>4} {question} -> {:?}",
            place.map_or(0, |place| place + 1),
            &found[..found.len().min(3)]
        );
        asked_for += 1;
        first += usize::from(place == Some(0));
        in_three += usize::from(place.is_some_and(|place| place < 3));
        assert_eq!(found.len(), 10, "ten of sixty are asked for: {question}");
    }
    println!("first {first}, among three {in_three} of {asked_for}");
    assert_eq!(asked_for, 25);
    assert!(20 <= first, "{first} right answers come first");
    assert!(
        23 <= in_three,
        "{in_three} right answers are among the first three"
    );
}

#[tokio::test]
async fn of_contradictions_the_current_one_comes_first() {
    let mut wrong = Vec::new();
    for (number, line) in CONTRADICTIONS.lines().enumerate() {
        let [language, old, new, question] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let ports = wired();
        let user = format!("user{number}");
        say(&ports, &scope(&user, "2024-01-01T09:00:00Z"), old).await;
        say(
            &ports,
            &scope(&user, "2024-02-01T09:00:00Z"),
            "I like jazz and long walks",
        )
        .await;
        say(&ports, &scope(&user, "2025-01-01T09:00:00Z"), new).await;
        say(
            &ports,
            &scope(&user, "2025-02-01T09:00:00Z"),
            "Coffee keeps me awake at night",
        )
        .await;
        let now = scope(&user, ASKED_AT);
        settle(&ports, &now).await;
        let found = asked(&ports, &now, question, 4).await;
        let place = |text: &str| found.iter().position(|found| found == text);
        if place(new) != Some(0) || place(old).is_none() {
            wrong.push(format!("{language} {question}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What became of pairs of an outdated and a new statement, among twenty others.
#[derive(Debug, Default)]
struct Pairs {
    pairs: usize,
    newer_above: usize,
    missing: usize,
    wrong: Vec<String>,
}

async fn pairs(lines: &str) -> Pairs {
    let mut seen = Pairs::default();
    for (number, line) in lines.lines().enumerate() {
        let [language, old, new, question] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let ports = wired();
        let user = format!("user{number}");
        say(&ports, &scope(&user, "2024-01-01T09:00:00Z"), old).await;
        for (day, text) in AROUND.lines().enumerate() {
            let at = format!("2024-03-{:02}T09:00:00Z", day + 1);
            say(&ports, &scope(&user, &at), text).await;
        }
        say(&ports, &scope(&user, "2025-01-01T09:00:00Z"), new).await;
        let now = scope(&user, ASKED_AT);
        settle(&ports, &now).await;
        let found = asked(&ports, &now, question, 10).await;
        let place = |text: &str| found.iter().position(|found| found == text);
        let (newer, older) = (place(new), place(old));
        seen.pairs += 1;
        seen.missing += usize::from(newer.is_none());
        match newer.is_some_and(|newer| older.is_none_or(|older| newer < older)) {
            true => seen.newer_above += 1,
            false => seen
                .wrong
                .push(format!("{language} {question} {newer:?} {older:?}: {found:?}")),
        }
    }
    seen
}

#[tokio::test]
async fn the_newer_of_two_statements_about_the_same_comes_above_the_older() {
    for (name, lines) in [("open", PAIRS_OPEN), ("closed", PAIRS_CLOSED)] {
        let seen = pairs(lines).await;
        println!(
            "{name}: {} of {} above, {} missing",
            seen.newer_above, seen.pairs, seen.missing
        );
        println!("{:#?}", seen.wrong);
        assert!(17 <= seen.newer_above, "{seen:#?}");
        assert_eq!(seen.missing, 0, "{seen:#?}");
    }
}

#[tokio::test]
async fn what_held_then_is_found_by_its_time() {
    let ports = wired();
    say(&ports, &scope("ana", "2022-05-01T09:00:00Z"), "I live in Lisbon").await;
    say(&ports, &scope("ana", "2025-05-01T09:00:00Z"), "I moved to Porto").await;
    let now = scope("ana", ASKED_AT);
    settle(&ports, &now).await;
    assert_eq!(
        asked(&ports, &now, "Where do I live?", 2).await[0],
        "I moved to Porto"
    );
    assert_eq!(
        asked(&ports, &now, "Where did I live in 2024?", 2).await[0],
        "I live in Lisbon"
    );
    let then = Question {
        as_of: Some("2023-01-01T00:00:00Z".parse().unwrap()),
        ..Question::new("Where do I live?", 2)
    };
    let hits = recall::recall(&ports, &now, &then).await.unwrap();
    assert_eq!(hits.len(), 1, "the other one was not known then");
    assert_eq!(hits[0].item.content.as_str(), "I live in Lisbon");
    let current = Question::new("Where do I live?", 2);
    let hits = recall::recall(&ports, &now, &current).await.unwrap();
    let validity = hits[1].validity.unwrap();
    assert_eq!(validity.superseded_by, Some(hits[0].item.id));
    assert_eq!(validity.until, Some(hits[0].item.learned_at));
}
