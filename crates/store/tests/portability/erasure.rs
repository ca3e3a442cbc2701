//! Erasing users: nothing of them is left anywhere, and nobody else notices.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use recalld_index::model::EmbeddingModel;
use recalld_memory::browse::{Filter, list};
use recalld_memory::change::Effect;
use recalld_memory::memory::{Content, Origin};
use recalld_memory::ports::Administration;
use recalld_memory::recall::{Question, recall};
use recalld_memory::record::{Record, RecordKind};
use recalld_memory::remember::{Remembered, remember};
use recalld_memory::retire;
use recalld_memory::revise::{Edit, revise};
use recalld_memory::target::Target;
use recalld_memory::vector::{Vector, VectorSubject};
use recalld_memory::wiring::Ports;
use recalld_portability::erase::{enforce, erase, preview};
use recalld_store::SqliteStore;
use recalld_store::sqlite::{DATABASE_FILE, Existing, restore};
use serde_json::json;

use crate::sample_user::{Graves, everything, everything_of, move_in, put, scope, statement, stores, wired};
use crate::scale;

fn count(bytes: &[u8], word: &str) -> usize {
    // Words are looked for by their first bytes: that is quick enough for whole databases.
    bytes
        .windows(word.len())
        .filter(|window| *window == word.as_bytes())
        .count()
}

fn assert_no_byte(directory: &Path, words: &[String]) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let bytes = fs::read(&path).unwrap();
        // All canaries sing the same first notes.
        for (at, _) in bytes
            .windows(6)
            .enumerate()
            .filter(|(_, window)| *window == b"canary")
        {
            let end = bytes.len().min(at + 16);
            let found = String::from_utf8_lossy(&bytes[at..end]).into_owned();
            assert!(
                !words.iter().any(|word| found.starts_with(word.as_str())),
                "{found:?} in {}",
                path.display()
            );
        }
    }
}

/// Its versions, its vectors, the events about it and the stored answers that quote it go with it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_single_erased_memory_leaves_no_byte_when_that_is_answered() {
    let directory = tempfile::tempdir().unwrap();
    let store = Arc::new(SqliteStore::open(directory.path()).unwrap());
    let (ports, _) = wired(store.clone(), Arc::default());
    for number in 0..40 {
        let word = format!("canary{number:06}x");
        let (key, at) = (format!("key{number}"), scope("ana", number));
        let new = statement(
            &format!("likes {word} {}", "tea ".repeat(number as usize * 20)),
            Some(&key),
        );
        let Remembered::Stored { memory, .. } = remember(&ports, &at, new).await.unwrap() else {
            panic!("{word} is new");
        };
        let edit = Edit {
            content: Some(Content::new(&format!("likes {word} no more")).unwrap()),
            ..Edit::by(Origin::User)
        };
        let target = Target::Key(key.clone());
        revise(&ports, &at, target.clone(), edit).await.unwrap();
        let receipt = Record {
            kind: RecordKind::Receipt,
            name: format!("receipt{number}"),
            value: json!({ "body": json!({ "id": memory.id.to_string(), "content": word }).to_string() }),
            version: 1,
            written_at: at.now,
        };
        let spelled = word.repeat(4).into_bytes();
        let (components, _) = spelled.as_chunks::<4>();
        let vector = Vector {
            subject: VectorSubject::Memory(memory.id),
            model: EmbeddingModel {
                name: "model".to_owned(),
                dimension: components.len(),
            },
            text_digest: [0; 16],
            components: components.iter().map(|four| f32::from_le_bytes(*four)).collect(),
        };
        put(&ports, &at, vec![Effect::Record(receipt), Effect::Vector(vector)]).await;
        if number % 3 == 0 {
            assert!(retire::erase(&ports, &at, target).await.unwrap().is_some());
            assert_no_byte(directory.path(), &[word]);
        }
    }
}

/// One of ten users is erased; the others keep everything, to the byte.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn erased_users_leave_no_byte_and_others_keep_theirs() {
    let directory = tempfile::tempdir().unwrap();
    let store = Arc::new(SqliteStore::open(directory.path()).unwrap());
    let (ports, eraser) = wired(store.clone(), Arc::default());
    let users: Vec<String> = (0..60 * scale())
        .map(|number| format!("user{number:06}"))
        .collect();
    let word = |user: &String| format!("canary{}x", &user[4..]);
    for user in &users {
        move_in(&ports, user, &word(user)).await;
    }
    let before = everything_of(&*store, &users).await;
    let (doomed, kept): (Vec<_>, Vec<_>) = users.iter().cloned().partition(|user| user.ends_with('3'));
    for user in &doomed {
        let seen = preview(&eraser, &scope(user, 99)).await.unwrap();
        let receipt = erase(&ports, &eraser, &scope(user, 99)).await.unwrap();
        let told: Vec<(&str, u64)> = receipt
            .erased
            .iter()
            .map(|kind| (kind.kind.as_str(), kind.rows))
            .collect();
        assert_eq!(told, seen);
        assert!(receipt.is_genuine(&eraser.tombstones.secret().unwrap()));
        assert!(!format!("{receipt:?}").contains(user.as_str()));
    }
    let words: Vec<String> = doomed.iter().map(word).collect();
    assert_no_byte(directory.path(), &words);
    let after = everything_of(&*store, &kept).await;
    assert!(kept.iter().all(|user| before[user] == after[user]));
    for user in &doomed {
        assert_eq!(finds(&ports, user).await, 0);
    }
    drop((ports, eraser, store));
    assert_no_byte(directory.path(), &words);
    let kept_bytes = fs::read(directory.path().join(DATABASE_FILE)).unwrap();
    assert_ne!(
        count(&kept_bytes, &word(&kept[0])),
        0,
        "the search finds what is there"
    );
}

