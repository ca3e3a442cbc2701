//! `/v1/files`: the user's memories as Markdown files, as the store has them.

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use recalld_memory::space::SpaceView;
use recalld_memory::wiring::Ports;
use recalld_portability::files::{FileName, days, project};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::Caller;
use crate::error::ApiError;
use crate::extract::Path;
use crate::middleware::RouteLayers;

pub(super) fn router(layers: &RouteLayers) -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(files).layer(layers.caller()))
        .routes(routes!(memory_file).layer(layers.caller()))
        .routes(routes!(day_file).layer(layers.caller()))
}

/// The files that there are.
#[derive(Debug, Serialize, ToSchema)]
struct FileList {
    /// Paths below `/v1/files/`.
    files: Vec<String>,
}

/// Lists the Markdown files: `MEMORY.md`, and one for each day of which there are notes.
#[utoipa::path(get, path = "/v1/files", tag = "files", responses((status = 200, body = FileList)))]
async fn files(State(ports): State<Ports>, caller: Caller) -> Result<axum::Json<FileList>, ApiError> {
    let scope = caller.scope()?;
    let days = ports
        .spaces
        .read(scope.space(), |view| days(view, scope.lens()))
        .await?;
    let days = days.into_iter().map(|day| FileName::Day(day).path());
    let files = std::iter::once(FileName::Memory.path()).chain(days).collect();
    Ok(axum::Json(FileList { files }))
}

/// Gives what is remembered for good as Markdown, by category.
#[utoipa::path(get, path = "/v1/files/MEMORY.md", tag = "files",
    responses((status = 200, content_type = "text/markdown", body = String)))]
async fn memory_file(State(ports): State<Ports>, caller: Caller) -> Result<Response, ApiError> {
    read(&ports, &caller, FileName::Memory).await
}

/// Gives the notes of a day as Markdown; there is no such file when there are none.
#[utoipa::path(get, path = "/v1/files/memory/{day}", tag = "files",
    params(("day" = String, Path, description = "The day (UTC), as in `2026-03-01.md`")),
    responses((status = 200, content_type = "text/markdown", body = String)))]
async fn day_file(
    State(ports): State<Ports>,
    caller: Caller,
    Path(day): Path<String>,
) -> Result<Response, ApiError> {
    let name = FileName::parse(&format!("memory/{day}")).ok_or_else(|| ApiError::not_found("file"))?;
    let FileName::Day(date) = name else {
        return Err(ApiError::not_found("file"));
    };
    let scope = caller.scope()?;
    let has_notes = |view: &SpaceView| days(view, scope.lens()).contains(&date);
    match ports.spaces.read(scope.space(), has_notes).await? {
        true => read(&ports, &caller, name).await,
        false => Err(ApiError::not_found("file")),
    }
}

async fn read(ports: &Ports, caller: &Caller, name: FileName) -> Result<Response, ApiError> {
    let scope = caller.scope()?;
    let text = ports
        .spaces
        .read(scope.space(), |view| project(view, scope.lens(), name))
        .await?;
    let kind = [(header::CONTENT_TYPE, "text/markdown; charset=utf-8")];
    Ok((kind, text).into_response())
}
