//! Records: JSON values under a kind and a name.

use recalld_memory::change::{Change, Effect, Revision};
use recalld_memory::id::SpaceId;
use recalld_memory::ports::{Changed, EventPage, StoreError};
use recalld_memory::record::{Record, RecordKind};
use recalld_testing::memory_changes::{apply, at, change, remember, space, stamp};
use serde_json::{Value, json};

use crate::fresh_store::Fresh;

fn record(kind: RecordKind, name: &str, value: Value) -> Record {
    Record {
        kind,
        name: name.to_owned(),
        value,
        version: 1,
        written_at: at(1),
    }
}

fn profile(name: &str, value: Value) -> Record {
    record(RecordKind::Profile, name, value)
}

fn receipt(name: &str, seconds: i64) -> Record {
    Record {
        written_at: at(seconds),
        ..record(RecordKind::Receipt, name, json!({ "answer": name }))
    }
}

fn write(record: &Record) -> Change {
    change(Effect::Record(record.clone()))
}

fn erase(kind: RecordKind, name: &str) -> Change {
    let name = name.to_owned();
    change(Effect::EraseRecord { kind, name })
}

async fn read(fresh: &Fresh, user: &str, kind: RecordKind, name: &str) -> Option<Record> {
    fresh.store.record(&space(user), kind, name).await.unwrap()
}

pub(crate) async fn each_write_replaces_the_value(fresh: &Fresh) {
    let ana = space("ana");
    let first = profile("work", json!({ "role": "nurse" }));
    let second = Record {
        version: 2,
        written_at: at(2),
        ..profile("work", json!({ "role": "doctor" }))
    };
    apply(&*fresh.store, &ana, &[write(&first)]).await;
    assert_eq!(read(fresh, "ana", RecordKind::Profile, "work").await, Some(first));
    apply(&*fresh.store, &ana, &[write(&second)]).await;
    assert_eq!(
        read(fresh, "ana", RecordKind::Profile, "work").await,
        Some(second.clone())
    );
    let all = fresh.store.changed_since(&ana, Revision(0)).await.unwrap();
    assert_eq!(all.records, [second]);
}

pub(crate) async fn any_json_reads_back_exactly(fresh: &Fresh) {
    let values = [
        json!(null),
        json!({}),
        json!([]),
        json!(""),
        json!("NUL \u{0}, quote ' and \" and 安娜 🦉"),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(31.245270191439438),
        json!({ "z": 1, "a": [true, { "m": null }], "": "no name" }),
    ];
    for (value, number) in values.into_iter().zip(0..) {
        let name = format!("value {number} of 'Ana'");
        let written = profile(&name, value);
        apply(&*fresh.store, &space("ana"), &[write(&written)]).await;
        let found = read(fresh, "ana", RecordKind::Profile, &name).await.unwrap();
        assert_eq!(found, written);
        // The order of fields is kept, too, and that is no part of equality.
        assert_eq!(found.value.to_string(), written.value.to_string());
    }
}

pub(crate) async fn a_value_too_deep_to_read_is_refused(fresh: &Fresh) {
    let ana = space("ana");
    let deep = (0..200).fold(Value::Null, |inner, _| json!([inner]));
    let refused = fresh
        .store
        .apply(&ana, Revision(0), &[write(&profile("deep", deep))])
        .await;
    assert!(matches!(refused, Err(StoreError::Failed(_))), "{refused:?}");
    assert_eq!(fresh.store.revision(&ana).await.unwrap(), Revision(0));
}

pub(crate) async fn only_what_changed_is_given(fresh: &Fresh) {
    let ana = space("ana");
    let store = &*fresh.store;
    let work = profile("work", json!("nurse"));
    let mind = record(RecordKind::WorkingMemory, "user", json!({ "plan": "rest" }));
    let shape = record(RecordKind::WorkingMemorySchema, "user", json!({}));
    apply(store, &ana, &[write(&work)]).await;
    let since = apply(store, &ana, &[remember(1, "likes tea")]).await;
    let now = apply(store, &ana, &[write(&mind), write(&shape)]).await;
    let expected = Changed {
        revision: now,
        records: vec![mind.clone(), shape.clone()],
        ..Changed::default()
    };
    assert_eq!(store.changed_since(&ana, since).await.unwrap(), expected);
    let all = store.changed_since(&ana, Revision(0)).await.unwrap();
    assert_eq!(all.records, [work, mind, shape]);
}

