//! Erasure: nothing of what was said remains, only that something was there.

use recalld_memory::change::{Event, Revision, Stamp};
use recalld_memory::ports::EventPage;
use recalld_testing::memory_changes::{
    add_entity, add_mention, apply, entity, entity_id, erase, erase_entity, id, memory, remember, revise,
    space, stamp,
};

use crate::fresh_store::Fresh;

async fn events(fresh: &Fresh, user: &str) -> Vec<Event> {
    let page = EventPage {
        limit: 100,
        ..EventPage::default()
    };
    fresh.store.events(&space(user), &page).await.unwrap()
}

/// What remains of a stamp: when, and by what.
fn bare() -> Stamp {
    Stamp {
        conversation: None,
        message: None,
        source: None,
        ..stamp(3)
    }
}

pub(crate) async fn an_erased_memory_leaves_ids_and_times_only(fresh: &Fresh) {
    let ana = space("ana");
    let store = &*fresh.store;
    apply(
        store,
        &ana,
        &[remember(1, "likes tea"), remember(2, "lives in Lisbon")],
    )
    .await;
    apply(store, &ana, &[revise(1, "likes coffee", 2)]).await;
    let now = apply(store, &ana, &[erase(1)]).await;

    let changed = store.changed_since(&ana, Revision(2)).await.unwrap();
    assert_eq!(changed.revision, now);
    assert_eq!((changed.memories, changed.erased_memories), (vec![], vec![id(1)]));
    let all = store.changed_since(&ana, Revision(0)).await.unwrap();
    assert_eq!(all.memories, [memory(2, "lives in Lisbon")]);
    assert_eq!(store.history(&ana, id(1)).await.unwrap(), []);

    let told: Vec<_> = events(fresh, "ana")
        .await
        .into_iter()
        .map(|event| (event.verb, event.subject.1, event.stamp))
        .collect();
    let line = |verb: &str, number, stamp| (verb.to_owned(), id(number).to_string(), stamp);
    let expected = [
        line("erase", 1, stamp(3)),
        line("revise", 1, bare()),
        line("remember", 2, stamp(3)),
        line("remember", 1, bare()),
    ];
    assert_eq!(told, expected);
}

pub(crate) async fn an_erased_entity_leaves_ids_and_times_only(fresh: &Fresh) {
    let ana = space("ana");
    let store = &*fresh.store;
    apply(store, &ana, &[add_entity("cafe"), add_entity("bakery")]).await;
    apply(store, &ana, &[add_mention("cafe", "m1")]).await;
    apply(store, &ana, &[erase_entity("cafe")]).await;

    let all = store.changed_since(&ana, Revision(0)).await.unwrap();
    assert_eq!(all.entities, [entity("bakery")]);
    assert_eq!(all.erased_entities, [entity_id("cafe")]);
    let told: Vec<_> = events(fresh, "ana")
        .await
        .into_iter()
        .filter(|event| event.subject.1 == "cafe")
        .map(|event| (event.verb, event.stamp))
        .collect();
    let line = |verb: &str, stamp| (verb.to_owned(), stamp);
    assert_eq!(
        told,
        [
            line("erase", stamp(3)),
            line("mention", bare()),
            line("remember", bare())
        ]
    );
}

pub(crate) async fn what_is_written_again_after_erasure_is_not_erased(fresh: &Fresh) {
    let ana = space("ana");
    let store = &*fresh.store;
    let writes = [
        vec![
            remember(1, "likes tea"),
            add_entity("cafe"),
            add_mention("cafe", "m1"),
        ],
        vec![erase(1), erase_entity("cafe")],
        vec![remember(1, "likes coffee"), add_entity("cafe")],
    ];
    for changes in writes {
        apply(store, &ana, &changes).await;
    }
    for since in [0, 1] {
        let changed = store.changed_since(&ana, Revision(since)).await.unwrap();
        assert_eq!(changed.memories, [memory(1, "likes coffee")]);
        assert_eq!(
            changed.entities,
            [entity("cafe")],
            "without the mention of its former life"
        );
        assert_eq!(
            (changed.erased_memories, changed.erased_entities),
            (vec![], vec![])
        );
    }
    assert_eq!(store.history(&ana, id(1)).await.unwrap().len(), 1);
}

pub(crate) async fn erasing_in_the_write_that_made_it_leaves_nothing(fresh: &Fresh) {
    let ana = space("ana");
    let store = &*fresh.store;
    let changes = [remember(1, "likes tea"), revise(1, "likes coffee", 2), erase(1)];
    apply(store, &ana, &changes).await;
    let changed = store.changed_since(&ana, Revision(0)).await.unwrap();
    assert_eq!((changed.memories, changed.erased_memories), (vec![], vec![id(1)]));
    assert_eq!(store.history(&ana, id(1)).await.unwrap(), []);
    let stamps: Vec<_> = events(fresh, "ana")
        .await
        .into_iter()
        .map(|event| event.stamp)
        .collect();
    assert_eq!(stamps, [stamp(3), bare(), bare()]);
}

pub(crate) async fn erasing_what_is_not_there_is_told_too(fresh: &Fresh) {
    let ana = space("ana");
    apply(&*fresh.store, &ana, &[erase(1), erase(1), erase_entity("cafe")]).await;
    let changed = fresh.store.changed_since(&ana, Revision(0)).await.unwrap();
    assert_eq!(changed.erased_memories, [id(1)]);
    assert_eq!(changed.erased_entities, [entity_id("cafe")]);
    assert_eq!(events(fresh, "ana").await.len(), 3);
}
