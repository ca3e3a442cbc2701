//! A write: applied whole at the revision it was decided at, or not at all.

use jiff::Timestamp;
use recalld_memory::change::{Act, Revision};
use recalld_memory::memory::{Confidence, Content, Key, Memory, Origin, Retirement, Standing, Tier};
use recalld_memory::ports::{Changed, EventPage, StoreError};
use recalld_memory::validity::Period;
use recalld_testing::memory_changes::{add_entity, add_mention, apply, at, id, memory, put, remember, space};

use crate::fresh_store::Fresh;

pub(crate) async fn a_space_nobody_wrote_to_is_at_zero(fresh: &Fresh) {
    let ana = space("ana");
    assert_eq!(fresh.store.revision(&ana).await.unwrap(), Revision(0));
    assert_eq!(
        fresh.store.changed_since(&ana, Revision(0)).await.unwrap(),
        Changed::default()
    );
}

pub(crate) async fn each_write_is_the_next_revision(fresh: &Fresh) {
    let ana = space("ana");
    for number in 0..3 {
        let change = remember(u128::from(number), "likes tea");
        let next = fresh
            .store
            .apply(&ana, Revision(number), &[change])
            .await
            .unwrap();
        assert_eq!(next, Revision(number + 1));
        assert_eq!(fresh.store.revision(&ana).await.unwrap(), next);
    }
}

pub(crate) async fn a_write_at_another_revision_conflicts_and_changes_nothing(fresh: &Fresh) {
    let ana = space("ana");
    apply(&*fresh.store, &ana, &[remember(1, "likes tea")]).await;
    let before = fresh.store.changed_since(&ana, Revision(0)).await.unwrap();
    for stale in [0, 2, u64::MAX] {
        let refused = fresh
            .store
            .apply(&ana, Revision(stale), &[remember(2, "likes coffee")])
            .await;
        match refused {
            Err(StoreError::Conflict { expected, at }) => {
                assert_eq!((expected, at), (Revision(stale), Revision(1)));
            }
            other => panic!("at {stale}: {other:?}"),
        }
    }
    assert_eq!(
        fresh.store.changed_since(&ana, Revision(0)).await.unwrap(),
        before
    );
}

pub(crate) async fn no_changes_are_no_write(fresh: &Fresh) {
    let ana = space("ana");
    assert_eq!(
        fresh.store.apply(&ana, Revision(0), &[]).await.unwrap(),
        Revision(0)
    );
    let refused = fresh.store.apply(&ana, Revision(1), &[]).await;
    assert!(matches!(refused, Err(StoreError::Conflict { .. })), "{refused:?}");
    assert_eq!(fresh.administration.spaces(None, 9).await.unwrap(), []);
}

pub(crate) async fn a_write_that_fails_half_way_leaves_nothing(fresh: &Fresh) {
    let ana = space("ana");
    let changes = [
        remember(1, "likes tea"),
        add_entity("cafe"),
        add_mention("nowhere", "m1"),
    ];
    let refused = fresh.store.apply(&ana, Revision(0), &changes).await;
    assert!(matches!(refused, Err(StoreError::Failed(_))), "{refused:?}");
    assert_eq!(fresh.store.revision(&ana).await.unwrap(), Revision(0));
    assert_eq!(
        fresh.store.changed_since(&ana, Revision(0)).await.unwrap(),
        Changed::default()
    );
    assert_eq!(fresh.store.history(&ana, id(1)).await.unwrap(), []);
    let page = EventPage {
        limit: 9,
        ..EventPage::default()
    };
    assert_eq!(fresh.store.events(&ana, &page).await.unwrap(), []);
}