pub(crate) async fn an_erased_record_leaves_its_name_only(fresh: &Fresh) {
    let ana = space("ana");
    let store = &*fresh.store;
    let (work, home) = (profile("work", json!("nurse")), profile("home", json!("Porto")));
    apply(store, &ana, &[write(&work), write(&home)]).await;
    let since = apply(store, &ana, &[erase(RecordKind::Profile, "work")]).await;
    assert_eq!(read(fresh, "ana", RecordKind::Profile, "work").await, None);
    let changed = store.changed_since(&ana, Revision(1)).await.unwrap();
    assert_eq!(changed.records, []);
    assert_eq!(changed.erased_records, [(RecordKind::Profile, "work".to_owned())]);
    let page = EventPage {
        subject: Some(("profile".to_owned(), "work".to_owned())),
        limit: 9,
        ..EventPage::default()
    };
    let events = store.events(&ana, &page).await.unwrap();
    let told: Vec<_> = events
        .iter()
        .map(|event| (event.verb.as_str(), event.stamp.source.clone()))
        .collect();
    assert_eq!(told, [("erase", stamp(3).source), ("write", None)]);

    // Written again, it is a record like any other.
    apply(store, &ana, &[write(&work)]).await;
    for since in [Revision(0), since] {
        let changed = store.changed_since(&ana, since).await.unwrap();
        assert!(changed.records.contains(&work));
        assert_eq!(changed.erased_records, []);
    }
}

pub(crate) async fn kinds_and_spaces_never_meet(fresh: &Fresh) {
    let store = &*fresh.store;
    for kind in RecordKind::ALL {
        for user in ["ana", "bo"] {
            let value = json!(format!("{} of {user}", kind.as_str()));
            apply(store, &space(user), &[write(&record(kind, "user", value))]).await;
        }
    }
    apply(store, &space("bo"), &[erase(RecordKind::WorkingMemory, "user")]).await;
    for kind in RecordKind::ALL {
        let of_ana = read(fresh, "ana", kind, "user").await.unwrap();
        assert_eq!(of_ana.value, json!(format!("{} of ana", kind.as_str())));
        let of_bo = read(fresh, "bo", kind, "user").await;
        assert_eq!(of_bo.is_none(), kind == RecordKind::WorkingMemory);
        assert_eq!(read(fresh, "ana", kind, "User").await, None);
    }
}

pub(crate) async fn receipts_are_read_by_name_only(fresh: &Fresh) {
    let ana = space("ana");
    let store = &*fresh.store;
    let given = receipt("request 1", 1);
    let changes = [remember(1, "likes tea"), write(&given)];
    let now = apply(store, &ana, &changes).await;
    assert_eq!(
        read(fresh, "ana", RecordKind::Receipt, "request 1").await,
        Some(given)
    );
    let page = EventPage {
        limit: 9,
        ..EventPage::default()
    };
    assert_eq!(
        store.events(&ana, &page).await.unwrap().len(),
        1,
        "the memory alone"
    );
    apply(store, &ana, &[erase(RecordKind::Receipt, "request 1")]).await;
    assert_eq!(read(fresh, "ana", RecordKind::Receipt, "request 1").await, None);
    for since in [Revision(0), now] {
        let changed = store.changed_since(&ana, since).await.unwrap();
        assert_eq!((changed.records, changed.erased_records), (vec![], vec![]));
    }
}

pub(crate) async fn old_receipts_are_dropped_the_oldest_first(fresh: &Fresh) {
    let old_profile = profile("work", json!("nurse"));
    for (user, seconds) in [("ana", 3), ("bo", 1), ("cy", 2), ("dee", 4)] {
        let changes = [write(&receipt("r", seconds)), write(&old_profile)];
        apply(&*fresh.store, &space(user), &changes).await;
    }
    let left = async || {
        let mut left = Vec::new();
        for user in ["ana", "bo", "cy", "dee"] {
            left.extend(read(fresh, user, RecordKind::Receipt, "r").await.map(|_| user));
        }
        left
    };
    let drop = async |limit| fresh.administration.drop_receipts(at(4), limit).await.unwrap();
    assert_eq!(drop(0).await, 0);
    assert_eq!(drop(1).await, 1);
    assert_eq!(left().await, ["ana", "cy", "dee"]);
    assert_eq!(drop(usize::MAX).await, 2);
    assert_eq!(left().await, ["dee"], "what is as old as asked for stays");
    assert_eq!(drop(9).await, 0);
    assert_eq!(
        read(fresh, "bo", RecordKind::Profile, "work").await,
        Some(old_profile)
    );
}

