//! Many callers at once.

use std::sync::Arc;
use std::time::Duration;

use recalld_memory::change::Revision;
use recalld_memory::id::SpaceId;
use recalld_memory::ports::{Store, StoreError};
use recalld_testing::memory_changes::{add_mention, apply, remember, space};
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::fresh_store::Fresh;

/// Decides again at the revision it is told, as a use case does.
async fn apply_with_retries(store: &dyn Store, space: &SpaceId, number: u128) -> Revision {
    let mut at = store.revision(space).await.unwrap();
    loop {
        match store.apply(space, at, &[remember(number, "one of many")]).await {
            Ok(revision) => return revision,
            Err(StoreError::Conflict { at: now, .. }) => at = now,
            Err(error) => panic!("{error}"),
        }
    }
}

pub(crate) async fn writers_of_one_space_lose_nothing(fresh: &Fresh) {
    let ana = space("ana");
    let (writers, each) = (16_u128, 10_u128);
    let mut running = JoinSet::new();
    for writer in 0..writers {
        let (store, ana) = (fresh.store.clone(), ana.clone());
        running.spawn(async move {
            for number in 0..each {
                apply_with_retries(&*store, &ana, writer * each + number).await;
            }
        });
    }
    running.join_all().await;
    let found = fresh.store.changed_since(&ana, Revision(0)).await.unwrap();
    assert_eq!(u128::from(found.revision.0), writers * each);
    assert_eq!(found.memories.len() as u128, writers * each);
}

/// Writes that are committed together share nothing but the commit.
pub(crate) async fn a_failing_write_fails_alone(fresh: &Fresh) {
    let mut running = JoinSet::new();
    for number in 0..90_u64 {
        let store = fresh.store.clone();
        let space = space(&format!("user {number}"));
        running.spawn(async move {
            let good = remember(1, "likes tea");
            match number % 3 {
                0 => {
                    let outcome = store.apply(&space, Revision(0), &[good]).await;
                    assert_eq!(outcome.unwrap(), Revision(1));
                }
                1 => {
                    let outcome = store.apply(&space, Revision(7), &[good]).await;
                    assert!(matches!(outcome, Err(StoreError::Conflict { .. })), "{outcome:?}");
                }
                _ => {
                    let outcome = store
                        .apply(&space, Revision(0), &[good, add_mention("nowhere", "m")])
                        .await;
                    assert!(matches!(outcome, Err(StoreError::Failed(_))), "{outcome:?}");
                }
            }
        });
    }
    running.join_all().await;
    for number in 0..90 {
        let space = space(&format!("user {number}"));
        let found = fresh.store.changed_since(&space, Revision(0)).await.unwrap();
        let expected = usize::from(number % 3 == 0);
        assert_eq!(
            (found.revision.0 as usize, found.memories.len()),
            (expected, expected),
            "{number}"
        );
    }
    assert_eq!(fresh.administration.spaces(None, 99).await.unwrap().len(), 30);
}

pub(crate) async fn a_reader_sees_whole_writes_only(fresh: &Fresh) {
    let ana = space("ana");
    let pair = |write: u128| {
        [
            remember(2 * write, "left shoe"),
            remember(2 * write + 1, "right shoe"),
        ]
    };
    let writer = {
        let (store, ana) = (fresh.store.clone(), ana.clone());
        tokio::spawn(async move {
            for write in 0..100 {
                apply(&*store, &ana, &pair(write)).await;
            }
        })
    };
    let mut seen = Revision(0);
    while seen < Revision(100) {
        let found = fresh.store.changed_since(&ana, Revision(0)).await.unwrap();
        assert_eq!(found.memories.len() as u64, 2 * found.revision.0);
        assert!(seen <= found.revision);
        seen = found.revision;
        assert!(!writer.is_finished() || fresh.store.revision(&ana).await.unwrap() == Revision(100));
    }
    writer.await.unwrap();
}

pub(crate) async fn callers_who_leave_do_no_harm(fresh: &Fresh) {
    let ana = space("ana");
    for number in 0..200 {
        let at = fresh.store.revision(&ana).await.unwrap();
        let changes = [remember(number, "perhaps")];
        let impatient = fresh.store.apply(&ana, at, &changes);
        // Gone before, during or after the commit.
        let _ = timeout(Duration::from_micros(number as u64 * 5), impatient).await;
        let _ = timeout(Duration::ZERO, fresh.store.changed_since(&ana, Revision(0))).await;
    }
    // What was still under way is done before what is asked now.
    let last = apply_with_retries(&*fresh.store, &ana, 1000).await;
    let found = fresh.store.changed_since(&ana, Revision(0)).await.unwrap();
    assert_eq!(found.revision, last);
    assert_eq!(found.memories.len() as u64, last.0);
}

pub(crate) async fn a_revision_is_never_older_than_the_acknowledged_write(fresh: &Fresh) {
    let mut running = JoinSet::new();
    for user in 0..8 {
        let store: Arc<dyn Store> = fresh.store.clone();
        running.spawn(async move {
            let own = space(&format!("user {user}"));
            for number in 0..20 {
                let written = apply(&*store, &own, &[remember(number, "likes tea")]).await;
                assert_eq!(store.revision(&own).await.unwrap(), written);
                assert_eq!(
                    store.changed_since(&own, written).await.unwrap().revision,
                    written
                );
            }
        });
    }
    running.join_all().await;
}
