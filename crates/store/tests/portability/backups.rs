//! Backups that are made while everybody writes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use recalld_memory::change::Revision;
use recalld_memory::memory::Content;
use recalld_memory::ports::{Administration, Store};
use recalld_memory::remember::{Statement, remember};
use recalld_store::SqliteStore;
use recalld_store::sqlite::{Existing, RestoreError, is_backup, restore};

use crate::sample_user::{everything, move_in, scope, wired};
use crate::scale;

const WRITERS: usize = 4;

/// Each backup restores cleanly and has every write that was acknowledged before it began.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn backups_under_load_have_what_was_acknowledged() {
    let place = tempfile::tempdir().unwrap();
    let store = Arc::new(SqliteStore::open(&place.path().join("data")).unwrap());
    let (ports, _) = wired(store.clone(), Arc::default());
    let acknowledged: Arc<[AtomicU64; WRITERS]> = Arc::default();
    let stop = Arc::new(AtomicBool::new(false));
    let mut writers = tokio::task::JoinSet::new();
    for writer in 0..WRITERS {
        let (ports, acknowledged, stop) = (ports.clone(), acknowledged.clone(), stop.clone());
        writers.spawn(async move {
            // Bounded, should the backups never end.
            for number in 0..1_000_000_u64 {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                let content = Content::new(&format!("fact number {number} of {writer}")).unwrap();
                let scope = scope(&format!("writer{writer}"), number as i64);
                remember(&ports, &scope, Statement::plain(content)).await.unwrap();
                acknowledged[writer].store(number + 1, Ordering::SeqCst);
            }
        });
    }
    for number in 0..20 * scale() {
        let before: Vec<u64> = acknowledged
            .iter()
            .map(|count| count.load(Ordering::SeqCst))
            .collect();
        let file = place.path().join(format!("{number}.db"));
        store.backup(&file).await.unwrap();
        let directory = place.path().join(format!("restored{number}"));
        restore(&directory, &file, Existing::Keep).unwrap();
        let restored = SqliteStore::open(&directory).unwrap();
        assert_eq!(restored.faults().await.unwrap(), Vec::<String>::new());
        for (writer, acknowledged) in before.iter().enumerate() {
            let space = scope(&format!("writer{writer}"), 0).space().clone();
            let found = restored.changed_since(&space, Revision(0)).await.unwrap();
            assert!(*acknowledged <= found.memories.len() as u64, "backup {number}");
        }
        drop(restored);
        std::fs::remove_dir_all(&directory).unwrap();
        std::fs::remove_file(&file).unwrap();
    }
    stop.store(true, Ordering::Relaxed);
    while let Some(writer) = writers.join_next().await {
        writer.unwrap();
    }
}

#[tokio::test]
async fn a_restored_backup_is_what_it_was() {
    let place = tempfile::tempdir().unwrap();
    let (directory, backup) = (place.path().join("data"), place.path().join("copy"));
    let store = Arc::new(SqliteStore::open(&directory).unwrap());
    let (ports, _) = wired(store.clone(), Arc::default());
    move_in(&ports, "ana", "finch").await;
    let space = scope("ana", 1).space().clone();
    let before = everything(&*store, &space).await;
    store.backup(&backup).await.unwrap();
    assert!(is_backup(&backup));
    move_in(&ports, "bo", "sparrow").await;
    let in_use = restore(&directory, &backup, Existing::Replace);
    assert!(matches!(in_use, Err(RestoreError::Open(_))), "{in_use:?}");
    drop((ports, store));

    let kept = restore(&directory, &backup, Existing::Keep);
    assert!(matches!(kept, Err(RestoreError::Occupied { .. })), "{kept:?}");
    restore(&directory, &backup, Existing::Replace).unwrap();
    let store = SqliteStore::open(&directory).unwrap();
    assert_eq!(everything(&store, &space).await, before);
    assert_eq!(store.spaces(None, 9).await.unwrap(), [space]);
}

/// What is no backup changes nothing, and leaves nothing behind.
#[tokio::test]
async fn what_is_no_backup_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let (directory, backup) = (place.path().join("data"), place.path().join("copy"));
    let store = Arc::new(SqliteStore::open(&directory).unwrap());
    let (ports, _) = wired(store.clone(), Arc::default());
    for user in 0..20 {
        move_in(&ports, &format!("user{user}"), "finch").await;
    }
    let space = scope("user7", 1).space().clone();
    let before = everything(&*store, &space).await;
    store.backup(&backup).await.unwrap();
    drop((ports, store));
    let whole = std::fs::read(&backup).unwrap();
    let mut damaged = whole.clone();
    let middle = damaged.len() / 2;
    damaged[middle..middle + 20_000].fill(0xa5);
    let cut = whole[..whole.len() / 2].to_vec();
    for (bad, name) in [
        (damaged, "damaged"),
        (cut, "cut"),
        (b"shopping list ".repeat(500), "foreign"),
        (Vec::new(), "empty"),
    ] {
        let file = place.path().join(name);
        std::fs::write(&file, bad).unwrap();
        assert!(restore(&directory, &file, Existing::Replace).is_err(), "{name}");
        let store = SqliteStore::open(&directory).unwrap();
        assert_eq!(everything(&store, &space).await, before);
    }
    let names: Vec<_> = std::fs::read_dir(&directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(names.iter().all(|name| !name.contains("restoring")), "{names:?}");
    assert!(!is_backup(&place.path().join("foreign")));
    assert!(!is_backup(&place.path().join("missing")));
}
