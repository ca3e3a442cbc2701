//! Vectors: derived, so they are no events, and gone with what they stand for.

use recalld_index::model::EmbeddingModel;
use recalld_memory::change::Revision;
use recalld_memory::id::SpaceId;
use recalld_memory::ports::Embedded;
use recalld_memory::vector::{Vector, VectorKind, VectorSubject};
use tokio_postgres::Row;

use super::error::DbResult;
use super::knowledge;
use super::rows::{self, get};
use super::statement::{Statement, limit, number};
use super::write::Write;
use crate::checksum;

impl Write<'_> {
    /// Keeps a vector in place of the one that the same model made before. A vector of what is not
    /// there is not kept: a slow model may answer after the erasure.
    pub(super) fn put_vector(self, ordinal: i64, vector: &Vector) -> Statement {
        let put = |sql| {
            Statement::new(sql)
                .with(self.space)
                .with(vector.model.name.as_str())
                .with(dimension(&vector.model))
                .with(self.revision)
                .with(ordinal)
                .with(vector.text_digest.to_vec())
                .with(vector.components.clone())
                .with(checksum::vector(self.space, vector))
        };
        match &vector.subject {
            VectorSubject::Memory(id) => put(PUT_OF_MEMORY).with(id.as_uuid()),
            VectorSubject::Chunk(document, ordinal) => put(PUT_OF_CHUNK)
                .with(document.as_str())
                .with(i64::from(*ordinal)),
            VectorSubject::Message(conversation, message) => put(PUT_OF_MESSAGE)
                .with(conversation.as_str())
                .with(message.as_str()),
        }
    }
}

/// Asks for the vectors that one model made of one kind of things and that were kept after `since`.
pub(super) fn since(space: &SpaceId, model: &EmbeddingModel, kind: VectorKind, since: Revision) -> Statement {
    let sql = match kind {
        VectorKind::Memory => SINCE_OF_MEMORIES,
        VectorKind::Chunk => SINCE_OF_CHUNKS,
        VectorKind::Message => SINCE_OF_MESSAGES,
    };
    Statement::new(sql)
        .with(space.as_str())
        .with(model.name.as_str())
        .with(dimension(model))
        .with(number(since.0))
}

/// Asks how much a model has made vectors of, and how much it should have.
pub(super) fn embedded(model: &EmbeddingModel) -> Statement {
    Statement::new(EMBEDDED)
        .with(model.name.as_str())
        .with(dimension(model))
}

/// Reads what [`embedded`] found.
pub(super) fn read_embedded(rows: &[Row]) -> DbResult<Embedded> {
    let Some(row) = rows.first() else {
        return Ok(Embedded::default());
    };
    Ok(Embedded {
        kept: rows::large(row, 0)?,
        wanted: rows::large(row, 1)?,
    })
}

/// Removes vectors of all models but these, at most `most`.
pub(super) fn drop_but(models: &[EmbeddingModel], most: usize) -> Statement {
    Statement::new(DROP)
        .with(models.iter().map(|model| model.name.as_str()).collect::<Vec<_>>())
        .with(models.iter().map(dimension).collect::<Vec<_>>())
        .with(limit(most))
}

/// Reads a vector of `model` from what names its subject in two columns, and `text_digest,
/// components, space, checksum`. None for a damaged one: it is made again, as if it were missing.
pub(super) fn vector(model: &EmbeddingModel, kind: VectorKind, row: &Row) -> DbResult<Option<Vector>> {
    let subject = match kind {
        VectorKind::Memory => VectorSubject::Memory(rows::memory_id(row, 0)?),
        VectorKind::Chunk => {
            VectorSubject::Chunk(knowledge::document_id(get(row, 0)?)?, rows::small(row, 1)?)
        }
        VectorKind::Message => VectorSubject::Message(
            rows::conversation_id(get(row, 0)?)?,
            rows::message_id(get(row, 1)?)?,
        ),
    };
    let digest: &[u8] = get(row, 2)?;
    let components: Vec<f32> = get(row, 3)?;
    if components.len() != model.dimension {
        return Err(rows::unreadable("a vector", &"it has not the model's dimension"));
    }
    let vector = Vector {
        subject,
        model: model.clone(),
        text_digest: digest
            .try_into()
            .map_err(|e| rows::unreadable("the digest of a vector", &e))?,
        components,
    };
    let sum = checksum::vector(get(row, 4)?, &vector);
    Ok(checksum::is_sound("vectors", get(row, 5)?, sum).then_some(vector))
}