pub(crate) async fn what_is_written_reads_back_exactly(fresh: &Fresh) {
    let ana = space("ana");
    let full = memory(1, "likes tea");
    let bare = Memory {
        key: None,
        source: None,
        conversation: None,
        message: None,
        tier: Tier::Daily,
        origin: Origin::Document,
        trust: Origin::Tool,
        expires_at: Some(at(90)),
        in_document: false,
        ..memory(2, "met Bo")
    };
    let retired = |number, why| Memory {
        standing: Standing::Retired { at: at(7), why },
        version: 2,
        ..memory(number, "was here")
    };
    let written = vec![
        full,
        bare,
        retired(3, Retirement::Forgotten),
        retired(4, Retirement::Expired),
    ];
    let changes: Vec<_> = written
        .iter()
        .map(|memory| put(Act::Remember, memory.clone()))
        .collect();
    apply(&*fresh.store, &ana, &changes).await;
    let found = fresh.store.changed_since(&ana, Revision(0)).await.unwrap();
    assert_eq!(found.memories, written);
}

pub(crate) async fn any_script_reads_back_exactly(fresh: &Fresh) {
    let ana = space("安娜 🦉 ünï");
    let texts = [
        "喜欢喝茶",
        "お茶が好き",
        "e\u{301} and é stay apart",
        "שלום עולם",
        "👩‍👩‍👧‍👦 family",
        "line one\nline two\ttabbed",
        "100% of '; DROP TABLE memories; --",
        "\u{10ffff}\u{fffd}",
    ];
    let written: Vec<_> = texts
        .iter()
        .zip(1..)
        .map(|(text, number)| Memory {
            key: Some(Key::new(&format!("ключ {number} {}", &text.replace(['\n', '\t'], " "))).unwrap()),
            content: Content::new(text).unwrap(),
            ..memory(number, "x")
        })
        .collect();
    let changes: Vec<_> = written
        .iter()
        .map(|memory| put(Act::Remember, memory.clone()))
        .collect();
    apply(&*fresh.store, &ana, &changes).await;
    let found = fresh.store.changed_since(&ana, Revision(0)).await.unwrap();
    assert_eq!(found.memories, written);
}

pub(crate) async fn extremes_of_time_and_number_read_back(fresh: &Fresh) {
    let ana = space(&"x".repeat(256));
    let last = Timestamp::new(Timestamp::MAX.as_second(), 999_999_000).unwrap();
    let before_the_epoch = Timestamp::new(-2_000_000_000, -1000).unwrap();
    let odd = Memory {
        id: id(u128::MAX),
        content: Content::new(&"ö".repeat(Content::BYTES_MAX / 2)).unwrap(),
        confidence: Confidence::new(0.1 + 0.2).unwrap(),
        learned_at: before_the_epoch,
        expires_at: Some(last),
        period: Period {
            from: Some(before_the_epoch),
            until: Some(last),
            superseded_by: Some(id(0)),
        },
        version: u32::MAX,
        ..memory(1, "x")
    };
    let smallest = Memory {
        id: id(0),
        confidence: Confidence::new(f64::MIN_POSITIVE).unwrap(),
        ..memory(0, "x")
    };
    let written = vec![smallest, odd];
    let changes: Vec<_> = written
        .iter()
        .map(|memory| put(Act::Remember, memory.clone()))
        .collect();
    apply(&*fresh.store, &ana, &changes).await;
    let found = fresh.store.changed_since(&ana, Revision(0)).await.unwrap();
    assert_eq!(found.memories, written);
}

pub(crate) async fn very_many_changes_are_one_write(fresh: &Fresh) {
    let ana = space("ana");
    let count = 66_000;
    let changes: Vec<_> = (0..count).map(|number| remember(number, "one of many")).collect();
    let next = fresh.store.apply(&ana, Revision(0), &changes).await.unwrap();
    assert_eq!(next, Revision(1));
    let found = fresh.store.changed_since(&ana, Revision(0)).await.unwrap();
    assert_eq!(found.memories.len() as u128, count);
    let page = EventPage {
        limit: 1,
        ..EventPage::default()
    };
    let last = fresh.store.events(&ana, &page).await.unwrap();
    assert_eq!(u128::from(last[0].ordinal), count - 1);
}
