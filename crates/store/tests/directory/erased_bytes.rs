//! What is erased or dropped is in no file, whatever kind of thing it was.

use std::fs;
use std::path::Path;

use recalld_index::model::EmbeddingModel;
use recalld_memory::change::{Change, Effect};
use recalld_memory::conversation::{Conversation, Message, MessageText, Role};
use recalld_memory::id::{ConversationId, DocumentId, MessageId};
use recalld_memory::knowledge::{Chunk, KnowledgeDocument};
use recalld_memory::ports::Administration;
use recalld_memory::record::{Record, RecordKind};
use recalld_memory::vector::{Vector, VectorSubject};
use recalld_store::SqliteStore;
use recalld_store::sqlite::DATABASE_FILE;
use recalld_testing::memory_changes::{apply, at, change, erase, id, remember, space};
use serde_json::json;

/// The bird that must not be found, and one that shows that the search finds.
const BIRDS: [&str; 2] = ["canary", "sparrow"];

/// How often what is written is written again, in other lengths: that moves rows from page to page.
const ROUNDS: u32 = 4;

fn text(bird: &str, length: u32) -> String {
    format!("{bird} {}", "sings ".repeat(length as usize))
}

fn length(number: u32, round: u32) -> u32 {
    number * (31 + round) % [90, 500, 3, 150][round as usize]
}

fn record(kind: RecordKind, number: u32, said: &str) -> Change {
    change(Effect::Record(Record {
        kind,
        name: format!("r{number}"),
        value: json!({ "said": said }),
        version: 1,
        written_at: at(1),
    }))
}

fn thread(number: u32) -> ConversationId {
    ConversationId::new(format!("c{number}")).unwrap()
}

fn begin(number: u32, title: &str) -> Change {
    change(Effect::Conversation(Conversation {
        id: thread(number),
        title: Some(title.to_owned()),
        began_at: at(1),
        touched_at: at(1),
        last_seq: 2,
    }))
}

fn say(number: u32, said: &str) -> Change {
    change(Effect::Message(Message {
        conversation: thread(number),
        id: MessageId::new("m1").unwrap(),
        seq: 1,
        role: Role::User,
        content: MessageText::new(said.to_owned()).unwrap(),
        sender: None,
        at: at(1),
        metadata: Some(json!({ "draft": said })),
    }))
}

fn document(number: u32) -> DocumentId {
    DocumentId::new(format!("d{number}")).unwrap()
}

fn take_in(number: u32, said: &str) -> Change {
    let chunk = |ordinal| Chunk {
        document: document(number),
        ordinal,
        heading: None,
        content: said.to_owned(),
    };
    change(Effect::Document {
        document: KnowledgeDocument {
            id: document(number),
            source: said.to_owned(),
            title: None,
            digest: String::new(),
            chunks: 2,
            added_at: at(1),
            revised_at: at(1),
        },
        chunks: vec![chunk(0), chunk(1)],
    })
}

/// A vector whose bytes spell the bird.
fn embed(bird: &str, model: &str, subject: VectorSubject) -> Change {
    let bytes = format!("{bird} ").repeat(64);
    let (components, _) = bytes.as_bytes().as_chunks::<4>();
    change(Effect::Vector(Vector {
        subject,
        model: EmbeddingModel {
            name: model.to_owned(),
            dimension: components.len(),
        },
        text_digest: [0; 16],
        components: components.iter().map(|four| f32::from_le_bytes(*four)).collect(),
    }))
}

fn write(bird: &str, number: u32, round: u32) -> Vec<Change> {
    let said = text(bird, length(number, round));
    vec![
        remember(number.into(), bird),
        record(RecordKind::Profile, number, &said),
        begin(number, &said),
        say(number, &said),
        take_in(number, &said),
        embed(bird, "kept", VectorSubject::Memory(id(number.into()))),
        embed(bird, "kept", VectorSubject::Chunk(document(number), 1)),
    ]
}

/// Erases the conversation or its message alone, and everything else.
fn take_out(number: u32) -> Vec<Change> {
    let kind = RecordKind::Profile;
    let talk = match number % 4 {
        0 => vec![
            Effect::EraseMessage {
                conversation: thread(number),
                id: MessageId::new("m1").unwrap(),
            },
            Effect::EraseConversation { id: thread(number) },
        ],
        _ => vec![Effect::EraseConversation { id: thread(number) }],
    };
    let others = [
        Effect::EraseRecord {
            kind,
            name: format!("r{number}"),
        },
        Effect::EraseDocument { id: document(number) },
    ];
    let erased = talk.into_iter().chain(others).map(change);
    erased.chain([erase(number.into())]).collect()
}

fn count(path: &Path, bird: &str) -> usize {
    let bytes = fs::read(path).unwrap();
    let found = bytes.windows(bird.len());
    found.filter(|window| *window == bird.as_bytes()).count()
}

fn assert_no_trace(directory: &Path) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(count(&path, BIRDS[0]), 0, "{}", path.display());
    }
    assert_ne!(count(&directory.join(DATABASE_FILE), BIRDS[1]), 0);
}

#[tokio::test]
async fn what_is_erased_of_any_kind_is_in_no_file() {
    let directory = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(directory.path()).unwrap();
    let ana = space("ana");
    for round in 0..ROUNDS {
        for start in 0..7 {
            let numbers = (0..200).filter(|number| number * 5 % 7 == start);
            let changes: Vec<_> = numbers
                .flat_map(|number| write(BIRDS[(number % 2) as usize], number, round))
                .collect();
            apply(&store, &ana, &changes).await;
        }
    }
    for number in (0..200).step_by(2) {
        apply(&store, &ana, &take_out(number)).await;
    }
    assert_no_trace(directory.path());
    drop(store);
    assert_no_trace(directory.path());
}

#[tokio::test]
async fn what_upkeep_drops_is_in_no_file() {
    let directory = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(directory.path()).unwrap();
    let ana = space("ana");
    for round in 0..ROUNDS {
        for number in 0..200_u32 {
            let bird = BIRDS[(number % 2) as usize];
            let said = text(bird, length(number, round));
            let kind = [RecordKind::Receipt, RecordKind::Profile][(number % 2) as usize];
            let subject = VectorSubject::Memory(id(number.into()));
            let changes = [
                remember(number.into(), "sparrow"),
                record(kind, number * 37 % 200, &said),
                embed("canary", "former", subject.clone()),
                embed("sparrow", "kept", subject),
            ];
            apply(&store, &ana, &changes).await;
        }
    }
    assert_eq!(store.drop_receipts(at(2), 1000).await.unwrap(), 100);
    let kept = EmbeddingModel {
        name: "kept".to_owned(),
        dimension: "sparrow ".len() * 64 / 4,
    };
    assert_eq!(store.drop_vectors_but(&[kept], 1000).await.unwrap(), 200);
    drop(store);
    assert_no_trace(directory.path());
}

/// The file is looked at while the store is open: the answer to an erasure means that it is done.
#[tokio::test]
async fn a_space_that_is_erased_is_in_no_file_when_that_is_answered() {
    let directory = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(directory.path()).unwrap();
    for round in 0..ROUNDS {
        for number in 0..60_u32 {
            let bird = BIRDS[(number % 2) as usize];
            let user = space(&format!("{bird}{number}"));
            apply(&store, &user, &write(bird, number, round)).await;
        }
    }
    for number in (0..60).step_by(2) {
        let user = space(&format!("canary{number}"));
        store.erase_space(&user, 1).await.unwrap();
    }
    assert_no_trace(directory.path());
    drop(store);
    assert_no_trace(directory.path());
}
