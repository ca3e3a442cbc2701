//! Secrets do not come in with an import: a memory that holds one is refused, and in everything
//! else they are redacted, as with every other way in.

use recalld_memory::change::Version;
use recalld_memory::conversation::Conversation;
use recalld_memory::entity::Entity;
use recalld_memory::knowledge::{Chunk, KnowledgeDocument};
use recalld_memory::screening::secrets;

/// Tells whether a memory looks like it holds a secret.
pub(super) fn holds_secret(version: &Version) -> bool {
    let memory = &version.memory;
    let key = memory.key.as_ref().map(|key| key.as_str());
    let source = memory.source.as_ref().map(|source| source.as_str());
    let named = key.and_then(|key| secrets::find_named(key, memory.content.as_str()));
    named.is_some()
        || [Some(memory.content.as_str()), key, source]
            .into_iter()
            .flatten()
            .any(|text| secrets::find(text).is_some())
}

/// Tells whether the name of an entity is a secret.
pub(super) fn is_secret_name(entity: &Entity) -> bool {
    secrets::find(entity.name.as_str()).is_some()
}

/// Removes the notes of an entity if they hold a secret.
pub(super) fn redact_entity(entity: &mut Entity) {
    let notes = entity.notes.take();
    entity.notes = notes.filter(|notes| secrets::find(notes.as_str()).is_none());
}

/// Redacts the title of a conversation.
pub(super) fn redact_conversation(conversation: &mut Conversation) {
    redact_title(&mut conversation.title);
}

/// Redacts the title and the text of a document.
pub(super) fn redact_document(document: &mut KnowledgeDocument, chunks: &mut [Chunk]) {
    redact_title(&mut document.title);
    for chunk in chunks {
        chunk.content = secrets::redact(&chunk.content).into_owned();
    }
}

fn redact_title(title: &mut Option<String>) {
    if let Some(title) = title {
        *title = secrets::redact(title).into_owned();
    }
}
