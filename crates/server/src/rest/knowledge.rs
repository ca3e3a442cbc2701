//! `/v1/knowledge`: documents that all users may search and only administrators write.

use axum::extract::State;
use axum::http::StatusCode;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use recalld_memory::id::DocumentId;
use recalld_memory::ingest::{self, Format, IngestError, Ingested, Upload};
use recalld_memory::recall::{self, Question};
use recalld_memory::whole_number;
use recalld_memory::wiring::Ports;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use super::conversations::page_limit;
use crate::app::App;
use crate::auth::{Administrator, Caller};
use crate::error::{ApiError, Code};
use crate::extract::{Json, Path, Query};
use crate::middleware::RouteLayers;
use recalld_wire as wire;

pub(super) fn router(layers: &RouteLayers) -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(ingest).layer(layers.admin().with_documents().idempotent()))
        .routes(routes!(list).layer(layers.caller().with_query()))
        .routes(routes!(search).layer(layers.caller().reading()))
        .routes(routes!(prune).layer(layers.admin()))
        .routes(routes!(read).layer(layers.caller()))
        .routes(routes!(erase).layer(layers.admin()))
}

/// How a document is written.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum WireFormat {
    Markdown,
    Text,
    Html,
    Json,
    Jsonl,
    Pdf,
}

impl From<WireFormat> for Format {
    fn from(format: WireFormat) -> Format {
        match format {
            WireFormat::Markdown => Format::Markdown,
            WireFormat::Text => Format::Text,
            WireFormat::Html => Format::Html,
            WireFormat::Json => Format::Json,
            WireFormat::Jsonl => Format::JsonLines,
            WireFormat::Pdf => Format::Pdf,
        }
    }
}

/// A document to take in.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewDocument {
    /// Where it comes from: a path or an address. The same source again replaces the document.
    #[schema(example = "handbook/travel.md", min_length = 1, max_length = 1024)]
    source: String,
    /// What it is called; without it, what it calls itself.
    title: Option<String>,
    /// Without it, the ending of the source decides.
    format: Option<WireFormat>,
    /// Its text; for a PDF, `content_base64`.
    content: Option<String>,
    /// Its bytes in base64, instead of `content`.
    content_base64: Option<String>,
}

impl NewDocument {
    fn upload(self) -> Result<Upload, ApiError> {
        let format = self
            .format
            .map(Format::from)
            .or_else(|| Format::of_source(&self.source));
        let format = format
            .ok_or_else(|| ApiError::field("/format", &"the source does not tell the format: name it"))?;
        let bytes = match (self.content, self.content_base64) {
            (Some(text), None) => text.into_bytes(),
            (None, Some(encoded)) => STANDARD
                .decode(encoded)
                .map_err(|error| ApiError::field("/content_base64", &error))?,
            _ => {
                return Err(ApiError::field(
                    "/content",
                    &"give either content or content_base64",
                ));
            }
        };
        Ok(Upload {
            source: self.source,
            title: self.title,
            format,
            bytes,
        })
    }
}

/// What became of a document.
#[derive(Debug, Serialize, ToSchema)]
struct IngestedBody {
    /// `added`, `replaced`, or `unchanged` when it was known just like that.
    outcome: &'static str,
    document: wire::KnowledgeDocument,
}

/// Takes a document in. The same bytes again do nothing; other bytes replace it. Needs an admin
/// key.
#[utoipa::path(post, path = "/v1/knowledge", tag = "knowledge", request_body = NewDocument,
    params(("Idempotency-Key" = Option<String>, Header, description = "Carry the request out once, however often it is sent")),
    responses((status = 201, body = IngestedBody), (status = 200, body = IngestedBody)))]
async fn ingest(
    State(ports): State<Ports>,
    administrator: Administrator,
    Json(new): Json<NewDocument>,
) -> Result<(StatusCode, axum::Json<IngestedBody>), ApiError> {
    let ingested = ingest::ingest(&ports, &administrator.shared_scope(), new.upload()?).await?;
    let (status, outcome) = match ingested {
        Ingested::Added(_) => (StatusCode::CREATED, "added"),
        Ingested::Replaced(_) => (StatusCode::OK, "replaced"),
        Ingested::Unchanged(_) => (StatusCode::OK, "unchanged"),
    };
    Ok((
        status,
        axum::Json(IngestedBody {
            outcome,
            document: (&**ingested.document()).into(),
        }),
    ))
}

/// Which documents are listed.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ListParams {
    /// Only sources in this folder.
    #[serde(default)]
    prefix: String,
    /// The most documents of a page; 50 if none is given.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<u32>,
    /// The `next_page` of the page before.
    after: Option<String>,
}

/// Pages through the documents in the order of their sources.
#[utoipa::path(get, path = "/v1/knowledge", tag = "knowledge", params(ListParams),
    responses((status = 200, body = wire::KnowledgePage)))]
