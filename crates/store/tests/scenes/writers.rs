//! Many writers of one space.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use recalld_memory::memory::Content;
use recalld_memory::remember::{Remembered, Statement, remember};
use recalld_memory::settings::Settings;
use recalld_memory::space::SpaceView;
use recalld_memory::wiring::Ports;
use recalld_testing::clock::{SteppingClock, TimeOrderedIds};
use recalld_testing::script::{ports, scope, stores};

/// Of many who say the same at once one is heard, and the others are told so; nothing else is lost.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_writers_lose_nothing_and_repeat_nothing() {
    for (name, store, _keep) in stores().await {
        let ports = ports(store, Settings::default());
        let tasks: Vec<_> = (0..200)
            .map(|number| {
                let (ports, scope) = (ports.clone(), scope("ana"));
                tokio::spawn(async move {
                    let fact = format!("fact number {}", number % 100);
                    let statement = Statement::plain(Content::new(&fact).unwrap());
                    remember(&ports, &scope, statement).await.unwrap()
                })
            })
            .collect();
        let mut stored = HashSet::new();
        let mut duplicates = 0;
        for task in tasks {
            match task.await.unwrap() {
                Remembered::Stored { memory, .. } => assert!(stored.insert(memory.id)),
                Remembered::Duplicate { .. } => duplicates += 1,
            }
        }
        assert_eq!((stored.len(), duplicates), (100, 100), "on {name}");
        let revision = ports.store.revision(scope("ana").space()).await.unwrap();
        assert!(revision.0 <= 100, "writers share commits: {revision:?}");
        let kept = ports
            .store
            .changed_since(scope("ana").space(), Default::default())
            .await
            .unwrap();
        assert_eq!(kept.memories.len(), 100, "on {name}");
    }
}

/// What one server has acknowledged is seen by the next read of another, also while that one has a
/// write of its own under way, which may bear the same number.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_write_is_seen_by_a_server_that_is_writing_itself() {
    for (name, store, _keep) in stores().await {
        let server = |store| {
            let clock = Arc::new(SteppingClock::in_steps_of(1));
            Ports::new(store, clock, Arc::new(TimeOrderedIds), Settings::default())
        };
        let one = server(Arc::clone(&store));
        let other = server(store);
        let say = async |ports: &Ports, fact: String| {
            // Who meets the other each time is told so in the end, and tries again.
            for _ in 0..50 {
                let statement = Statement::plain(Content::new(&fact).unwrap());
                if remember(ports, &scope("ana"), statement).await.is_ok() {
                    return;
                }
            }
            panic!("{fact} was never stored");
        };
        let is_over = Arc::new(AtomicBool::new(false));
        let busy = tokio::spawn({
            let (one, is_over) = (one.clone(), Arc::clone(&is_over));
            async move {
                let numbers = (0..2_000).take_while(|_| !is_over.load(Ordering::Relaxed));
                for number in numbers {
                    say(&one, format!("bought stamp {number}")).await;
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
            }
        });
        for number in 0..10 {
            let fact = format!("has seen zebra {number}");
            say(&other, fact.clone()).await;
            let is_seen = |view: &SpaceView| {
                let mut all = view.memories();
                all.any(|memory| memory.content.as_str() == fact)
            };
            let seen = one.spaces.read(scope("ana").space(), is_seen).await.unwrap();
            assert!(seen, "{fact} on {name}");
        }
        is_over.store(true, Ordering::Relaxed);
        busy.await.unwrap();
    }
}

/// One user's scores are the same to the bit, whatever another user stores.
#[tokio::test]
async fn scores_of_one_user_do_not_depend_on_another() {
    use recalld_memory::recall::{Question, recall};
    for (name, store, _keep) in stores().await {
        let ports = ports(store, Settings::default());
        for fact in ["likes green tea", "drinks tea at five", "hates coffee"] {
            remember(
                &ports,
                &scope("ana"),
                Statement::plain(Content::new(fact).unwrap()),
            )
            .await
            .unwrap();
        }
        let ask = async || {
            let found = recall(&ports, &scope("ana"), &Question::new("tea at five", 10))
                .await
                .unwrap();
            found
                .iter()
                .map(|found| (found.item.id, found.score.to_bits()))
                .collect::<Vec<_>>()
        };
        let before = ask().await;
        for number in 0..300 {
            let fact = format!("tea number {number} at five");
            remember(
                &ports,
                &scope("bob"),
                Statement::plain(Content::new(&fact).unwrap()),
            )
            .await
            .unwrap();
        }
        assert_eq!(before.len(), 2, "on {name}");
        assert_eq!(ask().await, before, "on {name}");
    }
}
