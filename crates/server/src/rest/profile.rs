//! `/v1/profile`: structured user context by category, each checked by its schema.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use recalld_memory::profile::{self, ProfileError};
use recalld_memory::record_update::{Update, UpdateError};
use recalld_memory::schema::SchemaError;
use recalld_memory::wiring::Ports;
use serde_json::Value;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use super::etag::{Tagged, if_match_or_none, if_match_record, stale, tagged_record};
use crate::app::App;
use crate::auth::Caller;
use crate::error::{ApiError, Code};
use crate::extract::{Json, Path};
use crate::middleware::RouteLayers;
use recalld_wire as wire;

pub(super) fn router(layers: &RouteLayers) -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list).layer(layers.caller()))
        .routes(routes!(read, replace, merge, clear).layer(layers.caller()))
}

/// Lists the categories with what is kept of each.
#[utoipa::path(get, path = "/v1/profile", tag = "profile", responses((status = 200, body = wire::ProfileCategoryList)))]
async fn list(
    State(ports): State<Ports>,
    caller: Caller,
) -> Result<axum::Json<wire::ProfileCategoryList>, ApiError> {
    let found = profile::list(&ports, &caller.scope()?).await?;
    let categories = found
        .iter()
        .map(|(category, kept)| wire::ProfileCategory::new(category, kept.as_deref()));
    Ok(axum::Json(wire::ProfileCategoryList {
        categories: categories.collect(),
    }))
}

/// Reads what is kept of a category.
#[utoipa::path(get, path = "/v1/profile/{category}", tag = "profile", params(("category" = String, Path)),
    responses((status = 200, body = wire::StoredValue)))]
async fn read(
    State(ports): State<Ports>,
    caller: Caller,
    Path(category): Path<String>,
) -> Result<Tagged<wire::StoredValue>, ApiError> {
    let found = profile::read(&ports, &caller.scope()?, &category).await?;
    let kept = found.ok_or_else(|| ApiError::new(Code::NotFound, "nothing is kept in this category"))?;
    Ok(tagged_record(&kept, (&*kept).into()))
}

/// Replaces what is kept of a category. The body is the value itself.
#[utoipa::path(put, path = "/v1/profile/{category}", tag = "profile", request_body = Value,
    params(("category" = String, Path),
        ("If-Match" = Option<String>, Header, description = "Only if it still has this ETag"),
        ("If-None-Match" = Option<String>, Header, description = "`*`: only if nothing is kept")),
    responses((status = 200, body = wire::StoredValue)))]
async fn replace(
    State(ports): State<Ports>,
    caller: Caller,
    Path(category): Path<String>,
    headers: HeaderMap,
    Json(value): Json<Value>,
) -> Result<Tagged<wire::StoredValue>, ApiError> {
    let seen = if_match_or_none(&headers)?;
    let kept = profile::update(&ports, &caller.scope()?, &category, Update::Replace(value), seen).await?;
    let kept = kept.ok_or_else(|| ApiError::not_found("value"))?;
    Ok(tagged_record(&kept, (&*kept).into()))
}

/// Merges into what is kept of a category, as a JSON Merge Patch (RFC 7396).
#[utoipa::path(patch, path = "/v1/profile/{category}", tag = "profile", request_body = Value,
    params(("category" = String, Path),
        ("If-Match" = Option<String>, Header, description = "Only if it still has this ETag")),
    responses((status = 200, body = wire::StoredValue)))]
async fn merge(
    State(ports): State<Ports>,
    caller: Caller,
    Path(category): Path<String>,
    headers: HeaderMap,
    Json(patch): Json<Value>,
) -> Result<Tagged<wire::StoredValue>, ApiError> {
    let seen = if_match_record(&headers)?;
    let kept = profile::update(&ports, &caller.scope()?, &category, Update::Merge(patch), seen).await?;
    let kept = kept.ok_or_else(|| ApiError::not_found("value"))?;
    Ok(tagged_record(&kept, (&*kept).into()))
}

/// Removes what is kept of a category.
#[utoipa::path(delete, path = "/v1/profile/{category}", tag = "profile",
    params(("category" = String, Path),
        ("If-Match" = Option<String>, Header, description = "Only if it still has this ETag")),
    responses((status = 204)))]
async fn clear(
    State(ports): State<Ports>,
    caller: Caller,
    Path(category): Path<String>,
    headers: HeaderMap,
) -> Result<StatusCode, ApiError> {
    profile::update(
        &ports,
        &caller.scope()?,
        &category,
        Update::Clear,
        if_match_record(&headers)?,
    )
    .await?;
    Ok(StatusCode::NO_CONTENT)
}

impl From<ProfileError> for ApiError {
    fn from(error: ProfileError) -> ApiError {
        match error {
            ProfileError::Unknown { .. } => ApiError::new(Code::NotFound, error.to_string()),
            ProfileError::Secret(_) => ApiError::new(Code::SecretRefused, error.to_string()),
            ProfileError::ReadOnly(_) => ApiError::new(Code::MethodNotAllowed, error.to_string()),
            ProfileError::Update(error) => error.into(),
            ProfileError::Space(error) => error.into(),
        }
    }
}

impl From<UpdateError> for ApiError {
    fn from(error: UpdateError) -> ApiError {
        match error {
            UpdateError::TooLong { .. } => ApiError::new(Code::InvalidRequest, error.to_string()),
            UpdateError::Schema(error) => error.into(),
            UpdateError::Stale { at } => stale(at),
        }
    }
}

impl From<SchemaError> for ApiError {
    fn from(error: SchemaError) -> ApiError {
        let told = ApiError::new(Code::InvalidRequest, error.to_string());
        match error {
            SchemaError::Misfit { problems } => problems
                .into_iter()
                .fold(told, |told, problem| told.at(problem.pointer, problem.reason)),
            SchemaError::NotASchema { .. } => told,
        }
    }
}
