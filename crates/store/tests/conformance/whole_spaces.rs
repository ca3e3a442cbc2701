//! Erasing a whole space: nothing of it remains, and nothing else is touched.

use recalld_index::model::EmbeddingModel;
use recalld_memory::change::{Act, Change, Effect, Revision};
use recalld_memory::id::{Namespace, SpaceId, UserId};
use recalld_memory::ports::{EventPage, KeyKind, KeyRecord, KeyScopes, StoreError};
use recalld_memory::record::{Record, RecordKind};
use recalld_memory::vector::{Vector, VectorSubject};
use recalld_testing::document_changes::take_in;
use recalld_testing::memory_changes::{
    add_entity, add_mention, apply, at, change, id, memory, put, remember, revise, space,
};
use recalld_testing::message_changes::{begin, say};
use serde_json::json;

use crate::fresh_store::Fresh;

fn record(kind: RecordKind) -> Change {
    change(Effect::Record(Record {
        kind,
        name: "one".to_owned(),
        value: json!({ "said": "likes tea" }),
        version: 1,
        written_at: at(1),
    }))
}

fn vector(subject: VectorSubject) -> Change {
    let model = EmbeddingModel {
        name: "m".to_owned(),
        dimension: 2,
    };
    change(Effect::Vector(Vector {
        subject,
        model,
        text_digest: [1; 16],
        components: vec![0.5, 0.5],
    }))
}

/// Something of every kind.
async fn fill(fresh: &Fresh, space: &SpaceId) {
    let first = vec![
        remember(1, "likes tea"),
        remember(2, "lives in Lisbon"),
        add_entity("cafe"),
        add_mention("cafe", "m1"),
        begin("talk"),
        say("talk", 1, "hello"),
        take_in("guide", &["tea", "coffee"]),
        vector(VectorSubject::Memory(id(1))),
    ];
    apply(&*fresh.store, space, &first).await;
    apply(&*fresh.store, space, &[revise(1, "likes coffee", 2)]).await;
    let records: Vec<Change> = RecordKind::ALL.into_iter().map(record).collect();
    apply(&*fresh.store, space, &records).await;
}

fn key(id: &str, user: &str, namespace: Option<&str>) -> KeyRecord {
    KeyRecord {
        id: id.to_owned(),
        digest: [id.as_bytes()[0]; 32],
        kind: KeyKind::User {
            user: UserId::new(user).unwrap(),
        },
        namespace: namespace.map(|name| Namespace::new(name).unwrap()),
        name: None,
        created_at: at(1),
        last_used_at: None,
        revoked_at: None,
        scopes: KeyScopes::default(),
        expires_at: None,
    }
}

