//! `/v1/working-memory` and `/v1/conversations/{id}/working-memory`: a small JSON value that an
//! agent keeps, optionally within a JSON Schema.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use recalld_memory::record::RecordKind;
use recalld_memory::space::SpaceView;
use recalld_memory::wiring::Ports;
use recalld_memory::working_memory::{self, ExpectedVersion, Of, Update, WorkingMemoryError};
use serde_json::Value;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use super::conversations::conversation_id;
use super::etag::{Tagged, if_match_or_none, if_match_record, stale, tagged_record};
use crate::app::App;
use crate::auth::Caller;
use crate::error::{ApiError, Code};
use crate::extract::{Json, Path};
use crate::middleware::RouteLayers;
use recalld_wire as wire;

pub(super) fn router(layers: &RouteLayers) -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(read, replace, merge, clear).layer(layers.caller()))
        .routes(routes!(read_schema, set_schema, drop_schema).layer(layers.caller()))
        .routes(routes!(read_of, replace_of, merge_of, clear_of).layer(layers.caller()))
        .routes(routes!(read_schema_of, set_schema_of, drop_schema_of).layer(layers.caller()))
}

type ValueResponse = Result<Tagged<wire::StoredValue>, ApiError>;

async fn show(ports: &Ports, caller: &Caller, of: Of) -> ValueResponse {
    let found = working_memory::read(ports, &caller.scope()?, &of).await?;
    let kept = found.ok_or_else(|| ApiError::not_found("working memory"))?;
    Ok(tagged_record(&kept, (&*kept).into()))
}

async fn write(
    ports: &Ports,
    caller: &Caller,
    of: Of,
    update: Update,
    seen: Option<ExpectedVersion>,
) -> ValueResponse {
    let kept = working_memory::update(ports, &caller.scope()?, &of, update, seen).await?;
    let kept = kept.ok_or_else(|| ApiError::not_found("working memory"))?;
    Ok(tagged_record(&kept, (&*kept).into()))
}

async fn remove(
    ports: &Ports,
    caller: &Caller,
    of: Of,
    seen: Option<ExpectedVersion>,
) -> Result<StatusCode, ApiError> {
    working_memory::update(ports, &caller.scope()?, &of, Update::Clear, seen).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn show_schema(ports: &Ports, caller: &Caller, of: Of) -> Result<axum::Json<Value>, ApiError> {
    let name = of.name();
    let look = |view: &SpaceView| view.record(RecordKind::WorkingMemorySchema, &name).cloned();
    let found = ports.spaces.read(caller.scope()?.space(), look).await?;
    found
        .map(|schema| axum::Json(schema.value.clone()))
        .ok_or_else(|| ApiError::not_found("schema"))
}

async fn put_schema(
    ports: &Ports,
    caller: &Caller,
    of: Of,
    schema: Option<Value>,
) -> Result<StatusCode, ApiError> {
    let bytes = schema.as_ref().map_or(0, |schema| schema.to_string().len());
    if working_memory::BYTES_MAX < bytes {
        let detail = format!(
            "the schema is {bytes} bytes, over the limit of {}",
            working_memory::BYTES_MAX
        );
        return Err(ApiError::new(Code::InvalidRequest, detail));
    }
    working_memory::set_schema(ports, &caller.scope()?, &of, schema).await?;
    Ok(StatusCode::NO_CONTENT)
}

fn of_conversation(id: String) -> Result<Of, ApiError> {
    conversation_id(id).map(Of::Conversation)
}

/// Reads the user's working memory.
#[utoipa::path(get, path = "/v1/working-memory", tag = "working memory", responses((status = 200, body = wire::StoredValue)))]
async fn read(State(ports): State<Ports>, caller: Caller) -> ValueResponse {
    show(&ports, &caller, Of::User).await
}

/// Replaces the user's working memory. The body is the value itself.
#[utoipa::path(put, path = "/v1/working-memory", tag = "working memory", request_body = Value,
    params(("If-Match" = Option<String>, Header, description = "Only if it still has this ETag"),
        ("If-None-Match" = Option<String>, Header, description = "`*`: only if nothing is kept")),
    responses((status = 200, body = wire::StoredValue)))]
async fn replace(
    State(ports): State<Ports>,
    caller: Caller,
    headers: HeaderMap,
    Json(value): Json<Value>,
) -> ValueResponse {
    write(
        &ports,
        &caller,
        Of::User,
        Update::Replace(value),
        if_match_or_none(&headers)?,
    )
    .await
}

/// Merges into the user's working memory, as a JSON Merge Patch (RFC 7396).
#[utoipa::path(patch, path = "/v1/working-memory", tag = "working memory", request_body = Value,
    params(("If-Match" = Option<String>, Header, description = "Only if it still has this ETag")),
    responses((status = 200, body = wire::StoredValue)))]
async fn merge(
    State(ports): State<Ports>,
    caller: Caller,
    headers: HeaderMap,
    Json(patch): Json<Value>,
) -> ValueResponse {
    write(
        &ports,
        &caller,
        Of::User,
        Update::Merge(patch),
        if_match_record(&headers)?,
    )
    .await
}

/// Clears the user's working memory.
#[utoipa::path(delete, path = "/v1/working-memory", tag = "working memory",
    params(("If-Match" = Option<String>, Header, description = "Only if it still has this ETag")),
    responses((status = 204)))]
