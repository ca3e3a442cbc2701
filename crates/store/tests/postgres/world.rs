//! A small world of one user: something of every kind, and every question that can be asked about
//! it.

use std::fmt::Write;

use jiff::Timestamp;
use recalld_index::model::EmbeddingModel;
use recalld_memory::change::{Act, Actor, Change, Effect, Revision, Stamp};
use recalld_memory::conversation::{Conversation, Message, MessageText, Role};
use recalld_memory::entity::{Entity, EntityKind, EntityName, Mention};
use recalld_memory::id::{ConversationId, DocumentId, EntityId, MemoryId, MessageId, SpaceId, UserId};
use recalld_memory::knowledge::{Chunk, KnowledgeDocument};
use recalld_memory::memory::{Category, Confidence, Content, Memory, Origin, Standing, Tier};
use recalld_memory::ports::{EventPage, MessagePage, Store};
use recalld_memory::record::{Record, RecordKind};
use recalld_memory::vector::{Vector, VectorKind, VectorSubject};
use serde_json::json;
use uuid::Uuid;

pub fn space(user: &str) -> SpaceId {
    SpaceId::of_user(&UserId::new(user).unwrap())
}

pub fn now() -> Timestamp {
    Timestamp::from_second(1_750_000_000).unwrap()
}

pub fn id(number: u128) -> MemoryId {
    MemoryId::from_uuid(Uuid::from_u128(number))
}

pub fn change(effect: Effect) -> Change {
    let stamp = Stamp {
        at: now(),
        actor: Actor::new("test"),
        conversation: None,
        message: None,
        source: None,
    };
    Change { stamp, effect }
}

pub fn memory(number: u128, content: &str) -> Memory {
    Memory {
        id: id(number),
        key: None,
        content: Content::new(content).unwrap(),
        category: Category::new("preference").unwrap(),
        tier: Tier::Durable,
        confidence: Confidence::new(1.0).unwrap(),
        origin: Origin::User,
        trust: Origin::User,
        source: None,
        conversation: None,
        message: None,
        learned_at: now(),
        revised_at: now(),
        expires_at: None,
        standing: Standing::Active,
        in_document: true,
        amends: None,
        period: Default::default(),
        project: None,
        evidence: Vec::new(),
        version: 1,
    }
}

pub fn remember(number: u128, content: &str) -> Change {
    let (act, memory) = (Act::Remember, memory(number, content));
    change(Effect::Memory { act, memory })
}

fn thread() -> ConversationId {
    ConversationId::new("talk").unwrap()
}

fn said() -> MessageId {
    MessageId::new("m1").unwrap()
}

fn document() -> DocumentId {
    DocumentId::new("guide").unwrap()
}

fn cafe() -> EntityId {
    EntityId::new("cafe").unwrap()
}

pub fn model() -> EmbeddingModel {
    EmbeddingModel {
        name: "small".to_owned(),
        dimension: 2,
    }
}

fn vector(subject: VectorSubject) -> Change {
    change(Effect::Vector(Vector {
        subject,
        model: model(),
        text_digest: [7; 16],
        components: vec![0.6, 0.8],
    }))
}

/// Something of every kind, with the same ids whoever it belongs to.
pub fn all_of(owner: &str) -> Vec<Change> {
    let text = |what: &str| format!("{what} of {owner}");
    let memory = |act, number, what: &str| {
        let memory = memory(number, &text(what));
        change(Effect::Memory { act, memory })
    };
    let mut all = vec![
        memory(Act::Remember, 1, "first"),
        memory(Act::Revise, 1, "second"),
        memory(Act::Remember, 2, "other"),
        change(Effect::Entity {
            act: Act::Remember,
            entity: Entity {
                id: cafe(),
                kind: EntityKind::Place,
                name: EntityName::new(&text("cafe")).unwrap(),
                notes: None,
                added_at: now(),
                revised_at: now(),
                retired: false,
                in_document: true,
                trust: Origin::User,
                mentions: Vec::new(),
            },
        }),
        change(Effect::Mention {
            entity: cafe(),
            mention: Mention {
                conversation: thread(),
                message: MessageId::new(text("mention")).unwrap(),
                at: now(),
            },
        }),
        change(Effect::Record(Record {
            kind: RecordKind::Profile,
            name: "work".to_owned(),
            value: json!(text("work")),
            version: 1,
            written_at: now(),
        })),
    ];
    all.extend(said_and_read_by(owner));
    all.extend([
        vector(VectorSubject::Memory(id(1))),
        vector(VectorSubject::Chunk(document(), 0)),
        vector(VectorSubject::Message(thread(), said())),
    ]);
    all
}

