//! Bytes that change on the disk never change an answer unnoticed.

use std::fs;
use std::path::Path;

use recalld_memory::change::{Act, Event, Revision, Version};
use recalld_memory::conversation::Message;
use recalld_memory::ports::{
    Administration, Changed, ChangedKnowledge, ChangedMessages, EventPage, MessagePage, Store, StoreError,
};
use recalld_memory::record::{Record, RecordKind};
use recalld_store::SqliteStore;
use recalld_store::sqlite::DATABASE_FILE;
use recalld_testing::document_changes::take_in;
use recalld_testing::memory_changes::{
    add_mention, apply, at, change, entity, put_entity, remember, revise, space,
};
use recalld_testing::message_changes::{begin, say, thread};
use rusqlite::Connection;
use serde_json::json;

/// How many places of the file are damaged, one after the other.
fn places() -> usize {
    60 * crate::scale()
}

/// Everything that a user can be answered from.
#[derive(Debug, PartialEq)]
struct Answers {
    changed: Changed,
    versions: Vec<Version>,
    messages: ChangedMessages,
    page: Vec<Message>,
    knowledge: ChangedKnowledge,
    records: Vec<Record>,
    events: Vec<Event>,
}

/// Asks everything. Revisions are counters and say nothing of a user, so they are left out.
async fn ask(store: &SqliteStore) -> Result<Answers, StoreError> {
    let mut answers = ask_all(store).await?;
    answers.changed.revision = Revision(0);
    answers.messages.revision = Revision(0);
    answers.knowledge.revision = Revision(0);
    Ok(answers)
}

async fn ask_all(store: &SqliteStore) -> Result<Answers, StoreError> {
    let ana = space("ana");
    let page = MessagePage {
        before: None,
        limit: 1000,
    };
    let events = EventPage {
        limit: 10_000,
        ..EventPage::default()
    };
    Ok(Answers {
        changed: store.changed_since(&ana, Revision(0)).await?,
        versions: store.histories(&ana, None, 1000).await?,
        messages: store.messages_since(&ana, Revision(0)).await?,
        page: store.messages(&ana, &thread("c1"), &page).await?,
        knowledge: store.knowledge_since(&ana, Revision(0)).await?,
        records: store.records(&ana, RecordKind::Profile, None, 1000).await?,
        events: store.events(&ana, &events).await?,
    })
}

async fn fill(directory: &Path) {
    let store = SqliteStore::open(directory).unwrap();
    let ana = space("ana");
    apply(&store, &ana, &[begin("c1")]).await;
    for number in 1..60_u32 {
        let text = format!("statement {number} {}", "and so on ".repeat(number as usize % 30));
        let record = Record {
            kind: RecordKind::Profile,
            name: format!("r{number}"),
            value: json!({ "said": text }),
            version: 1,
            written_at: at(1),
        };
        let name = format!("place{number}");
        let changes = [
            remember(number.into(), &text),
            revise(number.into(), &format!("{text} again"), 2),
            change(recalld_memory::change::Effect::Record(record)),
            put_entity(Act::Remember, entity(&name)),
            add_mention(&name, "m1"),
            say("c1", number.into(), &text),
            take_in(&format!("d{number}"), &[&text, "another chunk"]),
        ];
        apply(&store, &ana, &changes).await;
    }
}

/// Damages one byte that is not empty.
fn flip(bytes: &mut [u8], seed: usize) -> usize {
    let mut at = seed.wrapping_mul(0x9e37_79b9).wrapping_add(seed * seed) % bytes.len();
    // The first page describes the tables: the store is not opened at all when it is damaged.
    while at < 4096 || bytes[at] == 0 {
        at = (at + 1) % bytes.len();
    }
    bytes[at] ^= 1 << (seed % 8);
    at
}