async fn clear(
    State(ports): State<Ports>,
    caller: Caller,
    headers: HeaderMap,
) -> Result<StatusCode, ApiError> {
    remove(&ports, &caller, Of::User, if_match_record(&headers)?).await
}

/// Reads the schema of the user's working memory.
#[utoipa::path(get, path = "/v1/working-memory/schema", tag = "working memory", responses((status = 200, body = Value)))]
async fn read_schema(State(ports): State<Ports>, caller: Caller) -> Result<axum::Json<Value>, ApiError> {
    show_schema(&ports, &caller, Of::User).await
}

/// Sets the JSON Schema that the user's working memory must fit from now on.
#[utoipa::path(put, path = "/v1/working-memory/schema", tag = "working memory", request_body = Object,
    responses((status = 204)))]
async fn set_schema(
    State(ports): State<Ports>,
    caller: Caller,
    Json(schema): Json<Value>,
) -> Result<StatusCode, ApiError> {
    put_schema(&ports, &caller, Of::User, Some(schema)).await
}

/// Drops the schema of the user's working memory.
#[utoipa::path(delete, path = "/v1/working-memory/schema", tag = "working memory", responses((status = 204)))]
async fn drop_schema(State(ports): State<Ports>, caller: Caller) -> Result<StatusCode, ApiError> {
    put_schema(&ports, &caller, Of::User, None).await
}

/// Reads the working memory of a conversation.
#[utoipa::path(get, path = "/v1/conversations/{id}/working-memory", tag = "working memory",
    params(("id" = String, Path)), responses((status = 200, body = wire::StoredValue)))]
async fn read_of(State(ports): State<Ports>, caller: Caller, Path(id): Path<String>) -> ValueResponse {
    show(&ports, &caller, of_conversation(id)?).await
}

/// Replaces the working memory of a conversation. The body is the value itself.
#[utoipa::path(put, path = "/v1/conversations/{id}/working-memory", tag = "working memory", request_body = Value,
    params(("id" = String, Path),
        ("If-Match" = Option<String>, Header, description = "Only if it still has this ETag"),
        ("If-None-Match" = Option<String>, Header, description = "`*`: only if nothing is kept")),
    responses((status = 200, body = wire::StoredValue)))]
async fn replace_of(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
    headers: HeaderMap,
    Json(value): Json<Value>,
) -> ValueResponse {
    let seen = if_match_or_none(&headers)?;
    write(
        &ports,
        &caller,
        of_conversation(id)?,
        Update::Replace(value),
        seen,
    )
    .await
}

/// Merges into the working memory of a conversation, as a JSON Merge Patch (RFC 7396).
#[utoipa::path(patch, path = "/v1/conversations/{id}/working-memory", tag = "working memory", request_body = Value,
    params(("id" = String, Path),
        ("If-Match" = Option<String>, Header, description = "Only if it still has this ETag")),
    responses((status = 200, body = wire::StoredValue)))]
async fn merge_of(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
    headers: HeaderMap,
    Json(patch): Json<Value>,
) -> ValueResponse {
    let seen = if_match_record(&headers)?;
    write(&ports, &caller, of_conversation(id)?, Update::Merge(patch), seen).await
}

/// Clears the working memory of a conversation. What was said stays.
#[utoipa::path(delete, path = "/v1/conversations/{id}/working-memory", tag = "working memory",
    params(("id" = String, Path),
        ("If-Match" = Option<String>, Header, description = "Only if it still has this ETag")),
    responses((status = 204)))]
async fn clear_of(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Result<StatusCode, ApiError> {
    remove(&ports, &caller, of_conversation(id)?, if_match_record(&headers)?).await
}

/// Reads the schema of the working memory of a conversation.
#[utoipa::path(get, path = "/v1/conversations/{id}/working-memory/schema", tag = "working memory",
    params(("id" = String, Path)), responses((status = 200, body = Value)))]
async fn read_schema_of(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<axum::Json<Value>, ApiError> {
    show_schema(&ports, &caller, of_conversation(id)?).await
}

/// Sets the JSON Schema that the working memory of a conversation must fit from now on.
#[utoipa::path(put, path = "/v1/conversations/{id}/working-memory/schema", tag = "working memory",
    request_body = Object, params(("id" = String, Path)), responses((status = 204)))]
async fn set_schema_of(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
    Json(schema): Json<Value>,
) -> Result<StatusCode, ApiError> {
    put_schema(&ports, &caller, of_conversation(id)?, Some(schema)).await
}

/// Drops the schema of the working memory of a conversation.
#[utoipa::path(delete, path = "/v1/conversations/{id}/working-memory/schema", tag = "working memory",
    params(("id" = String, Path)), responses((status = 204)))]
async fn drop_schema_of(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<StatusCode, ApiError> {
    put_schema(&ports, &caller, of_conversation(id)?, None).await
}

impl From<WorkingMemoryError> for ApiError {
    fn from(error: WorkingMemoryError) -> ApiError {
        match error {
            WorkingMemoryError::TooLong { .. } => ApiError::new(Code::InvalidRequest, error.to_string()),
            WorkingMemoryError::Secret(_) => ApiError::new(Code::SecretRefused, error.to_string()),
            WorkingMemoryError::Schema(error) => error.into(),
            WorkingMemoryError::Stale { at } => stale(at),
            WorkingMemoryError::Space(error) => error.into(),
        }
    }
}
