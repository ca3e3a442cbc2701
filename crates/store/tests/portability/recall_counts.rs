//! What was recalled: counted by whoever asks, kept from time to time, told by the audit, and
//! erased with the memory.

use std::sync::Arc;

use jiff::SignedDuration;
use recalld_agent::tools;
use recalld_memory::memory::Memory;
use recalld_memory::ports::Store;
use recalld_memory::recall_stats::{flush, read};
use recalld_memory::record::RecordKind;
use recalld_memory::remember::{Remembered, remember};
use recalld_memory::retire::erase;
use recalld_memory::scope::Scope;
use recalld_memory::target::Target;
use recalld_memory::wiring::Ports;
use recalld_portability::audit::{Audit, Kind, audit};
use recalld_store::SqliteStore;
use serde_json::json;

use crate::sample_user::{scope, statement, stores, wired};

async fn learn(ports: &Ports, content: &str) -> Arc<Memory> {
    match remember(ports, &scope("ana", 1), statement(content, None))
        .await
        .unwrap()
    {
        Remembered::Stored { memory, .. } | Remembered::Duplicate { of: memory, .. } => memory,
    }
}

fn after_days(days: i64) -> Scope {
    let mut scope = scope("ana", 1);
    scope.now += SignedDuration::from_hours(24 * days);
    scope
}

async fn ask(ports: &Ports, scope: &Scope, query: &str) {
    let tool = tools::find("search_memory").unwrap();
    tool.call(ports, scope, json!({ "query": query })).await.unwrap();
}

async fn never_recalled(ports: &Ports, scope: &Scope) -> (Vec<String>, Audit) {
    let found = audit(ports, scope).await.unwrap();
    let never = found.findings.get(&Kind::NeverRecalled);
    let names = never
        .into_iter()
        .flatten()
        .map(|finding| finding.memory.content.to_string());
    (names.collect(), found)
}

#[tokio::test]
async fn what_nobody_ever_asked_for_is_told_after_a_month() {
    for (name, store, _keep) in stores().await {
        let (ports, _) = wired(store.clone(), Arc::default());
        let tea = learn(&ports, "likes tea").await;
        learn(&ports, "lives in Rome").await;
        let (never, report) = never_recalled(&ports, &after_days(90)).await;
        assert_eq!(
            (never, report.recalls_since),
            (vec![], None),
            "{name}: nothing is counted yet"
        );

        let revision = store.revision(scope("ana", 1).space()).await.unwrap();
        ask(&ports, &after_days(2), "tea").await;
        ask(&ports, &after_days(4), "tea").await;
        assert_eq!(
            store.revision(scope("ana", 1).space()).await.unwrap(),
            revision,
            "{name}: a search writes nothing"
        );
        for _ in 0..2 {
            let (never, report) = never_recalled(&ports, &after_days(90)).await;
            assert_eq!(
                (never.as_slice(), report.recalled),
                (&["lives in Rome".to_owned()][..], 1),
                "{name}"
            );
            let recalled = read(&ports, &after_days(90)).await.unwrap().memories[&tea.id];
            assert_eq!(
                (recalled.times, recalled.last_on.to_string()),
                (2, "2026-03-05".to_owned()),
                "{name}"
            );
            // The same when it is kept.
            flush(&ports, after_days(4).now, 10).await.unwrap();
        }
        let (soon, _) = never_recalled(&ports, &after_days(20)).await;
        assert!(soon.is_empty(), "{name}: {soon:?}");

        // Another process goes on counting from what is kept.
        let (elsewhere, _) = wired(store, Arc::default());
        ask(&elsewhere, &after_days(6), "tea").await;
        flush(&elsewhere, after_days(6).now, 10).await.unwrap();
        let recalled = read(&ports, &after_days(90)).await.unwrap().memories[&tea.id];
        assert_eq!(recalled.times, 3, "{name}");
    }
}

#[tokio::test]
async fn what_is_erased_is_not_counted_any_more() {
    let store = Arc::new(SqliteStore::in_memory().unwrap());
    let (ports, _) = wired(store.clone(), Arc::default());
    let tea = learn(&ports, "likes tea").await;
    ask(&ports, &after_days(1), "tea").await;
    flush(&ports, after_days(1).now, 10).await.unwrap();
    // Counted, and erased before it is kept.
    ask(&ports, &after_days(2), "tea").await;
    erase(&ports, &after_days(3), Target::Id(tea.id)).await.unwrap();
    flush(&ports, after_days(3).now, 10).await.unwrap();
    let left = store
        .records(scope("ana", 1).space(), RecordKind::Recall, None, 10)
        .await
        .unwrap();
    let names: Vec<&str> = left.iter().map(|record| record.name.as_str()).collect();
    assert_eq!(names, ["since"]);
}

/// A space that nobody ever wrote to is not begun by a count.
#[tokio::test]
async fn nothing_is_kept_of_a_space_that_is_not_there() {
    let store = Arc::new(SqliteStore::in_memory().unwrap());
    let (ports, _) = wired(store.clone(), Arc::default());
    let elsewhere = learn(&ports, "likes tea").await;
    let nobody = scope("nobody", 1);
    ports.recall_counts.note(&nobody, [elsewhere.id]);
    assert_eq!(flush(&ports, nobody.now, 10).await.unwrap(), 1);
    assert_eq!(store.revision(nobody.space()).await.unwrap().0, 0);
}
