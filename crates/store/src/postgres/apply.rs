//! The only write: converts changes to statements, which a transaction sends together.
//!
//! Adjacent memories become one statement over many rows, so a write of many thousand changes is a
//! few hundred statements.

use recalld_memory::change::{Change, Effect, Event, Revision, Stamp};
use recalld_memory::id::{MemoryId, SpaceId};
use recalld_memory::ports::StoreError;

use super::memories;
use super::statement::{Statement, number};
use super::write::{ROWS_MAX, Write};
use crate::checksum;

/// Returns the statements that move a space from `expected` to `next`. The last one returns a row
/// if it did. If the space is at another revision, or would begin in another era, one of them
/// fails, or the space is not there: what follows then has no effect.
pub(super) fn advance(space: &SpaceId, expected: Revision, next: Revision) -> Vec<Statement> {
    let moving = |sql| Statement::new(sql).with(space.as_str()).with(number(next.0));
    match expected {
        Revision(0) => vec![
            Statement::new(CHECK_ERA).with(number(next.era())),
            moving(BEGIN_SPACE),
        ],
        _ => vec![moving(ADVANCE_SPACE).with(number(expected.0))],
    }
}

/// Returns the statements that apply `changes` as the write `revision`.
pub(super) fn statements(
    space: &SpaceId,
    revision: Revision,
    changes: &[Change],
) -> Result<Vec<Statement>, StoreError> {
    let write = Write {
        space: space.as_str(),
        revision: number(revision.0),
    };
    let numbered: Vec<(i64, &Change)> = (0..).zip(changes).collect();
    let mut statements = write.log(&numbered);
    let mut rest = numbered.as_slice();
    while let Some((_, first)) = rest.first() {
        let (run, after) = match first.effect {
            Effect::Memory { .. } => rest.split_at(memories::run_length(rest)),
            _ => rest.split_at(1),
        };
        write.put(run, &mut statements)?;
        rest = after;
    }
    Ok(statements)
}

impl Write<'_> {
    /// Logs all audited changes. It can be done before they are made: none of them reads what later
    /// ones logged.
    fn log(self, changes: &[(i64, &Change)]) -> Vec<Statement> {
        let audited: Vec<_> = changes
            .iter()
            .filter(|(_, change)| change.effect.is_audited())
            .collect();
        audited.chunks(ROWS_MAX).map(|part| self.log_part(part)).collect()
    }

    fn log_part(self, changes: &[&(i64, &Change)]) -> Statement {
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
        Statement::new(LOG)
            .for_rows(changes.len())
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
            .with(
                changes
                    .iter()
                    .map(|(ordinal, change)| self.checksum_of(*ordinal, change))
                    .collect::<Vec<_>>(),
            )
    }

    fn checksum_of(self, ordinal: i64, change: &Change) -> i64 {
        let (kind, subject) = change.effect.subject().parts();
        let event = Event {
            revision: Revision(u64::try_from(self.revision).unwrap_or(0)),
            ordinal: u32::try_from(ordinal).unwrap_or(u32::MAX),
            verb: change.effect.verb().to_owned(),
            subject: (kind.to_owned(), subject),
            stamp: change.stamp.clone(),
        };
        checksum::event(self.space, &event)
    }

    /// Puts a run of memories, or one change of another kind.
    fn put(self, run: &[(i64, &Change)], statements: &mut Vec<Statement>) -> Result<(), StoreError> {
        let Some((ordinal, change)) = run.first() else {
            return Ok(());
        };
        let ordinal = *ordinal;
        match &change.effect {
            Effect::Memory { .. } => self.put_memories(run, statements),
            Effect::EraseMemory { id } => self.erase_memory(*id, statements),
            Effect::Entity { entity, .. } => statements.push(self.put_entity(entity)),
            Effect::Mention { entity, mention } => self.add_mention(ordinal, entity, mention, statements),
            Effect::EraseEntity { id } => self.erase_entity(ordinal, id, statements),
            Effect::Record(record) => statements.push(self.put_record(record)?),
            Effect::EraseRecord { kind, name } => self.erase_record(ordinal, *kind, name, statements),
            Effect::Conversation(conversation) => statements.push(self.put_conversation(conversation)),
            Effect::EraseConversation { id } => self.erase_conversation(ordinal, id, statements),
            Effect::Message(message) => statements.push(self.put_message(message)?),
            Effect::EraseMessage { conversation, id } => {
                self.erase_message(ordinal, conversation, id, statements)
            }
            Effect::Document { document, chunks } => self.put_document(document, chunks, statements),
            Effect::EraseDocument { id } => self.erase_document(ordinal, id, statements),
            Effect::Vector(vector) => statements.push(self.put_vector(ordinal, vector)),
        }
        Ok(())
    }

    fn erase_memory(self, id: MemoryId, statements: &mut Vec<Statement>) {
        // That something was there, and when, remains; in which conversation, and why, does not.
        // Its earlier versions and its vectors go with it.
        for sql in [
            FORGET_CIRCUMSTANCES_OF_MEMORY,
            "DELETE FROM recalld.memories WHERE space = $1 AND id = $2",
        ] {
            statements.push(Statement::new(sql).with(self.space).with(id.as_uuid()));
        }
    }
}

// These fail with a division by zero, whose message names nobody, instead of doing nothing: so what
// is sent after them needs no look at their result.
const CHECK_ERA: &str = "SELECT 1 / CASE WHEN era = $1 THEN 1 ELSE 0 END FROM recalld.eras";

const BEGIN_SPACE: &str = "
    INSERT INTO recalld.spaces (space, revision) VALUES ($1, $2)
    ON CONFLICT (space) DO UPDATE SET revision = excluded.revision / 0 RETURNING revision";

const ADVANCE_SPACE: &str = "
    UPDATE recalld.spaces SET revision = $2 / CASE WHEN revision = $3 THEN 1 ELSE 0 END
    WHERE space = $1 RETURNING revision";

// Rows come from the space's own row, which keeps a distributed database on the node that has it.
const LOG: &str = "
    INSERT INTO recalld.events (space, revision, ordinal, at, verb, kind, subject, actor, conversation, message, source,
        checksum)
    SELECT s.space, $2, each.* FROM recalld.spaces s,
        unnest($3, $4, $5, $6, $7, $8, $9, $10, $11, $12) AS each
    WHERE s.space = $1";

const FORGET_CIRCUMSTANCES_OF_MEMORY: &str = "
    UPDATE recalld.events SET conversation = NULL, message = NULL, source = NULL, checksum = NULL
    WHERE space = $1 AND (revision, ordinal) IN (
        SELECT m.revision, m.ordinal FROM recalld.memories m WHERE m.space = $1 AND m.id = $2
        UNION ALL
        SELECT m.revision, m.ordinal FROM recalld.memory_versions m WHERE m.space = $1 AND m.id = $2)";