fn of(rows: &[(&'static str, u64)], kind: &str) -> u64 {
    rows.iter().find(|(name, _)| *name == kind).unwrap().1
}

pub(crate) async fn nothing_of_an_erased_space_remains(fresh: &Fresh) {
    let ana = space("ana");
    fill(fresh, &ana).await;
    let counted = fresh.administration.count_space(&ana).await.unwrap();
    let erased = fresh.administration.erase_space(&ana, 1).await.unwrap();
    assert_eq!(counted, erased, "the preview tells what will be done");
    for (kind, number) in [
        ("memories", 2),
        ("memory_versions", 1),
        ("entities", 1),
        ("mentions", 1),
        ("conversations", 1),
        ("messages", 1),
        ("documents", 1),
        ("chunks", 2),
        ("vectors", 1),
        ("records", RecordKind::ALL.len() as u64),
        ("spaces", 1),
    ] {
        assert_eq!(of(&erased, kind), number, "{kind}");
    }
    assert!(0 < of(&erased, "events"));

    let store = &*fresh.store;
    assert_eq!(store.revision(&ana).await.unwrap(), Revision(0));
    let changed = store.changed_since(&ana, Revision(0)).await.unwrap();
    assert_eq!(changed, Default::default());
    assert_eq!(store.history(&ana, id(1)).await.unwrap(), []);
    assert_eq!(store.histories(&ana, None, 9).await.unwrap(), []);
    let page = EventPage {
        limit: 9,
        ..EventPage::default()
    };
    assert_eq!(store.events(&ana, &page).await.unwrap(), []);
    assert_eq!(
        store.messages_since(&ana, Revision(0)).await.unwrap(),
        Default::default()
    );
    assert_eq!(
        store.knowledge_since(&ana, Revision(0)).await.unwrap(),
        Default::default()
    );
    for kind in RecordKind::ALL {
        assert_eq!(store.records(&ana, kind, None, 9).await.unwrap(), [], "{kind:?}");
    }
    assert_eq!(fresh.administration.spaces(None, 9).await.unwrap(), []);
    let again = fresh.administration.erase_space(&ana, 2).await.unwrap();
    assert!(again.iter().all(|(_, rows)| *rows == 0), "{again:?}");
    assert_eq!(fresh.administration.faults().await.unwrap(), Vec::<String>::new());
}

pub(crate) async fn erasing_a_space_leaves_the_others(fresh: &Fresh) {
    let inside = SpaceId::of_user_in(&Namespace::new("acme").unwrap(), &UserId::new("ana").unwrap());
    let others = [
        space("bo"),
        space("an"),
        space("ana "),
        space("ana%"),
        inside,
        SpaceId::shared(),
    ];
    fill(fresh, &space("ana")).await;
    let mut before = Vec::new();
    for other in &others {
        fill(fresh, other).await;
        let histories = fresh.store.histories(other, None, 9).await.unwrap();
        before.push((
            fresh.store.changed_since(other, Revision(0)).await.unwrap(),
            histories,
        ));
    }
    fresh.administration.erase_space(&space("ana"), 1).await.unwrap();
    for (other, (changed, histories)) in others.iter().zip(before) {
        assert_eq!(
            fresh.store.changed_since(other, Revision(0)).await.unwrap(),
            changed
        );
        assert_eq!(fresh.store.histories(other, None, 9).await.unwrap(), histories);
    }
}

pub(crate) async fn the_keys_of_an_erased_user_go_with_the_space(fresh: &Fresh) {
    let keys = [
        key("a", "ana", None),
        key("b", "ana", Some("acme")),
        key("c", "bo", None),
        KeyRecord {
            kind: KeyKind::Service,
            ..key("d", "ana", None)
        },
    ];
    for key in &keys {
        fresh.keyring.put_key(key).await.unwrap();
    }
    let erased = fresh.administration.erase_space(&space("ana"), 1).await.unwrap();
    assert_eq!(of(&erased, "keys"), 1);
    let left: Vec<String> = fresh
        .keyring
        .keys()
        .await
        .unwrap()
        .into_iter()
        .map(|key| key.id)
        .collect();
    assert_eq!(left, ["b", "c", "d"]);
}

pub(crate) async fn a_space_begun_again_meets_no_revision_of_its_former_life(fresh: &Fresh) {
    let ana = space("ana");
    fill(fresh, &ana).await;
    let former = fresh.store.revision(&ana).await.unwrap();
    fresh.administration.erase_space(&ana, 3).await.unwrap();
    assert_eq!(fresh.administration.era().await.unwrap(), 3);
    let late = fresh.store.apply(&ana, former, &[remember(9, "late")]).await;
    assert!(
        matches!(late, Err(StoreError::Conflict { at: Revision(0), .. })),
        "{late:?}"
    );
    let began = apply(&*fresh.store, &ana, &[put(Act::Remember, memory(1, "is new"))]).await;
    assert_eq!(began, Revision::first(3));
    assert_eq!(fresh.store.revision(&ana).await.unwrap(), began);
    let changed = fresh.store.changed_since(&ana, former).await.unwrap();
    assert_eq!(
        changed.memories,
        [memory(1, "is new")],
        "all of it is later than what was held before"
    );
    let next = apply(&*fresh.store, &ana, &[revise(1, "is newer", 2)]).await;
    assert_eq!(next, began.next());
}

pub(crate) async fn eras_never_go_back(fresh: &Fresh) {
    let administration = &*fresh.administration;
    assert_eq!(administration.era().await.unwrap(), 0);
    administration.begin_era(5).await.unwrap();
    administration.begin_era(4).await.unwrap();
    administration.erase_space(&space("ana"), 2).await.unwrap();
    assert_eq!(administration.era().await.unwrap(), 5);
}

pub(crate) async fn histories_come_in_pages_of_memories(fresh: &Fresh) {
    let ana = space("ana");
    let store = &*fresh.store;
    apply(
        store,
        &ana,
        &[remember(1, "a"), remember(2, "b"), remember(3, "c")],
    )
    .await;
    apply(store, &ana, &[revise(1, "a2", 2), revise(3, "c2", 2)]).await;
    apply(store, &space("bo"), &[remember(2, "of bo")]).await;
    let texts = async |after: Option<u128>, limit| -> Vec<String> {
        let page = store.histories(&ana, after.map(id), limit).await.unwrap();
        page.iter()
            .map(|version| version.memory.content.to_string())
            .collect()
    };
    assert_eq!(texts(None, 2).await, ["a", "a2", "b"]);
    assert_eq!(texts(Some(2), 2).await, ["c", "c2"]);
    assert_eq!(texts(Some(3), 2).await, Vec::<String>::new());
    assert_eq!(texts(None, 0).await, Vec::<String>::new());
    let whole = store.histories(&ana, Some(id(2)), 1).await.unwrap();
    assert_eq!(whole, store.history(&ana, id(3)).await.unwrap());
}
