//! Vectors: derived, so they are no events, and gone with what they stand for.

use recalld_index::model::EmbeddingModel;
use recalld_memory::change::Revision;
use recalld_memory::id::SpaceId;
use recalld_memory::ports::Embedded;
use recalld_memory::vector::{Vector, VectorKind, VectorSubject};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::apply::RowWriter;
use super::error::SqlResult;
use super::query::collect;
use super::{knowledge, rows};
use crate::checksum;

/// The bytes of one component.
const COMPONENT_BYTES: usize = size_of::<f32>();

impl RowWriter<'_> {
    /// Stores a vector, in place of an earlier one of the same model. A vector of something that
    /// does not exist is not stored: a slow model may answer after an erasure.
    pub(super) fn put_vector(self, vector: &Vector) -> SqlResult<()> {
        let components: Vec<u8> = vector.components.iter().flat_map(|c| c.to_le_bytes()).collect();
        let (name, dimension) = (&vector.model.name, vector.model.dimension);
        let (revision, digest) = (self.revision, vector.text_digest);
        let sum = checksum::vector(self.space, vector);
        match &vector.subject {
            VectorSubject::Memory(id) => {
                let id = id.as_uuid();
                let row = params![
                    self.space,
                    name,
                    dimension,
                    revision,
                    digest,
                    components,
                    sum,
                    id.as_bytes()
                ];
                self.connection.prepare_cached(PUT_OF_MEMORY)?.execute(row)?;
            }
            VectorSubject::Chunk(document, ordinal) => {
                let document = document.as_str();
                let row = params![
                    self.space, name, dimension, revision, digest, components, sum, document, ordinal
                ];
                self.connection.prepare_cached(PUT_OF_CHUNK)?.execute(row)?;
            }
            VectorSubject::Message(conversation, message) => {
                let (conversation, message) = (conversation.as_str(), message.as_str());
                let row = params![
                    self.space,
                    name,
                    dimension,
                    revision,
                    digest,
                    components,
                    sum,
                    conversation,
                    message
                ];
                self.connection.prepare_cached(PUT_OF_MESSAGE)?.execute(row)?;
            }
        }
        Ok(())
    }
}

/// Reads the vectors that one model made of one kind of things and that were stored after `since`.
pub(super) fn since(
    connection: &Connection,
    space: &SpaceId,
    model: &EmbeddingModel,
    kind: VectorKind,
    since: Revision,
) -> SqlResult<Vec<Vector>> {
    // Nothing was written after what is too late to be a number of SQLite.
    let since = i64::try_from(since.0).unwrap_or(i64::MAX);
    let asked = params![space.as_str(), model.name, model.dimension, since];
    let sql = match kind {
        VectorKind::Memory => SINCE_OF_MEMORIES,
        VectorKind::Chunk => SINCE_OF_CHUNKS,
        VectorKind::Message => SINCE_OF_MESSAGES,
    };
    let found = collect(connection, sql, asked, |row| vector(model, kind, row))?;
    Ok(found.into_iter().flatten().collect())
}

/// Counts what a model has made vectors of, and what it should have.
pub(super) fn embedded(connection: &Connection, model: &EmbeddingModel) -> SqlResult<Embedded> {
    let kept = connection.query_row(KEPT, params![model.name, model.dimension], |row| row.get(0))?;
    let wanted = connection.query_row(WANTED, [], |row| row.get(0))?;
    Ok(Embedded { kept, wanted })
}

/// Lists the models that made stored vectors.
pub(super) fn models(connection: &Connection) -> SqlResult<Vec<EmbeddingModel>> {
    let mut next = connection.prepare_cached(NEXT_MODEL)?;
    let mut found: Vec<EmbeddingModel> = Vec::new();
    // From one to the next, and never through the vectors of one.
    loop {
        let last = found
            .last()
            .map_or(("", 0), |model| (model.name.as_str(), model.dimension));
        let model = next.query_row(params![last.0, last.1], |row| {
            Ok(EmbeddingModel {
                name: row.get(0)?,
                dimension: row.get(1)?,
            })
        });
        match model.optional()? {
            Some(model) => found.push(model),
            None => return Ok(found),
        }
    }
}

/// Removes vectors of one model, at most `limit`.
pub(super) fn drop_of(connection: &Connection, model: &EmbeddingModel, limit: usize) -> SqlResult<usize> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    Ok(connection
        .prepare_cached(DROP)?
        .execute(params![model.name, model.dimension, limit])?)
}