fn dimension(model: &EmbeddingModel) -> i64 {
    limit(model.dimension)
}

const PUT_OF_MEMORY: &str = "
    INSERT INTO recalld.vectors (space, model, dimension, revision, ordinal, text_digest, components, checksum,
        memory)
    SELECT m.space, $2, $3, $4, $5, $6, $7, $8, $9
    FROM recalld.memories m WHERE m.space = $1 AND m.id = $9
    ON CONFLICT (space, memory, model, dimension) WHERE memory IS NOT NULL DO UPDATE SET
        revision = excluded.revision, ordinal = excluded.ordinal, text_digest = excluded.text_digest,
        components = excluded.components, checksum = excluded.checksum";

const PUT_OF_CHUNK: &str = "
    INSERT INTO recalld.vectors
        (space, model, dimension, revision, ordinal, text_digest, components, checksum, document, chunk)
    SELECT m.space, $2, $3, $4, $5, $6, $7, $8, $9, $10
    FROM recalld.chunks m WHERE m.space = $1 AND m.document = $9 AND m.ordinal = $10
    ON CONFLICT (space, document, chunk, model, dimension) WHERE document IS NOT NULL DO UPDATE SET
        revision = excluded.revision, ordinal = excluded.ordinal, text_digest = excluded.text_digest,
        components = excluded.components, checksum = excluded.checksum";

const PUT_OF_MESSAGE: &str = "
    INSERT INTO recalld.vectors
        (space, model, dimension, revision, ordinal, text_digest, components, checksum, conversation, message)
    SELECT m.space, $2, $3, $4, $5, $6, $7, $8, $9, $10
    FROM recalld.messages m WHERE m.space = $1 AND m.conversation = $9 AND m.id = $10
    ON CONFLICT (space, conversation, message, model, dimension) WHERE conversation IS NOT NULL DO UPDATE SET
        revision = excluded.revision, ordinal = excluded.ordinal, text_digest = excluded.text_digest,
        components = excluded.components, checksum = excluded.checksum";

const SINCE_OF_MEMORIES: &str = "
    SELECT memory, NULL, text_digest, components, space, checksum FROM recalld.vectors
    WHERE space = $1 AND model = $2 AND dimension = $3 AND revision > $4 AND memory IS NOT NULL
    ORDER BY revision, ordinal";

const SINCE_OF_CHUNKS: &str = "
    SELECT document, chunk, text_digest, components, space, checksum FROM recalld.vectors
    WHERE space = $1 AND model = $2 AND dimension = $3 AND revision > $4 AND document IS NOT NULL
    ORDER BY revision, ordinal";

const SINCE_OF_MESSAGES: &str = "
    SELECT conversation, message, text_digest, components, space, checksum FROM recalld.vectors
    WHERE space = $1 AND model = $2 AND dimension = $3 AND revision > $4 AND conversation IS NOT NULL
    ORDER BY revision, ordinal";

const EMBEDDED: &str = "
    SELECT (SELECT count(*) FROM recalld.vectors WHERE model = $1 AND dimension = $2),
           (SELECT count(*) FROM recalld.memories WHERE retired_at IS NULL)
         + (SELECT count(*) FROM recalld.messages WHERE role <> 'system')
         + (SELECT count(*) FROM recalld.chunks)";

// By key: positions (ctid) repeat in the partitions of a table. A write gives each of its vectors
// another ordinal.
const DROP: &str = "
    DELETE FROM recalld.vectors v USING (
        SELECT u.space, u.model, u.dimension, u.revision, u.ordinal FROM recalld.vectors u
        WHERE NOT EXISTS (
            SELECT FROM unnest($1, $2) AS kept (model, dimension)
            WHERE kept.model = u.model AND kept.dimension = u.dimension)
        LIMIT $3) AS unused
    WHERE v.space = unused.space AND v.model = unused.model AND v.dimension = unused.dimension
      AND v.revision = unused.revision AND v.ordinal = unused.ordinal RETURNING 1";