async fn list(
    State(ports): State<Ports>,
    _caller: Caller,
    Query(params): Query<ListParams>,
) -> Result<axum::Json<wire::KnowledgePage>, ApiError> {
    let limit = page_limit(params.limit)?;
    let found = ingest::list(&ports, &params.prefix, params.after.as_deref(), limit + 1).await?;
    let last = found.get(limit - 1).filter(|_| limit < found.len());
    let next_page = last.map(|last| last.source.clone());
    let documents = found
        .iter()
        .take(limit)
        .map(|document| (&**document).into())
        .collect();
    Ok(axum::Json(wire::KnowledgePage { documents, next_page }))
}

/// Reads one document with its chunks.
#[utoipa::path(get, path = "/v1/knowledge/{id}", tag = "knowledge", params(("id" = String, Path)),
    responses((status = 200, body = wire::KnowledgeText)))]
async fn read(
    State(ports): State<Ports>,
    _caller: Caller,
    Path(id): Path<String>,
) -> Result<axum::Json<wire::KnowledgeText>, ApiError> {
    let found = ingest::find(&ports, &document_id(id)?).await?;
    let (document, chunks) = found.ok_or_else(|| ApiError::not_found("document"))?;
    Ok(axum::Json(wire::KnowledgeText::new(
        &document,
        chunks.iter().map(|chunk| &**chunk),
    )))
}

/// Takes a document out for good. Needs an admin key.
#[utoipa::path(delete, path = "/v1/knowledge/{id}", tag = "knowledge", params(("id" = String, Path)),
    responses((status = 204)))]
async fn erase(
    State(ports): State<Ports>,
    administrator: Administrator,
    Path(id): Path<String>,
) -> Result<StatusCode, ApiError> {
    match ingest::erase(&ports, &administrator.shared_scope(), &document_id(id)?).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(ApiError::not_found("document")),
    }
}

/// What is left of a folder.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PruneBody {
    /// Only documents whose source is in this folder are taken out.
    #[schema(example = "handbook/", min_length = 1, max_length = 1024)]
    prefix: String,
    /// The sources that are still there.
    #[schema(max_items = 100_000)]
    keep: Vec<String>,
}

/// What was taken out.
#[derive(Debug, Serialize, ToSchema)]
struct Pruned {
    pruned: Vec<String>,
}

/// Takes out the documents of a folder that are no longer there, for good. Needs an admin key.
#[utoipa::path(post, path = "/v1/knowledge/prune", tag = "knowledge", request_body = PruneBody,
    responses((status = 200, body = Pruned)))]
async fn prune(
    State(ports): State<Ports>,
    administrator: Administrator,
    Json(body): Json<PruneBody>,
) -> Result<axum::Json<Pruned>, ApiError> {
    if !(1..=Upload::SOURCE_BYTES_MAX).contains(&body.prefix.len()) {
        let reason = format!("the prefix must have 1 to {} bytes", Upload::SOURCE_BYTES_MAX);
        return Err(ApiError::field("/prefix", &reason));
    }
    let keep = body.keep.into_iter().collect();
    let pruned = ingest::prune(&ports, &administrator.shared_scope(), &body.prefix, &keep).await?;
    Ok(axum::Json(Pruned { pruned }))
}

/// What to look for in the documents.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct KnowledgeQuestion {
    #[schema(example = "How many days of leave?")]
    query: String,
    /// The most results; 10 if none is given.
    #[schema(minimum = 1, maximum = 100)]
    #[serde(default, deserialize_with = "whole_number::optional")]
    limit: Option<u32>,
}

/// What was found in the documents, the best first.
#[derive(Debug, Serialize, ToSchema)]
struct KnowledgeResult {
    results: Vec<wire::FoundChunk>,
}

/// Searches the documents.
#[utoipa::path(post, path = "/v1/knowledge/search", tag = "knowledge", request_body = KnowledgeQuestion,
    responses((status = 200, body = KnowledgeResult)))]
async fn search(
    State(ports): State<Ports>,
    _caller: Caller,
    Json(question): Json<KnowledgeQuestion>,
) -> Result<axum::Json<KnowledgeResult>, ApiError> {
    let question = Question::new(question.query, super::search::limit(question.limit)?);
    let found = recall::search_knowledge(&ports, &question).await?;
    let results = found
        .iter()
        .map(|hit| wire::FoundChunk::new(&hit.item.0, &hit.item.1, hit.score));
    Ok(axum::Json(KnowledgeResult {
        results: results.collect(),
    }))
}

/// An id that cannot be one names nothing.
fn document_id(raw: String) -> Result<DocumentId, ApiError> {
    DocumentId::new(raw).map_err(|_| ApiError::not_found("document"))
}

impl From<IngestError> for ApiError {
    fn from(error: IngestError) -> ApiError {
        match error {
            IngestError::Source { .. } => ApiError::field("/source", &error),
            IngestError::TooLong { .. } => ApiError::new(Code::BodyTooLarge, error.to_string()),
            IngestError::TooManyChunks { .. }
            | IngestError::Empty
            | IngestError::Read(_)
            | IngestError::TooSlow => ApiError::field("/content", &error),
            IngestError::Space(error) => error.into(),
        }
    }
}
