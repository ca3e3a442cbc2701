//! Vectors: derived, so they are no events, and gone with what they stand for.

use recalld_memory::change::Revision;
use recalld_memory::id::SpaceId;
use recalld_memory::ports::EmbeddingModel;
use recalld_memory::vector::{Vector, VectorSubject};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::apply::Place;
use super::error::Answer;
use super::questions::collect;
use super::{knowledge, rows};

/// The bytes of one component.
const COMPONENT_BYTES: usize = size_of::<f32>();

impl Place<'_> {
    /// Keeps a vector in place of the one that the same model made before. A vector of what is not there is not
    /// kept: a slow model may answer after the erasure.
    pub(super) fn put_vector(self, vector: &Vector) -> Answer<()> {
        let components: Vec<u8> = vector.components.iter().flat_map(|c| c.to_le_bytes()).collect();
        let (name, dimension) = (&vector.model.name, vector.model.dimension);
        let (revision, digest) = (self.revision, vector.text_digest);
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
                    id.as_bytes()
                ];
                self.connection.prepare_cached(PUT_OF_MEMORY)?.execute(row)?;
            }
            VectorSubject::Chunk(document, ordinal) => {
                let document = document.as_str();
                let row = params![
                    self.space, name, dimension, revision, digest, components, document, ordinal
                ];
                self.connection.prepare_cached(PUT_OF_CHUNK)?.execute(row)?;
            }
        }
        Ok(())
    }
}

/// Reads the vectors of one model that were kept after `since`.
pub(super) fn since(
    connection: &Connection,
    space: &SpaceId,
    model: &EmbeddingModel,
    since: Revision,
) -> Answer<Vec<Vector>> {
    // Nothing was written after what is too late to be a number of SQLite.
    let since = i64::try_from(since.0).unwrap_or(i64::MAX);
    let asked = params![space.as_str(), model.name, model.dimension, since];
    collect(connection, SINCE, asked, |row| vector(model, row))
}

/// Names the models that vectors are kept of.
pub(super) fn models(connection: &Connection) -> Answer<Vec<EmbeddingModel>> {
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
pub(super) fn drop_of(connection: &Connection, model: &EmbeddingModel, limit: usize) -> Answer<usize> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    Ok(connection
        .prepare_cached(DROP)?
        .execute(params![model.name, model.dimension, limit])?)
}

/// Reads a vector of `model` from `memory, document, chunk, text_digest, components`.
fn vector(model: &EmbeddingModel, row: &Row<'_>) -> Answer<Vector> {
    let subject = match row.get::<_, Option<Vec<u8>>>(0)? {
        Some(memory) => VectorSubject::Memory(rows::memory_id(&memory)?),
        None => VectorSubject::Chunk(knowledge::document_id(row.get(1)?)?, row.get(2)?),
    };
    let components = row.get_ref(4)?.as_blob().map_err(rusqlite::Error::from)?;
    let (components, rest) = components.as_chunks::<COMPONENT_BYTES>();
    if components.len() != model.dimension || !rest.is_empty() {
        return Err(rows::unreadable("a vector", &"it has not the model's dimension"));
    }
    Ok(Vector {
        subject,
        model: model.clone(),
        text_digest: row.get(3)?,
        components: components
            .iter()
            .map(|bytes| f32::from_le_bytes(*bytes))
            .collect(),
    })
}

const PUT_OF_MEMORY: &str = "
    INSERT INTO vectors (space, model, dimension, revision, text_digest, components, memory)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE EXISTS (SELECT 1 FROM memories WHERE space = ?1 AND id = ?7)
    ON CONFLICT (space, memory, model, dimension) WHERE memory IS NOT NULL DO UPDATE SET
        revision = excluded.revision, text_digest = excluded.text_digest, components = excluded.components";

const PUT_OF_CHUNK: &str = "
    INSERT INTO vectors (space, model, dimension, revision, text_digest, components, document, chunk)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8
    WHERE EXISTS (SELECT 1 FROM chunks WHERE space = ?1 AND document = ?7 AND ordinal = ?8)
    ON CONFLICT (space, document, chunk, model, dimension) WHERE document IS NOT NULL DO UPDATE SET
        revision = excluded.revision, text_digest = excluded.text_digest, components = excluded.components";

const SINCE: &str = "
    SELECT memory, document, chunk, text_digest, components FROM vectors
    WHERE space = ?1 AND model = ?2 AND dimension = ?3 AND revision > ?4 ORDER BY revision, rowid";

const NEXT_MODEL: &str = "
    SELECT model, dimension FROM vectors WHERE (model, dimension) > (?1, ?2)
    ORDER BY model, dimension LIMIT 1";

const DROP: &str = "
    DELETE FROM vectors WHERE rowid IN (
        SELECT rowid FROM vectors WHERE model = ?1 AND dimension = ?2 LIMIT ?3)";