/// Reads a vector of `model` from what names its subject in two columns, and `text_digest,
/// components, space, checksum`. None for a damaged one: it is made again, as if it were missing.
fn vector(model: &EmbeddingModel, kind: VectorKind, row: &Row<'_>) -> SqlResult<Option<Vector>> {
    let subject = match kind {
        VectorKind::Memory => VectorSubject::Memory(rows::memory_id(&row.get::<_, Vec<u8>>(0)?)?),
        VectorKind::Chunk => VectorSubject::Chunk(knowledge::document_id(row.get(0)?)?, row.get(1)?),
        VectorKind::Message => {
            let (conversation, message) = (row.get(0)?, row.get(1)?);
            VectorSubject::Message(rows::conversation_id(conversation)?, rows::message_id(message)?)
        }
    };
    let components = row.get_ref(3)?.as_blob().map_err(rusqlite::Error::from)?;
    let (components, rest) = components.as_chunks::<COMPONENT_BYTES>();
    if components.len() != model.dimension || !rest.is_empty() {
        return Err(rows::unreadable("a vector", &"it has not the model's dimension"));
    }
    let vector = Vector {
        subject,
        model: model.clone(),
        text_digest: row.get(2)?,
        components: components
            .iter()
            .map(|bytes| f32::from_le_bytes(*bytes))
            .collect(),
    };
    let sum = checksum::vector(rows::text(row, 4)?, &vector);
    Ok(checksum::is_sound("vectors", row.get(5)?, sum).then_some(vector))
}

const PUT_OF_MEMORY: &str = "
    INSERT INTO vectors (space, model, dimension, revision, text_digest, components, checksum, memory)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8 WHERE EXISTS (SELECT 1 FROM memories WHERE space = ?1 AND id = ?8)
    ON CONFLICT (space, memory, model, dimension) WHERE memory IS NOT NULL DO UPDATE SET
        revision = excluded.revision, text_digest = excluded.text_digest, components = excluded.components,
        checksum = excluded.checksum";

const PUT_OF_CHUNK: &str = "
    INSERT INTO vectors (space, model, dimension, revision, text_digest, components, checksum, document, chunk)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9
    WHERE EXISTS (SELECT 1 FROM chunks WHERE space = ?1 AND document = ?8 AND ordinal = ?9)
    ON CONFLICT (space, document, chunk, model, dimension) WHERE document IS NOT NULL DO UPDATE SET
        revision = excluded.revision, text_digest = excluded.text_digest, components = excluded.components,
        checksum = excluded.checksum";

const PUT_OF_MESSAGE: &str = "
    INSERT INTO vectors (space, model, dimension, revision, text_digest, components, checksum, conversation, message)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9
    WHERE EXISTS (SELECT 1 FROM messages WHERE space = ?1 AND conversation = ?8 AND id = ?9)
    ON CONFLICT (space, conversation, message, model, dimension) WHERE conversation IS NOT NULL DO UPDATE SET
        revision = excluded.revision, text_digest = excluded.text_digest, components = excluded.components,
        checksum = excluded.checksum";

const SINCE_OF_MEMORIES: &str = "
    SELECT memory, NULL, text_digest, components, space, checksum FROM vectors
    WHERE space = ?1 AND model = ?2 AND dimension = ?3 AND revision > ?4 AND memory IS NOT NULL
    ORDER BY revision, rowid";

const SINCE_OF_CHUNKS: &str = "
    SELECT document, chunk, text_digest, components, space, checksum FROM vectors
    WHERE space = ?1 AND model = ?2 AND dimension = ?3 AND revision > ?4 AND document IS NOT NULL
    ORDER BY revision, rowid";

const SINCE_OF_MESSAGES: &str = "
    SELECT conversation, message, text_digest, components, space, checksum FROM vectors
    WHERE space = ?1 AND model = ?2 AND dimension = ?3 AND revision > ?4 AND conversation IS NOT NULL
    ORDER BY revision, rowid";

const KEPT: &str = "SELECT count(*) FROM vectors WHERE model = ?1 AND dimension = ?2";

const WANTED: &str = "
    SELECT (SELECT count(*) FROM memories WHERE retired_at IS NULL)
         + (SELECT count(*) FROM messages WHERE role <> 'system')
         + (SELECT count(*) FROM chunks)";

const NEXT_MODEL: &str = "
    SELECT model, dimension FROM vectors WHERE (model, dimension) > (?1, ?2)
    ORDER BY model, dimension LIMIT 1";

const DROP: &str = "
    DELETE FROM vectors WHERE rowid IN (
        SELECT rowid FROM vectors WHERE model = ?1 AND dimension = ?2 LIMIT ?3)";