/// A conversation and a document.
fn said_and_read_by(owner: &str) -> Vec<Change> {
    let text = |what: &str| format!("{what} of {owner}");
    vec![
        change(Effect::Conversation(Conversation {
            id: thread(),
            title: Some(text("talk")),
            began_at: now(),
            touched_at: now(),
            last_seq: 1,
        })),
        change(Effect::Message(Message {
            conversation: thread(),
            id: said(),
            seq: 1,
            role: Role::User,
            content: MessageText::new(text("message")).unwrap(),
            sender: None,
            at: now(),
            metadata: None,
        })),
        change(Effect::Document {
            document: KnowledgeDocument {
                id: document(),
                source: text("source"),
                title: None,
                digest: "d".to_owned(),
                chunks: 1,
                added_at: now(),
                revised_at: now(),
            },
            chunks: vec![Chunk {
                document: document(),
                ordinal: 0,
                heading: None,
                content: text("chunk"),
            }],
        }),
    ]
}

/// Takes everything away again.
pub fn erase_all() -> Vec<Change> {
    let name = "work".to_owned();
    let kind = RecordKind::Profile;
    [
        Effect::EraseMemory { id: id(1) },
        Effect::EraseMemory { id: id(2) },
        Effect::EraseEntity { id: cafe() },
        Effect::EraseRecord { kind, name },
        Effect::EraseMessage {
            conversation: thread(),
            id: said(),
        },
        Effect::EraseConversation { id: thread() },
        Effect::EraseDocument { id: document() },
    ]
    .map(change)
    .into()
}

pub async fn apply(store: &dyn Store, space: &SpaceId, changes: &[Change]) {
    let at = store.revision(space).await.unwrap();
    store.apply(space, at, changes).await.unwrap();
}

/// Asks every question there is about a space.
pub async fn everything(store: &dyn Store, space: &SpaceId) -> String {
    let mut told = String::new();
    let mut tell = |answer: &dyn std::fmt::Debug| writeln!(told, "{answer:?}").unwrap();
    tell(&store.revision(space).await.unwrap());
    tell(&store.changed_since(space, Revision(0)).await.unwrap());
    tell(&store.messages_since(space, Revision(0)).await.unwrap());
    tell(&store.knowledge_since(space, Revision(0)).await.unwrap());
    tell(&store.history(space, id(1)).await.unwrap());
    tell(&store.histories(space, None, 99).await.unwrap());
    tell(&store.record(space, RecordKind::Profile, "work").await.unwrap());
    tell(&store.records(space, RecordKind::Profile, None, 99).await.unwrap());
    let page = MessagePage {
        before: None,
        limit: 99,
    };
    tell(&store.messages(space, &thread(), &page).await.unwrap());
    tell(&store.message(space, &thread(), &said()).await.unwrap());
    for kind in [VectorKind::Memory, VectorKind::Chunk, VectorKind::Message] {
        let vectors = store.vectors_since(space, &model(), kind, Revision(0)).await;
        tell(&vectors.unwrap());
    }
    for subject in [None, Some(("memory".to_owned(), id(1).to_string()))] {
        let page = EventPage {
            subject,
            limit: 99,
            ..EventPage::default()
        };
        tell(&store.events(space, &page).await.unwrap());
    }
    told
}
