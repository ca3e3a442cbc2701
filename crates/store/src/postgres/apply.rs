//! The only write: changes turned into statements, which a transaction sends together.
//!
//! Neighbours of one kind become one statement over many rows, so that a write of many thousand
//! changes is a few hundred statements.

use recalld_memory::change::{Change, Effect, Revision, Stamp};
use recalld_memory::entity::{Entity, Mention};
use recalld_memory::id::{EntityId, MemoryId, SpaceId};
use recalld_memory::ports::StoreError;

use super::ask::{Ask, number};
use super::memories;

/// How many rows one statement writes at the most.
pub(super) const ROWS_MAX: usize = 1000;

/// Gives the statement that takes a space from `expected` to `next`. It finds no row when the space
/// is elsewhere, or would begin in another era.
pub(super) fn advance(space: &SpaceId, expected: Revision, next: Revision) -> Ask {
    let (sql, condition) = match expected {
        Revision(0) => (BEGIN_SPACE, next.era()),
        _ => (ADVANCE_SPACE, expected.0),
    };
    Ask::new(sql)
        .with(space.as_str())
        .with(number(next.0))
        .with(number(condition))
}

/// Gives the statements that apply `changes` as the write `revision`.
pub(super) fn statements(
    space: &SpaceId,
    revision: Revision,
    changes: &[Change],
) -> Result<Vec<Ask>, StoreError> {
    let write = Write {
        space: space.as_str(),
        revision: number(revision.0),
    };
    let numbered: Vec<(i64, &Change)> = (0..).zip(changes).collect();
    let mut asks = write.log(&numbered);
    let mut rest = numbered.as_slice();
    while let Some((_, first)) = rest.first() {
        let (run, after) = match first.effect {
            Effect::Memory { .. } => rest.split_at(memories::run_length(rest)),
            _ => rest.split_at(1),
        };
        write.put(run, &mut asks)?;
        rest = after;
    }
    Ok(asks)
}

/// Where changes go: their space and their write.
#[derive(Clone, Copy)]
pub(super) struct Write<'a> {
    pub(super) space: &'a str,
    pub(super) revision: i64,
}