async fn finds(ports: &Ports, user: &str) -> usize {
    let question = Question::new("likes coffee met", 10);
    let found = recall(ports, &scope(user, 100), &question).await.unwrap();
    let listed = list(ports, &scope(user, 100), &Filter::default(), 10)
        .await
        .unwrap();
    found.len() + listed.total
}

/// What one server still holds of a space that another has erased is not shown, even when the space
/// was begun again.
#[tokio::test]
async fn another_server_forgets_too() {
    for (name, store, _keep) in stores().await {
        let (here, eraser) = wired(store.clone(), Arc::default());
        let (there, _) = wired(store, Arc::default());
        move_in(&here, "ana", "canary").await;
        assert_ne!(finds(&there, "ana").await, 0, "{name}");
        erase(&here, &eraser, &scope("ana", 99)).await.unwrap();
        assert_eq!(finds(&there, "ana").await, 0, "{name}");

        move_in(&here, "bo", "canary").await;
        assert_ne!(finds(&there, "bo").await, 0, "{name}");
        erase(&here, &eraser, &scope("bo", 99)).await.unwrap();
        // As many writes as before: only the era tells the two lives apart.
        for number in 0..40 {
            let new = statement(&format!("plays the piano, piece {number}"), None);
            remember(&here, &scope("bo", 200 + number), new).await.unwrap();
        }
        let listed = list(&there, &scope("bo", 300), &Filter::default(), 100)
            .await
            .unwrap();
        assert_eq!(listed.total, 40, "{name}");
        let said = listed
            .memories
            .iter()
            .any(|memory| memory.content.as_str().contains("canary"));
        assert!(!said, "{name}");
    }
}

/// A backup from before the erasure brings back everybody but the erased, and who came again after
/// it stays.
#[tokio::test]
async fn a_backup_does_not_bring_the_erased_back() {
    let place = tempfile::tempdir().unwrap();
    let (directory, backup) = (place.path().join("data"), place.path().join("copy.db"));
    let graves = Arc::new(Graves::default());
    {
        let store = Arc::new(SqliteStore::open(&directory).unwrap());
        let (ports, eraser) = wired(store.clone(), graves.clone());
        for user in ["ana", "bo", "cy"] {
            move_in(&ports, user, "canary").await;
        }
        store.backup(&backup).await.unwrap();
        for user in ["ana", "cy"] {
            erase(&ports, &eraser, &scope(user, 99)).await.unwrap();
        }
        move_in(&ports, "cy", "finch").await;
        assert_eq!(enforce(&ports, &eraser).await.unwrap(), 0, "cy came again");
        assert_ne!(finds(&ports, "cy").await, 0);
    }
    restore(&directory, &backup, Existing::Replace).unwrap();
    let store = Arc::new(SqliteStore::open(&directory).unwrap());
    let (ports, eraser) = wired(store.clone(), graves);
    assert_eq!(enforce(&ports, &eraser).await.unwrap(), 2);
    assert_eq!(finds(&ports, "ana").await, 0);
    assert_eq!(finds(&ports, "cy").await, 0);
    assert_ne!(finds(&ports, "bo").await, 0);
    let spaces = store.spaces(None, 9).await.unwrap();
    assert_eq!(spaces.len(), 1, "{spaces:?}");
    move_in(&ports, "ana", "finch").await;
    assert_eq!(enforce(&ports, &eraser).await.unwrap(), 0, "ana came again");
    assert!(
        everything(&*store, scope("ana", 1).space())
            .await
            .contains("finch")
    );
}

/// A process that dies between the tombstone and the erasure leaves the rest to the next start.
#[tokio::test]
async fn an_erasure_that_was_cut_short_is_finished() {
    for (name, store, _keep) in stores().await {
        let graves = Arc::new(Graves::default());
        let (ports, eraser) = wired(store.clone(), graves.clone());
        move_in(&ports, "ana", "canary").await;
        move_in(&ports, "bo", "canary").await;
        let other = Arc::new(SqliteStore::in_memory().unwrap());
        let (elsewhere, eraser_elsewhere) = wired(other, graves);
        // The tombstone is set, and the rows are erased in another store: as if this one had not
        // been reached.
        erase(&elsewhere, &eraser_elsewhere, &scope("ana", 99))
            .await
            .unwrap();
        assert_eq!(enforce(&ports, &eraser).await.unwrap(), 1, "{name}");
        assert_eq!(
            store.revision(scope("ana", 1).space()).await.unwrap().0,
            0,
            "{name}"
        );
        assert_ne!(finds(&ports, "bo").await, 0, "{name}");
        assert_eq!(enforce(&ports, &eraser).await.unwrap(), 0, "{name}");
    }
}
