//! Placeholders for what was erased: they are stored only to be erased again, so that the log says
//! of them what it said.

use recalld_memory::change::{Effect, Stamp};
use recalld_memory::conversation::{Conversation, Message, MessageText, Role};
use recalld_memory::entity::{Entity, EntityKind, EntityName, Mention};
use recalld_memory::id::{ConversationId, DocumentId, EntityId, MemoryId, MessageId};
use recalld_memory::knowledge::KnowledgeDocument;
use recalld_memory::memory::{Category, Confidence, Content, Memory, NewMemory, Origin, Tier};
use recalld_memory::record::RecordKind;

use super::lines::ArchivedEvent;

/// What an erasure of the log does.
pub(super) fn erasure(event: &ArchivedEvent) -> Option<Effect> {
    Some(match event.kind.as_str() {
        "memory" => Effect::EraseMemory {
            id: MemoryId::parse(&event.id).ok()?,
        },
        "entity" => Effect::EraseEntity {
            id: EntityId::new(event.id.as_str()).ok()?,
        },
        "conversation" => Effect::EraseConversation {
            id: ConversationId::new(event.id.as_str()).ok()?,
        },
        "message" => {
            let (conversation, id) = event.id.split_once('\n')?;
            Effect::EraseMessage {
                conversation: ConversationId::new(conversation).ok()?,
                id: MessageId::new(id).ok()?,
            }
        }
        "document" => Effect::EraseDocument {
            id: DocumentId::new(event.id.as_str()).ok()?,
        },
        kind => Effect::EraseRecord {
            kind: RecordKind::parse(kind).filter(|kind| kind.is_audited())?,
            name: event.id.clone(),
        },
    })
}

fn blank() -> Content {
    Content::new("erased").expect("the word is a valid content")
}

pub(super) fn memory(id: MemoryId, stamp: &Stamp) -> Memory {
    let mut memory = Memory::new(NewMemory {
        id,
        key: None,
        content: blank(),
        category: Category::unsorted(),
        tier: Tier::Durable,
        confidence: Confidence::CERTAIN,
        origin: Origin::Import,
        trust: Origin::Import,
        source: None,
        conversation: None,
        message: None,
        learned_at: stamp.at,
        expires_at: None,
        project: None,
        evidence: Vec::new(),
    });
    memory.in_document = false;
    memory
}

pub(super) fn entity(id: &str, stamp: &Stamp) -> Option<Entity> {
    Some(Entity {
        id: EntityId::new(id).ok()?,
        kind: EntityKind::Place,
        name: EntityName::new("erased").ok()?,
        notes: None,
        added_at: stamp.at,
        revised_at: stamp.at,
        retired: false,
        in_document: false,
        trust: Origin::Import,
        mentions: Vec::new(),
    })
}

pub(super) fn mention(stamp: &Stamp) -> Mention {
    Mention {
        conversation: ConversationId::new("erased").expect("the word is a valid id"),
        message: MessageId::new("erased").expect("the word is a valid id"),
        at: stamp.at,
    }
}

pub(super) fn conversation(id: &str, stamp: &Stamp) -> Option<Conversation> {
    Some(Conversation {
        id: ConversationId::new(id).ok()?,
        title: None,
        began_at: stamp.at,
        touched_at: stamp.at,
        last_seq: 0,
    })
}

pub(super) fn message(id: &str, stamp: &Stamp) -> Option<Message> {
    let (conversation, id) = id.split_once('\n')?;
    Some(Message {
        conversation: ConversationId::new(conversation).ok()?,
        id: MessageId::new(id).ok()?,
        seq: 0,
        role: Role::System,
        content: MessageText::new("erased".to_owned()).ok()?,
        sender: None,
        at: stamp.at,
        metadata: None,
    })
}

pub(super) fn document(id: &str, stamp: &Stamp) -> Option<Effect> {
    let document = KnowledgeDocument {
        id: DocumentId::new(id).ok()?,
        source: "erased".to_owned(),
        title: None,
        digest: String::new(),
        chunks: 0,
        added_at: stamp.at,
        revised_at: stamp.at,
    };
    Some(Effect::Document {
        document,
        chunks: Vec::new(),
    })
}
