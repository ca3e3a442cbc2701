//! What changed since a revision: enough to bring a copy of the space up to date.

use recalld_memory::change::{Act, Revision};
use recalld_memory::entity::Entity;
use recalld_memory::memory::{Memory, Retirement, Standing};
use recalld_memory::ports::Changed;
use recalld_testing::memory_changes::{
    add_entity, add_mention, apply, at, entity, entity_id, erase, erase_entity, id, memory, mention, put,
    put_entity, remember, revise, space,
};

use crate::fresh_store::Fresh;

pub(crate) async fn only_what_changed_is_given(fresh: &Fresh) {
    let ana = space("ana");
    let store = &*fresh.store;
    apply(
        store,
        &ana,
        &[remember(1, "likes tea"), remember(2, "lives in Lisbon")],
    )
    .await;
    let since = apply(store, &ana, &[add_entity("cafe")]).await;
    let now = apply(store, &ana, &[revise(2, "lives in Porto", 2)]).await;
    let moved = Memory {
        version: 2,
        ..memory(2, "lives in Porto")
    };
    assert_eq!(
        store.changed_since(&ana, since).await.unwrap(),
        Changed {
            revision: now,
            memories: vec![moved.clone()],
            ..Changed::default()
        }
    );
    assert_eq!(
        store.changed_since(&ana, Revision(0)).await.unwrap(),
        Changed {
            revision: now,
            memories: vec![memory(1, "likes tea"), moved],
            entities: vec![entity("cafe")],
            ..Changed::default()
        }
    );
}

pub(crate) async fn memories_come_in_the_order_of_learning(fresh: &Fresh) {
    let ana = space("ana");
    let store = &*fresh.store;
    // Ids grow with time; 0x0100 and 0x00ff differ in the order of their bytes and of their digits
    // alike.
    apply(store, &ana, &[remember(0x100, "third"), remember(0xff, "second")]).await;
    apply(store, &ana, &[remember(1, "first"), remember(u128::MAX, "last")]).await;
    let ids = |changed: Changed| {
        changed
            .memories
            .iter()
            .map(|memory| memory.id)
            .collect::<Vec<_>>()
    };
    let all = store.changed_since(&ana, Revision(0)).await.unwrap();
    assert_eq!(ids(all), [id(1), id(0xff), id(0x100), id(u128::MAX)]);
    let newer = store.changed_since(&ana, Revision(1)).await.unwrap();
    assert_eq!(ids(newer), [id(1), id(u128::MAX)]);
}

pub(crate) async fn a_mention_brings_the_whole_entity(fresh: &Fresh) {
    let ana = space("ana");
    let store = &*fresh.store;
    let later = Entity {
        added_at: at(9),
        ..entity("bakery")
    };
    apply(
        store,
        &ana,
        &[put_entity(Act::Remember, later), add_entity("cafe")],
    )
    .await;
    apply(
        store,
        &ana,
        &[add_mention("cafe", "m2"), add_mention("cafe", "m1")],
    )
    .await;
    let now = apply(store, &ana, &[add_mention("cafe", "m3")]).await;
    let mentioned = Entity {
        mentions: vec![mention("m2"), mention("m1"), mention("m3")],
        ..entity("cafe")
    };
    let newest = store.changed_since(&ana, Revision(2)).await.unwrap();
    assert_eq!(
        newest,
        Changed {
            revision: now,
            entities: vec![mentioned],
            ..Changed::default()
        }
    );
    let all = store.changed_since(&ana, Revision(0)).await.unwrap();
    let ids: Vec<_> = all.entities.iter().map(|entity| entity.id.as_str()).collect();
    assert_eq!(ids, ["cafe", "bakery"], "in the order in which they were added");
}

pub(crate) async fn an_entity_put_again_keeps_its_mentions(fresh: &Fresh) {
    let ana = space("ana");
    let store = &*fresh.store;
    apply(store, &ana, &[add_entity("cafe"), add_mention("cafe", "m1")]).await;
    let closed = Entity {
        notes: None,
        retired: true,
        in_document: false,
        revised_at: at(8),
        ..entity("cafe")
    };
    apply(store, &ana, &[put_entity(Act::Retire, closed.clone())]).await;
    let found = store.changed_since(&ana, Revision(1)).await.unwrap();
    let expected = Entity {
        mentions: vec![mention("m1")],
        ..closed
    };
    assert_eq!(found.entities, [expected]);
}

pub(crate) async fn a_reader_from_the_future_gets_nothing(fresh: &Fresh) {
    let ana = space("ana");
    apply(&*fresh.store, &ana, &[remember(1, "likes tea")]).await;
    for since in [1, 2, u64::MAX] {
        let nothing = Changed {
            revision: Revision(1),
            ..Changed::default()
        };
        let found = fresh.store.changed_since(&ana, Revision(since)).await.unwrap();
        assert_eq!(found, nothing, "since {since}");
    }
}

/// Whoever folds what changed, write by write, has what a reader of everything has.
pub(crate) async fn each_kind_of_effect_is_seen(fresh: &Fresh) {
    let ana = space("ana");
    let store = &*fresh.store;
    let retired = Memory {
        standing: Standing::Retired {
            at: at(4),
            why: Retirement::Forgotten,
        },
        ..memory(1, "likes tea")
    };
    let evicted = Memory {
        in_document: false,
        ..memory(2, "lives in Lisbon")
    };
    let writes = [
        vec![
            remember(1, "likes tea"),
            remember(2, "lives in Lisbon"),
            remember(3, "met Bo"),
        ],
        vec![put(Act::Retire, retired)],
        vec![
            put(Act::Restore, memory(1, "likes tea")),
            put(Act::Evict, evicted),
        ],
        vec![add_entity("cafe"), add_entity("bakery")],
        vec![add_mention("cafe", "m1"), erase(3)],
        vec![erase_entity("bakery"), revise(1, "likes coffee", 4)],
    ];
    let (mut memories, mut entities) = (Vec::<Memory>::new(), Vec::<Entity>::new());
    let mut seen = Revision(0);
    for changes in writes {
        apply(store, &ana, &changes).await;
        let changed = store.changed_since(&ana, seen).await.unwrap();
        seen = changed.revision;
        memories.retain(|old| !changed.erased_memories.contains(&old.id));
        memories.retain(|old| changed.memories.iter().all(|new| new.id != old.id));
        memories.extend(changed.memories);
        entities.retain(|old| !changed.erased_entities.contains(&old.id));
        entities.retain(|old| changed.entities.iter().all(|new| new.id != old.id));
        entities.extend(changed.entities);
    }
    memories.sort_by_key(|memory| memory.id);
    let all = store.changed_since(&ana, Revision(0)).await.unwrap();
    assert_eq!(all.revision, seen);
    assert_eq!(all.memories, memories);
    assert_eq!(all.entities, entities);
    assert_eq!(all.erased_memories, [id(3)]);
    assert_eq!(all.erased_entities, [entity_id("bakery")]);
    assert_eq!((all.memories.len(), all.entities.len()), (2, 1));
}
