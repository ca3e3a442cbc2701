//! `/v1/tools`: any agent loop fetches the tools here and posts the model's calls back.

use axum::extract::State;
use recalld_agent::tools::{self, Format, ToolError, ToolSet};
use recalld_memory::profile::{self, ProfileError};
use recalld_memory::wiring::Ports;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::Caller;
use crate::error::{ApiError, Code};
use crate::extract::{Json, Path, Query};
use crate::middleware::RouteLayers;

pub(super) fn router(layers: &RouteLayers) -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list).layer(layers.caller().with_query().for_tools()))
        .routes(routes!(call).layer(layers.caller().idempotent().for_tools()))
        .routes(routes!(user_context).layer(layers.caller().reading()))
}

/// Whose shape the tools have.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum ToolFormat {
    OpenAi,
    Responses,
    Anthropic,
    Mcp,
}

impl From<ToolFormat> for Format {
    fn from(format: ToolFormat) -> Format {
        match format {
            ToolFormat::OpenAi => Format::OpenAi,
            ToolFormat::Responses => Format::Responses,
            ToolFormat::Anthropic => Format::Anthropic,
            ToolFormat::Mcp => Format::Mcp,
        }
    }
}

/// Which tools, in which shape.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ToolParams {
    /// `openai` if none is given.
    #[param(inline)]
    format: Option<ToolFormat>,
    /// Sets of tools, separated by commas: context, document, storage, semantic, history,
    /// knowledge. All, if none is named.
    sets: Option<String>,
}

/// Gives the tools as a model provider takes them: a JSON array.
#[utoipa::path(get, path = "/v1/tools", tag = "tools", params(ToolParams), responses((status = 200, body = Vec<Value>)))]
async fn list(
    State(ports): State<Ports>,
    caller: Caller,
    Query(params): Query<ToolParams>,
) -> Result<axum::Json<Value>, ApiError> {
    let format = params.format.map_or(Format::OpenAi, Format::from);
    let names = params
        .sets
        .as_deref()
        .unwrap_or("")
        .split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty());
    let sets: Option<Vec<ToolSet>> = names.map(ToolSet::parse).collect();
    let sets = sets.ok_or_else(|| {
        let known: Vec<&str> = ToolSet::ALL.into_iter().map(ToolSet::as_str).collect();
        ApiError::new(
            Code::InvalidRequest,
            format!("sets must be among {}", known.join(", ")),
        )
    })?;
    // A key for one set of tools sees no others.
    let sets = match caller.tool_set() {
        Some(own) if sets.is_empty() || sets.contains(&own) => vec![own],
        Some(_) => return Ok(axum::Json(Value::Array(Vec::new()))),
        None => sets,
    };
    Ok(axum::Json(tools::export(format, &sets, &ports.settings)))
}

/// What a tool answers.
#[derive(Debug, Serialize, ToSchema)]
struct ToolAnswer {
    /// What the model reads.
    text: String,
    /// The same for the program; `outcome` says what happened.
    #[schema(value_type = Object)]
    data: Value,
}

/// Runs a tool for the caller. The body is the arguments that the model gave.
#[utoipa::path(post, path = "/v1/tools/{name}", tag = "tools", request_body = Object,
    params(("name" = String, Path),
        ("Recalld-Conversation" = Option<String>, Header, description = "The conversation in which the model calls"),
        ("Recalld-Message" = Option<String>, Header, description = "The message that it answers"),
        ("Idempotency-Key" = Option<String>, Header, description = "Carry the request out once, however often it is sent")),
    responses((status = 200, body = ToolAnswer)))]
async fn call(
    State(app): State<App>,
    caller: Caller,
    Path(name): Path<String>,
    Json(arguments): Json<Value>,
) -> Result<axum::Json<ToolAnswer>, ApiError> {
    let tool = tools::find(&name).ok_or_else(|| {
        let known: Vec<&str> = tools::all().iter().map(|tool| tool.name).collect();
        ApiError::not_found("tool").hint(format!("the tools are {}", known.join(", ")))
    })?;
    caller.require_tool(tool)?;
    if !tool.hints.read_only {
        app.write_limit.check(&caller)?;
    }
    let answer = tool.call(&app.ports, &caller.scope()?, arguments).await?;
    Ok(axum::Json(ToolAnswer {
        text: answer.text,
        data: answer.data,
    }))
}

/// Which context of the user is wanted.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct UserContextBody {
    /// A category of the deployment, or `all`.
    #[schema(example = "icp")]
    category: String,
    /// Narrows the answer to the entries that matter.
    query: Option<String>,
}

/// What is known of the user in a category.
#[derive(Debug, Serialize, ToSchema)]
struct UserContextAnswer {
    category: String,
    query: Option<String>,
    /// Null when the user has nothing there.
    data: Value,
    /// Where it comes from.
    source: String,
    found: bool,
}

/// Gives structured context of the user by category.
#[utoipa::path(post, path = "/api/tools/user-context", tag = "tools", request_body = UserContextBody,
    responses((status = 200, body = UserContextAnswer)))]
async fn user_context(
    State(ports): State<Ports>,
    caller: Caller,
    Json(body): Json<UserContextBody>,
) -> Result<axum::Json<UserContextAnswer>, ApiError> {
    let found = profile::user_context(&ports, &caller.scope()?, &body.category, body.query.as_deref()).await;
    let context = found.map_err(|error| match error {
        // The category is an argument here, not an address.
        ProfileError::Unknown { .. } => ApiError::field("/category", &error),
        error => error.into(),
    })?;
    Ok(axum::Json(UserContextAnswer {
        category: context.category,
        query: context.query,
        data: context.data,
        source: context.source,
        found: context.found,
    }))
}

impl From<ToolError> for ApiError {
    fn from(error: ToolError) -> ApiError {
        match error {
            ToolError::Arguments { message } => ApiError::new(Code::InvalidRequest, message),
            ToolError::Space(error) => error.into(),
        }
    }
}
