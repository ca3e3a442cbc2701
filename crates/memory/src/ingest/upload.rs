//! Takes documents into the knowledge base, lists them, and takes them out again.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use recalld_index::text::plain::{is_bidi_control, shorten};
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::chunking::{self, Sizes};
use super::decode::ReadError;
use super::format::Format;
use crate::change::Effect;
use crate::id::{DocumentId, SpaceId};
use crate::knowledge::{Chunk, KnowledgeDocument};
use crate::scope::Scope;
use crate::screening::secrets;
use crate::space::{Decision, KnowledgeIndex, SpaceError, SpaceView};
use crate::wiring::Ports;

/// A document on its way in.
#[derive(Clone, Debug)]
pub struct Upload {
    /// Where it comes from: a path or an address. One document a source.
    pub source: String,
    /// What it is called; none: what it calls itself.
    pub title: Option<String>,
    pub format: Format,
    pub bytes: Vec<u8>,
}

impl Upload {
    /// The most bytes a document may have: a PDF, most of which may be pictures.
    pub const BYTES_MAX: usize = 32 * 1024 * 1024;

    /// The most bytes a document of any other format may have.
    pub const TEXT_BYTES_MAX: usize = 8 * 1024 * 1024;

    /// The most bytes its source may have.
    pub const SOURCE_BYTES_MAX: usize = 1_024;

    /// The most chunks it may be cut into.
    pub const CHUNKS_MAX: usize = 20_000;

    /// How long reading it may take.
    const READING_MAX: Duration = Duration::from_secs(120);
}

/// What became of a document.
#[derive(Clone, Debug, PartialEq)]
pub enum Ingested {
    Added(Arc<KnowledgeDocument>),
    /// It was known, and is now as given.
    Replaced(Arc<KnowledgeDocument>),
    /// It was known just like that; nothing was done.
    Unchanged(Arc<KnowledgeDocument>),
}

impl Ingested {
    /// Gives the document.
    pub fn document(&self) -> &Arc<KnowledgeDocument> {
        match self {
            Ingested::Added(document) | Ingested::Replaced(document) | Ingested::Unchanged(document) => {
                document
            }
        }
    }
}