#[tokio::test]
async fn no_flipped_byte_changes_an_answer_unnoticed() {
    let origin = tempfile::tempdir().unwrap();
    fill(origin.path()).await;
    let sound = fs::read(origin.path().join(DATABASE_FILE)).unwrap();
    let expected = ask(&SqliteStore::open(origin.path()).unwrap()).await.unwrap();
    let (mut errors, mut by_doctor) = (0, 0);
    for seed in 1..=places() {
        let directory = tempfile::tempdir().unwrap();
        let mut bytes = sound.clone();
        let place = flip(&mut bytes, seed);
        fs::write(directory.path().join(DATABASE_FILE), &bytes).unwrap();
        let Ok(store) = SqliteStore::open(directory.path()) else {
            errors += 1;
            continue;
        };
        match ask(&store).await {
            Err(StoreError::Damaged { .. } | StoreError::Corrupt { .. }) => errors += 1,
            Err(other) => panic!("byte {place}: {other:?}"),
            Ok(answers) if answers == expected => {}
            // The order of the rows is damaged: reads find fewer, and `doctor` says so.
            Ok(_) => {
                let faults = store.faults().await.unwrap();
                assert!(!faults.is_empty(), "byte {place} changes an answer unnoticed");
                by_doctor += 1;
            }
        }
    }
    println!(
        "{} places: {errors} errors, {by_doctor} found by doctor alone",
        places()
    );
    assert!(
        places() / 4 < errors,
        "{errors} errors, {by_doctor} found by doctor"
    );
    assert!(by_doctor <= places() / 12, "{by_doctor} found by doctor alone");
}

/// Reads of other data go on, and `doctor` names the row.
#[tokio::test]
async fn a_damaged_row_is_named() {
    let damages = [
        (
            "memories",
            "UPDATE memories SET content = 'statement 7 and never' WHERE key = 'key_7'",
        ),
        (
            "memories",
            "UPDATE memory_versions SET confidence = 0.5 WHERE key = 'key_7'",
        ),
        (
            "entities",
            "UPDATE entities SET name = 'Elsewhere' WHERE id = 'place7'",
        ),
        (
            "mentions",
            "UPDATE mentions SET message = 'm2' WHERE entity = 'place7'",
        ),
        ("records", "UPDATE records SET value = '{}' WHERE name = 'r7'"),
        ("conversations", "UPDATE conversations SET title = 'Other'"),
        (
            "messages",
            "UPDATE messages SET role = 'assistant' WHERE id = 'm7'",
        ),
        (
            "documents",
            "UPDATE documents SET title = 'Other' WHERE id = 'd7'",
        ),
        (
            "chunks",
            "UPDATE chunks SET content = 'Other' WHERE document = 'd7' AND ordinal = 1",
        ),
        (
            "events",
            "UPDATE events SET actor = 'nobody' WHERE revision = 7 AND ordinal = 1",
        ),
    ];
    let origin = tempfile::tempdir().unwrap();
    fill(origin.path()).await;
    for (table, sql) in damages {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join(DATABASE_FILE);
        fs::copy(origin.path().join(DATABASE_FILE), &file).unwrap();
        let connection = Connection::open(&file).unwrap();
        assert_eq!(connection.execute(sql, []).unwrap(), 1, "{sql}");
        drop(connection);
        let store = SqliteStore::open(directory.path()).unwrap();
        let named = match ask(&store).await {
            Err(StoreError::Damaged { table, .. }) => table,
            other => panic!("{sql}: {other:?}"),
        };
        assert_eq!(named, table, "{sql}");
        let faults = store.faults().await.unwrap();
        let says = format!("of the table {table} is damaged; restore a backup");
        assert!(
            faults.iter().any(|fault| fault.contains(&says)),
            "{sql}: {faults:?}"
        );
    }
}

/// Rows of earlier versions of recalld have no checksum, and are read as before.
#[tokio::test]
async fn rows_without_a_checksum_are_read() {
    let directory = tempfile::tempdir().unwrap();
    fill(directory.path()).await;
    let expected = ask(&SqliteStore::open(directory.path()).unwrap()).await.unwrap();
    let connection = Connection::open(directory.path().join(DATABASE_FILE)).unwrap();
    for table in [
        "memories",
        "memory_versions",
        "entities",
        "mentions",
        "records",
        "messages",
        "events",
    ] {
        connection
            .execute(&format!("UPDATE {table} SET checksum = NULL"), [])
            .unwrap();
    }
    drop(connection);
    let store = SqliteStore::open(directory.path()).unwrap();
    assert_eq!(ask(&store).await.unwrap(), expected);
    assert_eq!(store.faults().await.unwrap(), Vec::<String>::new());
}