impl Write<'_> {
    /// Logs all audited changes. It can be done before they are made: none of them reads what later
    /// ones logged.
    fn log(self, changes: &[(i64, &Change)]) -> Vec<Ask> {
        let audited: Vec<_> = changes
            .iter()
            .filter(|(_, change)| change.effect.is_audited())
            .collect();
        audited.chunks(ROWS_MAX).map(|part| self.log_part(part)).collect()
    }

    fn log_part(self, changes: &[&(i64, &Change)]) -> Ask {
        let subjects: Vec<_> = changes
            .iter()
            .map(|(_, change)| change.effect.subject().parts())
            .collect();
        let stamps = || changes.iter().map(|(_, change)| &change.stamp);
        fn texts<'a>(
            stamps: impl Iterator<Item = &'a Stamp>,
            text: fn(&Stamp) -> Option<&str>,
        ) -> Vec<Option<&'a str>> {
            stamps.map(text).collect()
        }
        Ask::new(LOG)
            .with(self.space)
            .with(self.revision)
            .with(changes.iter().map(|(ordinal, _)| *ordinal).collect::<Vec<_>>())
            .with(
                stamps()
                    .map(|stamp| stamp.at.as_microsecond())
                    .collect::<Vec<_>>(),
            )
            .with(
                changes
                    .iter()
                    .map(|(_, change)| change.effect.verb())
                    .collect::<Vec<_>>(),
            )
            .with(subjects.iter().map(|(kind, _)| *kind).collect::<Vec<_>>())
            .with(
                subjects
                    .iter()
                    .map(|(_, subject)| subject.as_str())
                    .collect::<Vec<_>>(),
            )
            .with(stamps().map(|stamp| stamp.actor.as_str()).collect::<Vec<_>>())
            .with(texts(stamps(), |stamp| {
                stamp.conversation.as_ref().map(|id| id.as_str())
            }))
            .with(texts(stamps(), |stamp| {
                stamp.message.as_ref().map(|id| id.as_str())
            }))
            .with(texts(stamps(), |stamp| {
                stamp.source.as_ref().map(|source| source.as_str())
            }))
    }

    /// Puts a run of memories, or one change of another kind.
    fn put(self, run: &[(i64, &Change)], asks: &mut Vec<Ask>) -> Result<(), StoreError> {
        let Some((ordinal, change)) = run.first() else {
            return Ok(());
        };
        let ordinal = *ordinal;
        match &change.effect {
            Effect::Memory { .. } => self.put_memories(run, asks),
            Effect::EraseMemory { id } => self.erase_memory(*id, asks),
            Effect::Entity { entity, .. } => asks.push(self.put_entity(entity)),
            Effect::Mention { entity, mention } => self.add_mention(ordinal, entity, mention, asks),
            Effect::EraseEntity { id } => self.erase_entity(ordinal, id, asks),
            Effect::Record(record) => asks.push(self.put_record(record)?),
            Effect::EraseRecord { kind, name } => self.erase_record(ordinal, *kind, name, asks),
            Effect::Conversation(conversation) => asks.push(self.put_conversation(conversation)),
            Effect::EraseConversation { id } => self.erase_conversation(ordinal, id, asks),
            Effect::Message(message) => asks.push(self.put_message(message)?),
            Effect::EraseMessage { conversation, id } => self.erase_message(ordinal, conversation, id, asks),
            Effect::Document { document, chunks } => self.put_document(document, chunks, asks),
            Effect::EraseDocument { id } => self.erase_document(ordinal, id, asks),
            Effect::Vector(vector) => asks.push(self.put_vector(ordinal, vector)),
        }
        Ok(())
    }

    fn erase_memory(self, id: MemoryId, asks: &mut Vec<Ask>) {
        // That something was there, and when, remains; in which conversation, and why, does not.
        // Its earlier versions and its vectors go with it.
        for sql in [
            FORGET_CIRCUMSTANCES_OF_MEMORY,
            "DELETE FROM recalld.memories WHERE space = $1 AND id = $2",
        ] {
            asks.push(Ask::new(sql).with(self.space).with(id.as_uuid()));
        }
    }

    fn put_entity(self, entity: &Entity) -> Ask {
        Ask::new(PUT_ENTITY)
            .with(self.space)
            .with(entity.id.as_str())
            .with(self.revision)
            .with(entity.kind.as_str())
            .with(entity.name.as_str())
            .with(entity.notes.as_ref().map(|notes| notes.as_str()))
            .with(entity.added_at.as_microsecond())
            .with(entity.revised_at.as_microsecond())
            .with(entity.retired)
            .with(entity.in_document)
    }

    fn add_mention(self, ordinal: i64, entity: &EntityId, mention: &Mention, asks: &mut Vec<Ask>) {
        let add = Ask::new(ADD_MENTION)
            .with(self.space)
            .with(entity.as_str())
            .with(self.revision)
            .with(ordinal)
            .with(mention.conversation.as_str())
            .with(mention.message.as_str())
            .with(mention.at.as_microsecond());
        let touch = Ask::new("UPDATE recalld.entities SET revision = $3 WHERE space = $1 AND id = $2")
            .with(self.space)
            .with(entity.as_str())
            .with(self.revision);
        asks.extend([add, touch]);
    }

    fn erase_entity(self, ordinal: i64, id: &EntityId, asks: &mut Vec<Ask>) {
        // Its mentions go with it.
        asks.push(
            Ask::new("DELETE FROM recalld.entities WHERE space = $1 AND id = $2")
                .with(self.space)
                .with(id.as_str()),
        );
        asks.push(self.forget_circumstances(ordinal, "entity", id.as_str()));
    }

    /// Takes from the earlier events of what is erased, and is no memory, where it was said.
    pub(super) fn forget_circumstances(self, ordinal: i64, kind: &str, subject: &str) -> Ask {
        Ask::new(FORGET_CIRCUMSTANCES)
            .with(self.space)
            .with(kind)
            .with(subject)
            .with(self.revision)
            .with(ordinal)
    }
}

const BEGIN_SPACE: &str = "
    INSERT INTO recalld.spaces (space, revision) SELECT $1, $2 FROM recalld.eras WHERE era = $3
    ON CONFLICT DO NOTHING RETURNING revision";

const ADVANCE_SPACE: &str = "
    UPDATE recalld.spaces SET revision = $2 WHERE space = $1 AND revision = $3 RETURNING revision";

const LOG: &str = "
    INSERT INTO recalld.events (space, revision, ordinal, at, verb, kind, subject, actor, conversation, message, source)
    SELECT $1, $2, each.* FROM unnest($3, $4, $5, $6, $7, $8, $9, $10, $11) AS each";

const FORGET_CIRCUMSTANCES_OF_MEMORY: &str = "
    UPDATE recalld.events SET conversation = NULL, message = NULL, source = NULL
    WHERE space = $1 AND (revision, ordinal) IN (
        SELECT m.revision, m.ordinal FROM recalld.memories m WHERE m.space = $1 AND m.id = $2
        UNION ALL
        SELECT m.revision, m.ordinal FROM recalld.memory_versions m WHERE m.space = $1 AND m.id = $2)";

const PUT_ENTITY: &str = "
    INSERT INTO recalld.entities
        (space, id, revision, kind, name, notes, added_at, revised_at, retired, in_document)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    ON CONFLICT (space, id) DO UPDATE SET
        revision = excluded.revision, kind = excluded.kind, name = excluded.name, notes = excluded.notes,
        added_at = excluded.added_at, revised_at = excluded.revised_at, retired = excluded.retired,
        in_document = excluded.in_document";

const ADD_MENTION: &str = "
    INSERT INTO recalld.mentions (space, entity, revision, ordinal, conversation, message, at)
    VALUES ($1, $2, $3, $4, $5, $6, $7)";

const FORGET_CIRCUMSTANCES: &str = "
    UPDATE recalld.events SET conversation = NULL, message = NULL, source = NULL
    WHERE space = $1 AND kind = $2 AND subject = $3 AND (revision, ordinal) < ($4, $5)";
