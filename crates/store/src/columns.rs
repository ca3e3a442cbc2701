//! The columns that both stores read in the same order.

/// The columns that a memory is read from, of the table or alias `m`.
macro_rules! memory_columns {
    () => {
        "m.id, m.version, m.key, m.content, m.category, m.tier, m.confidence, m.origin, m.trust, m.source, \
         m.conversation, m.message, m.learned_at, m.revised_at, m.expires_at, m.retired_at, m.retired_why, \
         m.in_document"
    };
}

/// The columns that an event is read from, of the table or alias `e`.
macro_rules! event_columns {
    () => {
        "e.verb, e.at, e.actor, e.conversation, e.message, e.source, e.revision, e.ordinal, e.kind, e.subject"
    };
}

/// The place of the first event column behind those of a memory.
pub(crate) const EVENT_AFTER_MEMORY: usize = 18;

pub(crate) use {event_columns, memory_columns};