/// Many users, so that rows of several partitions have the same position.
pub(crate) async fn dropping_receipts_leaves_all_other_records(fresh: &Fresh) {
    let users: Vec<String> = (0..50).map(|number| format!("user {number}")).collect();
    for (number, user) in users.iter().enumerate() {
        let mut changes = vec![write(&profile("work", json!(user)))];
        if number % 2 == 0 {
            changes.insert(0, write(&receipt("r", 1)));
        }
        apply(&*fresh.store, &space(user), &changes).await;
    }
    let dropped = fresh.administration.drop_receipts(at(4), usize::MAX).await;
    assert_eq!(dropped.unwrap(), 25);
    for user in &users {
        assert_eq!(read(fresh, user, RecordKind::Receipt, "r").await, None);
        let kept = read(fresh, user, RecordKind::Profile, "work").await;
        assert_eq!(kept, Some(profile("work", json!(user))));
    }
}

pub(crate) async fn records_of_a_kind_are_listed_in_pages(fresh: &Fresh) {
    let (ana, store) = (space("ana"), &*fresh.store);
    for name in ["b", "a", "Z", "ä", "a b"] {
        apply(
            store,
            &ana,
            &[write(&record(RecordKind::Task, name, json!(name)))],
        )
        .await;
    }
    apply(store, &ana, &[write(&record(RecordKind::Run, "c", json!(1)))]).await;
    apply(
        store,
        &space("bo"),
        &[write(&record(RecordKind::Task, "d", json!(1)))],
    )
    .await;
    let names = async |after: Option<&str>, limit| {
        let page = store.records(&ana, RecordKind::Task, after, limit).await.unwrap();
        page.into_iter().map(|record| record.name).collect::<Vec<_>>()
    };
    // In the order of their bytes, on every machine.
    assert_eq!(names(None, usize::MAX).await, ["Z", "a", "a b", "b", "ä"]);
    assert_eq!(names(None, 2).await, ["Z", "a"]);
    assert_eq!(names(Some("a"), 2).await, ["a b", "b"]);
    assert_eq!(names(Some("ä"), 2).await, [""; 0]);
    assert_eq!(names(None, 0).await, [""; 0]);
}

pub(crate) async fn spaces_with_work_are_found(fresh: &Fresh) {
    for user in ["bo", "ana", "cy"] {
        apply(
            &*fresh.store,
            &space(user),
            &[write(&record(RecordKind::Task, "1", json!(1)))],
        )
        .await;
    }
    apply(&*fresh.store, &space("dee"), &[write(&profile("work", json!(1)))]).await;
    apply(&*fresh.store, &space("cy"), &[erase(RecordKind::Task, "1")]).await;
    let found = async |after: Option<&SpaceId>, limit| {
        let administration = &*fresh.administration;
        administration
            .spaces_with_records(RecordKind::Task, after, limit)
            .await
            .unwrap()
    };
    assert_eq!(found(None, 9).await, [space("ana"), space("bo")]);
    assert_eq!(found(None, 1).await, [space("ana")]);
    assert_eq!(found(Some(&space("ana")), 9).await, [space("bo")]);
}

pub(crate) async fn what_recalld_keeps_for_its_own_work_is_no_event(fresh: &Fresh) {
    let ana = space("ana");
    for kind in RecordKind::ALL {
        apply(&*fresh.store, &ana, &[write(&record(kind, "1", json!(1)))]).await;
        apply(&*fresh.store, &ana, &[erase(kind, "1")]).await;
    }
    let page = EventPage {
        limit: 99,
        ..EventPage::default()
    };
    let events = fresh.store.events(&ana, &page).await.unwrap();
    let audited: Vec<_> = RecordKind::ALL
        .into_iter()
        .filter(|kind| kind.is_audited())
        .flat_map(|kind| [kind.as_str(); 2])
        .rev()
        .collect();
    let told: Vec<_> = events.iter().map(|event| event.subject.0.as_str()).collect();
    assert_eq!(told, audited);
    assert!(!audited.contains(&"task"));
}
