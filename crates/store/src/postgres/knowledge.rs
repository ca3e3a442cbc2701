//! Documents of the knowledge base and their chunks.

use recalld_memory::change::Revision;
use recalld_memory::id::{DocumentId, SpaceId};
use recalld_memory::knowledge::{Chunk, KnowledgeDocument};
use recalld_memory::ports::ChangedKnowledge;
use tokio_postgres::Row;

use super::error::DbResult;
use super::pipeline::ResultSets;
use super::queries::{read_revision, revision};
use super::rows::{self, each, get};
use super::statement::{Statement, number};
use super::write::{ROWS_MAX, Write};
use crate::checksum;
use crate::chunks::with_chunks;

impl Write<'_> {
    pub(super) fn put_document(
        self,
        document: &KnowledgeDocument,
        chunks: &[Chunk],
        statements: &mut Vec<Statement>,
    ) {
        let put = Statement::new(PUT)
            .with(self.space)
            .with(document.id.as_str())
            .with(self.revision)
            .with(document.source.as_str())
            .with(document.title.as_deref())
            .with(document.digest.as_str())
            .with(i64::from(document.chunks))
            .with(document.added_at.as_microsecond())
            .with(document.revised_at.as_microsecond())
            .with(checksum::document(self.space, document));
        // Their vectors go with them.
        let clear = Statement::new("DELETE FROM recalld.chunks WHERE space = $1 AND document = $2")
            .with(self.space)
            .with(document.id.as_str());
        statements.extend([put, clear]);
        statements.extend(chunks.chunks(ROWS_MAX).map(|part| {
            Statement::new(PUT_CHUNKS)
                .for_rows(part.len())
                .with(self.space)
                .with(document.id.as_str())
                .with(
                    part.iter()
                        .map(|chunk| i64::from(chunk.ordinal))
                        .collect::<Vec<_>>(),
                )
                .with(
                    part.iter()
                        .map(|chunk| chunk.heading.as_deref())
                        .collect::<Vec<_>>(),
                )
                .with(
                    part.iter()
                        .map(|chunk| chunk.content.as_str())
                        .collect::<Vec<_>>(),
                )
                .with(
                    part.iter()
                        .map(|chunk| checksum::chunk(self.space, chunk))
                        .collect::<Vec<_>>(),
                )
        }));
    }

    pub(super) fn erase_document(self, ordinal: i64, id: &DocumentId, statements: &mut Vec<Statement>) {
        // Its chunks and their vectors go with it.
        statements.push(
            Statement::new("DELETE FROM recalld.documents WHERE space = $1 AND id = $2")
                .with(self.space)
                .with(id.as_str()),
        );
        statements.push(self.forget_circumstances(ordinal, "document", id.as_str()));
    }
}

/// Asks for the documents that changed after `since` with all their chunks.
pub(super) fn changed_since(space: &SpaceId, since: Revision) -> Vec<Statement> {
    let after = |sql| Statement::new(sql).with(space.as_str()).with(number(since.0));
    vec![
        revision(space),
        after(CHANGED),
        after(CHANGED_CHUNKS),
        after(ERASED),
    ]
}

/// Reads what [`changed_since`] found.
pub(super) fn read_changed(found: &ResultSets, since: Revision) -> DbResult<ChangedKnowledge> {
    let revision = read_revision(&found[0])?;
    if revision <= since {
        return Ok(ChangedKnowledge {
            revision,
            ..ChangedKnowledge::default()
        });
    }
    Ok(ChangedKnowledge {
        revision,
        documents: with_chunks(each(&found[1], document)?, each(&found[2], chunk)?),
        erased: each(&found[3], |row| document_id(get(row, 0)?))?,
    })
}

/// Reads the id of a document.
pub(super) fn document_id(raw: String) -> DbResult<DocumentId> {
    DocumentId::new(raw).map_err(|e| rows::unreadable("the id of a document", &e))
}

/// Reads a document from `id, source, title, digest, chunks, added_at, revised_at, space,
/// checksum`.
fn document(row: &Row) -> DbResult<KnowledgeDocument> {
    let document = KnowledgeDocument {
        id: document_id(get(row, 0)?)?,
        source: get(row, 1)?,
        title: get(row, 2)?,
        digest: get(row, 3)?,
        chunks: rows::small(row, 4)?,
        added_at: rows::time(get(row, 5)?)?,
        revised_at: rows::time(get(row, 6)?)?,
    };
    let sum = checksum::document(get(row, 7)?, &document);
    checksum::verify("documents", &document.id, get(row, 8)?, sum)?;
    Ok(document)
}

/// Reads a chunk from `document, ordinal, heading, content, space, checksum`.
fn chunk(row: &Row) -> DbResult<Chunk> {
    let chunk = Chunk {
        document: document_id(get(row, 0)?)?,
        ordinal: rows::small(row, 1)?,
        heading: get(row, 2)?,
        content: get(row, 3)?,
    };
    let sum = checksum::chunk(get(row, 4)?, &chunk);
    checksum::verify("chunks", &chunk.document, get(row, 5)?, sum)?;
    Ok(chunk)
}

const PUT: &str = "
    INSERT INTO recalld.documents (space, id, revision, source, title, digest, chunks, added_at, revised_at,
        checksum)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    ON CONFLICT (space, id) DO UPDATE SET
        revision = excluded.revision, source = excluded.source, title = excluded.title, digest = excluded.digest,
        chunks = excluded.chunks, added_at = excluded.added_at, revised_at = excluded.revised_at,
        checksum = excluded.checksum";

const PUT_CHUNKS: &str = "
    INSERT INTO recalld.chunks (space, document, ordinal, heading, content, checksum)
    SELECT s.space, $2, each.* FROM recalld.spaces s, unnest($3, $4, $5, $6) AS each WHERE s.space = $1";

const CHANGED: &str = "
    SELECT id, source, title, digest, chunks, added_at, revised_at, space, checksum FROM recalld.documents
    WHERE space = $1 AND revision > $2 ORDER BY added_at, id";

const CHANGED_CHUNKS: &str = "
    SELECT m.document, m.ordinal, m.heading, m.content, m.space, m.checksum FROM recalld.documents e
    JOIN recalld.chunks m ON m.space = $1 AND m.document = e.id
    WHERE e.space = $1 AND e.revision > $2 ORDER BY m.document, m.ordinal";

const ERASED: &str = "
    SELECT DISTINCT e.subject FROM recalld.events e
    WHERE e.space = $1 AND e.revision > $2 AND e.verb = 'erase' AND e.kind = 'document'
      AND NOT EXISTS (SELECT FROM recalld.documents m WHERE m.space = $1 AND m.id = e.subject)
    ORDER BY e.subject";
