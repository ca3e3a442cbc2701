//! Small worlds to test with: users, memories, entities and the changes to them.

use jiff::{SignedDuration, Timestamp};
use recalld_memory::change::{Act, Actor, Change, Effect, Revision, Stamp};
use recalld_memory::entity::{Entity, EntityKind, EntityName, Mention};
use recalld_memory::id::{ConversationId, EntityId, MemoryId, MessageId, SpaceId, UserId};
use recalld_memory::memory::{Category, Confidence, Content, Key, Memory, Origin, Source, Standing, Tier};
use recalld_memory::ports::Store;
use uuid::Uuid;

pub fn space(user: &str) -> SpaceId {
    SpaceId::of_user(&UserId::new(user).unwrap())
}

/// The moment `seconds` after the test began.
pub fn at(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_750_000_000).unwrap() + SignedDuration::from_secs(seconds)
}

/// The id of the memory that was learned as the `number`th.
pub fn id(number: u128) -> MemoryId {
    MemoryId::from_uuid(Uuid::from_u128(number))
}

pub fn entity_id(name: &str) -> EntityId {
    EntityId::new(name).unwrap()
}

/// A memory with every field filled.
pub fn memory(number: u128, content: &str) -> Memory {
    Memory {
        id: id(number),
        key: Some(Key::new(&format!("key_{number}")).unwrap()),
        content: Content::new(content).unwrap(),
        category: Category::new("preference").unwrap(),
        tier: Tier::Durable,
        confidence: Confidence::new(0.85).unwrap(),
        origin: Origin::User,
        trust: Origin::Assistant,
        source: Some(Source::new("discussion:42").unwrap()),
        conversation: Some(ConversationId::new("feishu:oc_x:msg_y").unwrap()),
        message: Some(MessageId::new("m1").unwrap()),
        learned_at: at(1),
        revised_at: at(2),
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

pub fn entity(name: &str) -> Entity {
    Entity {
        id: entity_id(name),
        kind: EntityKind::Place,
        name: EntityName::new(&format!("The {name}")).unwrap(),
        notes: Some(Content::new("good coffee").unwrap()),
        added_at: at(1),
        revised_at: at(2),
        retired: false,
        in_document: true,
        trust: Origin::User,
        mentions: Vec::new(),
    }
}

pub fn mention(message: &str) -> Mention {
    Mention {
        conversation: ConversationId::new("talk").unwrap(),
        message: MessageId::new(message).unwrap(),
        at: at(5),
    }
}

pub fn stamp(seconds: i64) -> Stamp {
    Stamp {
        at: at(seconds),
        actor: Actor::new("tool:write_memory"),
        conversation: Some(ConversationId::new("talk").unwrap()),
        message: Some(MessageId::new("m7").unwrap()),
        source: Some(Source::new("said in passing").unwrap()),
    }
}

pub fn change(effect: Effect) -> Change {
    Change {
        stamp: stamp(3),
        effect,
    }
}

pub fn put(act: Act, memory: Memory) -> Change {
    change(Effect::Memory { act, memory })
}

pub fn remember(number: u128, content: &str) -> Change {
    put(Act::Remember, memory(number, content))
}

pub fn revise(number: u128, content: &str, version: u32) -> Change {
    let memory = Memory {
        version,
        ..memory(number, content)
    };
    put(Act::Revise, memory)
}

pub fn erase(number: u128) -> Change {
    change(Effect::EraseMemory { id: id(number) })
}

pub fn add_entity(name: &str) -> Change {
    let (act, entity) = (Act::Remember, entity(name));
    change(Effect::Entity { act, entity })
}

pub fn put_entity(act: Act, entity: Entity) -> Change {
    change(Effect::Entity { act, entity })
}

pub fn add_mention(name: &str, message: &str) -> Change {
    let (entity, mention) = (entity_id(name), mention(message));
    change(Effect::Mention { entity, mention })
}

pub fn erase_entity(name: &str) -> Change {
    change(Effect::EraseEntity { id: entity_id(name) })
}

/// Applies `changes` at whatever revision the space is at, for tests with one writer.
pub async fn apply(store: &dyn Store, space: &SpaceId, changes: &[Change]) -> Revision {
    let at = store.revision(space).await.unwrap();
    store.apply(space, at, changes).await.unwrap()
}