/// Why a document cannot be taken in.
#[derive(Debug, Error)]
pub enum IngestError {
    /// Its source is blank, too long, or holds what does not belong there.
    #[error("the source {given:?} must be 1 to {limit} bytes without control characters", limit = Upload::SOURCE_BYTES_MAX)]
    Source { given: String },
    /// Larger than a document may be.
    #[error("the document is {bytes} bytes, over the limit of {limit}")]
    TooLong { bytes: usize, limit: usize },
    /// Cut into more chunks than a document may have.
    #[error("the document would be {chunks} chunks, over the limit of {limit}", limit = Upload::CHUNKS_MAX)]
    TooManyChunks { chunks: usize },
    /// There is no text in it.
    #[error("the document holds no text")]
    Empty,
    /// It cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// ParsedDocument it took too long.
    #[error("parsing the document took more than {} seconds", Upload::READING_MAX.as_secs())]
    TooSlow,
    /// The space could not be read or written.
    #[error(transparent)]
    Space(#[from] SpaceError),
}

/// Changes when the same bytes would be cut into other chunks, so that documents are read again.
const CUT: &str = "2";

/// Takes a document into the space of `scope`, the shared one. The same bytes again do nothing.
pub async fn ingest(ports: &Ports, scope: &Scope, upload: Upload) -> Result<Ingested, IngestError> {
    check(&upload)?;
    let id = id_of(&upload.source);
    let digest = digest(&upload, &ports.settings);
    let look = |shelf: &KnowledgeIndex| shelf.document(&id).map(|(document, _)| Arc::clone(document));
    let known = ports.spaces.knowledge(scope.space(), look).await?;
    if let Some(known) = known.as_ref().filter(|known| known.digest == digest) {
        return Ok(Ingested::Unchanged(Arc::clone(known)));
    }
    let sizes = Sizes::new(
        ports.settings.chunk_tokens_max,
        ports.settings.chunk_overlap_tokens,
    );
    let source = upload.source.clone();
    let (title, cut) = read_apart(upload, sizes).await?;
    let document = KnowledgeDocument {
        id: id.clone(),
        source,
        title,
        digest,
        chunks: cut.len() as u32,
        added_at: known.as_ref().map_or(scope.now, |known| known.added_at),
        revised_at: scope.now,
    };
    let chunk = |(ordinal, (heading, content)): (usize, (Option<String>, String))| Chunk {
        document: id.clone(),
        ordinal: ordinal as u32,
        heading,
        content,
    };
    let effect = Effect::Document {
        document: document.clone(),
        chunks: cut.into_iter().enumerate().map(chunk).collect(),
    };
    put(ports, scope, vec![effect]).await?;
    let document = Arc::new(document);
    Ok(match known {
        Some(_) => Ingested::Replaced(document),
        None => Ingested::Added(document),
    })
}

async fn put(ports: &Ports, scope: &Scope, effects: Vec<Effect>) -> Result<(), SpaceError> {
    let decided_for = scope.clone();
    let decide = move |_: &SpaceView| Decision {
        changes: effects
            .iter()
            .map(|effect| decided_for.change(None, effect.clone()))
            .collect(),
        outcome: (),
    };
    ports.spaces.write(scope.space(), decide).await
}

fn check(upload: &Upload) -> Result<(), IngestError> {
    let source = &upload.source;
    let odd = |c: char| c.is_control() || is_bidi_control(c);
    if source.trim().is_empty() || Upload::SOURCE_BYTES_MAX < source.len() || source.contains(odd) {
        return Err(IngestError::Source {
            given: shorten(source, 100),
        });
    }
    let limit = match upload.format {
        Format::Pdf => Upload::BYTES_MAX,
        Format::Markdown | Format::Text | Format::Html | Format::Json | Format::JsonLines => {
            Upload::TEXT_BYTES_MAX
        }
    };
    match upload.bytes.len() {
        bytes if limit < bytes => Err(IngestError::TooLong { bytes, limit }),
        _ => Ok(()),
    }
}

/// The id follows from the source, so that two who bring the same document at once write one.
fn id_of(source: &str) -> DocumentId {
    let digest = Sha256::digest(source.as_bytes());
    DocumentId::new(format!("doc_{}", hex(&digest[..16]))).expect("hexadecimal digits are a valid id")
}

fn digest(upload: &Upload, settings: &crate::settings::Settings) -> String {
    let mut hash = Sha256::new();
    let (tokens, overlap) = (settings.chunk_tokens_max, settings.chunk_overlap_tokens);
    let title = upload.title.as_deref().unwrap_or("");
    hash.update(format!(
        "{CUT} {tokens} {overlap} {} {title}\0",
        upload.format.as_str()
    ));
    hash.update(&upload.bytes);
    hex(&hash.finalize())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

type Cut = (Option<String>, Vec<(Option<String>, String)>);

/// Reads and cuts on a thread of its own with a deep stack: it may take seconds, and some formats
/// nest.
async fn read_apart(upload: Upload, sizes: Sizes) -> Result<Cut, IngestError> {
    const STACK_BYTES: usize = 64 * 1024 * 1024;
    let (reply, answer) = tokio::sync::oneshot::channel();
    let work = move || {
        // Nobody waits any more if it took too long.
        let _ = reply.send(read_and_cut(&upload, sizes));
    };
    std::thread::Builder::new()
        .name("parsed".to_owned())
        .stack_size(STACK_BYTES)
        .spawn(work)
        .map_err(|_| SpaceError::Stopping)?;
    match tokio::time::timeout(Upload::READING_MAX, answer).await {
        Ok(Ok(cut)) => cut,
        Ok(Err(_)) => Err(IngestError::Space(SpaceError::Stopping)),
        Err(_) => Err(IngestError::TooSlow),
    }
}

fn read_and_cut(upload: &Upload, sizes: Sizes) -> Result<Cut, IngestError> {
    let mut parsed = upload.format.read(&upload.bytes)?;
    parsed.redact();
    let cut = chunking::chunks(&parsed.sections, sizes);
    let given = upload
        .title
        .as_deref()
        .map(str::trim)
        .filter(|title| !title.is_empty());
    let given = given.map(|title| secrets::redact(&shorten(title, 200)).into_owned());
    let title = given.or(parsed.title);
    match cut.len() {
        0 => Err(IngestError::Empty),
        chunks if Upload::CHUNKS_MAX < chunks => Err(IngestError::TooManyChunks { chunks }),
        _ => Ok((title, cut)),
    }
}

/// Lists documents in the order of their sources: those under `prefix`, after the source `after`.
pub async fn list(
    ports: &Ports,
    prefix: &str,
    after: Option<&str>,
    limit: usize,
) -> Result<Vec<Arc<KnowledgeDocument>>, SpaceError> {
    let look = |shelf: &KnowledgeIndex| {
        let documents = shelf.documents_after(after);
        let under = documents.filter(|document| is_under(&document.source, prefix));
        under.take(limit).cloned().collect()
    };
    ports.spaces.knowledge(&SpaceId::shared(), look).await
}

/// Counts the documents.
pub async fn count(ports: &Ports) -> Result<usize, SpaceError> {
    let look = |shelf: &KnowledgeIndex| shelf.documents_after(None).count();
    ports.spaces.knowledge(&SpaceId::shared(), look).await
}

/// Finds a document with its chunks.
pub async fn find(
    ports: &Ports,
    id: &DocumentId,
) -> Result<Option<(Arc<KnowledgeDocument>, Vec<Arc<Chunk>>)>, SpaceError> {
    let look = |shelf: &KnowledgeIndex| {
        let (document, chunks) = shelf.document(id)?;
        Some((Arc::clone(document), chunks.to_vec()))
    };
    ports.spaces.knowledge(&SpaceId::shared(), look).await
}

/// Takes a document out for good. Tells whether there was one.
pub async fn erase(ports: &Ports, scope: &Scope, id: &DocumentId) -> Result<bool, SpaceError> {
    let look = |shelf: &KnowledgeIndex| shelf.document(id).is_some();
    let known = ports.spaces.knowledge(scope.space(), look).await?;
    if known {
        put(ports, scope, vec![Effect::EraseDocument { id: id.clone() }]).await?;
    }
    Ok(known)
}

/// Takes out the documents under `prefix` whose sources are not among `kept`. Gives their sources.
pub async fn prune(
    ports: &Ports,
    scope: &Scope,
    prefix: &str,
    kept: &HashSet<String>,
) -> Result<Vec<String>, SpaceError> {
    let look = |shelf: &KnowledgeIndex| {
        let documents = shelf.documents_after(None);
        let gone = documents.filter(|d| is_under(&d.source, prefix) && !kept.contains(&d.source));
        gone.map(|d| (d.id.clone(), d.source.clone())).unzip()
    };
    let (ids, sources): (Vec<DocumentId>, Vec<String>) = ports.spaces.knowledge(scope.space(), look).await?;
    let effects: Vec<Effect> = ids.into_iter().map(|id| Effect::EraseDocument { id }).collect();
    if !effects.is_empty() {
        put(ports, scope, effects).await?;
    }
    Ok(sources)
}

/// Tells whether `source` is `prefix` or lies below it: `docs` holds `docs/a.md` and not
/// `docs2/a.md`.
fn is_under(source: &str, prefix: &str) -> bool {
    let rest = source.strip_prefix(prefix);
    rest.is_some_and(|rest| {
        rest.is_empty() || prefix.is_empty() || prefix.ends_with('/') || rest.starts_with('/')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_is_a_folder_and_not_a_beginning() {
        assert!(is_under("docs/a.md", "docs"));
        assert!(is_under("docs/a.md", "docs/"));
        assert!(is_under("docs", "docs"));
        assert!(is_under("anything", ""));
        assert!(!is_under("docs2/a.md", "docs"));
    }
}
