//! Memories as rows: put, many at once.

use std::collections::HashSet;

use recalld_memory::change::{Change, Effect};
use recalld_memory::memory::{Evidence, Memory, Standing};

use super::statement::Statement;
use super::write::{ROWS_MAX, Write};
use crate::checksum;

/// Counts the changes at the front that put memories, no memory twice, and no more than one
/// statement takes.
pub(super) fn run_length(changes: &[(i64, &Change)]) -> usize {
    let mut seen = HashSet::new();
    let is_next = |(_, change): &&(i64, &Change)| match &change.effect {
        Effect::Memory { memory, .. } => seen.insert(memory.id),
        _ => false,
    };
    changes.iter().take(ROWS_MAX).take_while(is_next).count()
}

impl Write<'_> {
    /// Puts memories, each another one.
    pub(super) fn put_memories(self, run: &[(i64, &Change)], statements: &mut Vec<Statement>) {
        let rows: Vec<(i64, &Memory)> = run
            .iter()
            .filter_map(|(ordinal, change)| match &change.effect {
                Effect::Memory { memory, .. } => Some((*ordinal, memory)),
                _ => None,
            })
            .collect();
        let ids: Vec<_> = rows.iter().map(|(_, memory)| memory.id.as_uuid()).collect();
        // Where one is there already, its state of until now becomes history.
        let keep = Statement::new(KEEP_VERSIONS).for_rows(ids.len());
        statements.push(keep.with(self.space).with(ids.clone()));
        statements.push(self.put_rows(&rows, ids));
    }

    fn put_rows(self, rows: &[(i64, &Memory)], ids: Vec<uuid::Uuid>) -> Statement {
        let retired = |memory: &Memory| match memory.standing {
            Standing::Active => (None, None),
            Standing::Retired { at, why } => (Some(at.as_microsecond()), Some(why.as_str())),
        };
        let evidence = column(rows, |memory| Evidence::stored(&memory.evidence));
        Statement::new(PUT)
            .for_rows(rows.len())
            .with(self.space)
            .with(self.revision)
            .with(ids)
            .with(rows.iter().map(|(ordinal, _)| *ordinal).collect::<Vec<_>>())
            .with(column(rows, |memory| i64::from(memory.version)))
            .with(column(rows, |memory| memory.key.as_ref().map(|key| key.as_str())))
            .with(column(rows, |memory| memory.content.as_str()))
            .with(column(rows, |memory| memory.category.as_str()))
            .with(column(rows, |memory| memory.tier.as_str()))
            .with(column(rows, |memory| memory.confidence.value()))
            .with(column(rows, |memory| memory.origin.as_str()))
            .with(column(rows, |memory| memory.trust.as_str()))
            .with(column(rows, |memory| {
                memory.source.as_ref().map(|source| source.as_str())
            }))
            .with(column(rows, |memory| {
                memory.conversation.as_ref().map(|id| id.as_str())
            }))
            .with(column(rows, |memory| {
                memory.message.as_ref().map(|id| id.as_str())
            }))
            .with(column(rows, |memory| memory.learned_at.as_microsecond()))
            .with(column(rows, |memory| memory.revised_at.as_microsecond()))
            .with(column(rows, |memory| {
                memory.expires_at.map(|at| at.as_microsecond())
            }))
            .with(column(rows, |memory| retired(memory).0))
            .with(column(rows, |memory| retired(memory).1))
            .with(column(rows, |memory| memory.in_document))
            .with(column(rows, |memory| memory.amends.map(|id| id.as_uuid())))
            .with(column(rows, |memory| {
                memory.period.from.map(|at| at.as_microsecond())
            }))
            .with(column(rows, |memory| {
                memory.period.until.map(|at| at.as_microsecond())
            }))
            .with(column(rows, |memory| {
                memory.period.superseded_by.map(|id| id.as_uuid())
            }))
            .with(column(rows, |memory| {
                memory.project.as_ref().map(|project| project.as_str())
            }))
            .with(evidence.iter().map(Option::as_deref).collect::<Vec<_>>())
            .with(column(rows, |memory| checksum::memory(self.space, memory)))
    }
}

/// One column of many rows.
fn column<'a, T>(rows: &[(i64, &'a Memory)], value: impl Fn(&'a Memory) -> T) -> Vec<T> {
    rows.iter().map(|(_, memory)| value(memory)).collect()
}

const KEEP_VERSIONS: &str = "
    INSERT INTO recalld.memory_versions
    SELECT * FROM recalld.memories m WHERE m.space = $1 AND m.id = ANY ($2)";

const PUT: &str = "
    INSERT INTO recalld.memories
        (space, revision, id, ordinal, version, key, content, category, tier, confidence, origin, trust, source,
         conversation, message, learned_at, revised_at, expires_at, retired_at, retired_why, in_document,
         amends, valid_from, valid_until, superseded_by, project, evidence, checksum)
    SELECT s.space, $2, each.* FROM recalld.spaces s, unnest(
        $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
        $23, $24, $25, $26, $27, $28) AS each
    WHERE s.space = $1
    ON CONFLICT (space, id) DO UPDATE SET
        revision = excluded.revision, ordinal = excluded.ordinal, version = excluded.version, key = excluded.key,
        content = excluded.content, category = excluded.category, tier = excluded.tier,
        confidence = excluded.confidence, origin = excluded.origin, trust = excluded.trust,
        source = excluded.source, conversation = excluded.conversation, message = excluded.message,
        learned_at = excluded.learned_at, revised_at = excluded.revised_at, expires_at = excluded.expires_at,
        retired_at = excluded.retired_at, retired_why = excluded.retired_why, in_document = excluded.in_document,
        amends = excluded.amends, valid_from = excluded.valid_from, valid_until = excluded.valid_until,
        superseded_by = excluded.superseded_by, project = excluded.project, evidence = excluded.evidence,
        checksum = excluded.checksum";
