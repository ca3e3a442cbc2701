//! Documents of the knowledge base and their chunks.

use recalld_memory::change::Revision;
use recalld_memory::id::{DocumentId, SpaceId};
use recalld_memory::knowledge::{Chunk, KnowledgeDocument};
use recalld_memory::ports::ChangedKnowledge;
use rusqlite::{Connection, Row, params};

use super::apply::RowWriter;
use super::error::SqlResult;
use super::query::{collect, revision};
use super::rows;
use crate::checksum;
use crate::chunks::with_chunks;

impl RowWriter<'_> {
    pub(super) fn put_document(self, document: &KnowledgeDocument, chunks: &[Chunk]) -> SqlResult<()> {
        self.connection.prepare_cached(PUT)?.execute(params![
            self.space,
            document.id.as_str(),
            self.revision,
            document.source,
            document.title,
            document.digest,
            document.chunks,
            document.added_at.as_microsecond(),
            document.revised_at.as_microsecond(),
            checksum::document(self.space, document),
        ])?;
        // Their vectors go with them.
        self.connection
            .prepare_cached("DELETE FROM chunks WHERE space = ?1 AND document = ?2")?
            .execute(params![self.space, document.id.as_str()])?;
        let mut put = self.connection.prepare_cached(
            "INSERT INTO chunks (space, document, ordinal, heading, content, checksum)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?;
        for chunk in chunks {
            put.execute(params![
                self.space,
                document.id.as_str(),
                chunk.ordinal,
                chunk.heading,
                chunk.content,
                checksum::chunk(self.space, chunk),
            ])?;
        }
        Ok(())
    }

    pub(super) fn erase_document(self, id: &DocumentId) -> SqlResult<()> {
        // Its chunks and their vectors go with it.
        self.connection
            .prepare_cached("DELETE FROM documents WHERE space = ?1 AND id = ?2")?
            .execute(params![self.space, id.as_str()])?;
        self.redact_events("document", id.as_str().as_bytes())
    }
}

/// Reads the documents that changed after `since` with all their chunks, all as of one moment.
pub(super) fn changed_since(
    connection: &Connection,
    space: &SpaceId,
    since: Revision,
) -> SqlResult<ChangedKnowledge> {
    let moment = connection.unchecked_transaction()?;
    let revision = revision(&moment, space)?;
    if revision <= since {
        return Ok(ChangedKnowledge {
            revision,
            ..ChangedKnowledge::default()
        });
    }
    let after = params![space.as_str(), since.0];
    Ok(ChangedKnowledge {
        revision,
        documents: with_chunks(
            collect(&moment, CHANGED, after, document)?,
            collect(&moment, CHANGED_CHUNKS, after, chunk)?,
        ),
        erased: collect(&moment, ERASED, after, |row| document_id(row.get(0)?))?,
    })
}

/// Reads the id of a document.
pub(super) fn document_id(raw: String) -> SqlResult<DocumentId> {
    DocumentId::new(raw).map_err(|e| rows::unreadable("the id of a document", &e))
}

/// Reads a document from `id, source, title, digest, chunks, added_at, revised_at, space,
/// checksum`.
fn document(row: &Row<'_>) -> SqlResult<KnowledgeDocument> {
    let document = KnowledgeDocument {
        id: document_id(row.get(0)?)?,
        source: row.get(1)?,
        title: row.get(2)?,
        digest: row.get(3)?,
        chunks: row.get(4)?,
        added_at: rows::time(row.get(5)?)?,
        revised_at: rows::time(row.get(6)?)?,
    };
    let sum = checksum::document(rows::text(row, 7)?, &document);
    checksum::verify("documents", &document.id, row.get(8)?, sum)?;
    Ok(document)
}

/// Reads a chunk from `document, ordinal, heading, content, space, checksum`.
fn chunk(row: &Row<'_>) -> SqlResult<Chunk> {
    let chunk = Chunk {
        document: document_id(row.get(0)?)?,
        ordinal: row.get(1)?,
        heading: row.get(2)?,
        content: row.get(3)?,
    };
    let sum = checksum::chunk(rows::text(row, 4)?, &chunk);
    checksum::verify("chunks", &chunk.document, row.get(5)?, sum)?;
    Ok(chunk)
}

const PUT: &str = "
    INSERT INTO documents (space, id, revision, source, title, digest, chunks, added_at, revised_at, checksum)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
    ON CONFLICT (space, id) DO UPDATE SET
        revision = excluded.revision, source = excluded.source, title = excluded.title, digest = excluded.digest,
        chunks = excluded.chunks, added_at = excluded.added_at, revised_at = excluded.revised_at,
        checksum = excluded.checksum";

const CHANGED: &str = "
    SELECT id, source, title, digest, chunks, added_at, revised_at, space, checksum FROM documents
    WHERE space = ?1 AND revision > ?2 ORDER BY added_at, id";

const CHANGED_CHUNKS: &str = "
    SELECT document, ordinal, heading, content, space, checksum FROM chunks
    WHERE space = ?1 AND document IN (SELECT id FROM documents WHERE space = ?1 AND revision > ?2)
    ORDER BY document, ordinal";

const ERASED: &str = "
    SELECT DISTINCT CAST(e.subject AS TEXT) AS erased FROM events e INDEXED BY events_of_erasure
    WHERE e.space = ?1 AND e.revision > ?2 AND e.verb = 'erase' AND e.kind = 'document'
      AND NOT EXISTS (SELECT 1 FROM documents d WHERE d.space = ?1 AND d.id = CAST(e.subject AS TEXT))
    ORDER BY erased";
