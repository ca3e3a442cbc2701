//! `/v1/search`: one ranked list over everything that is kept.

use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use recalld_memory::memory::Category;
use recalld_memory::recall::{self, ItemKind, Question};
use recalld_memory::whole_number;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use super::context::token_budget;
use super::moment::moment;
use crate::app::App;
use crate::auth::Caller;
use crate::error::ApiError;
use crate::extract::Json;
use crate::json_response::JsonResponse;
use crate::middleware::RouteLayers;
use recalld_wire as wire;

/// Names what a search did without, because that part of the store was away.
const MISSING: HeaderName = HeaderName::from_static("recalld-missing");

pub(super) fn router(layers: &RouteLayers) -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(search).layer(layers.caller().reading().within_project()))
}

/// What to look for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct SearchBody {
    #[schema(example = "Where does Ana live?")]
    query: String,
    /// The most results; 10 if none is given.
    #[schema(minimum = 1, maximum = 100)]
    #[serde(default, deserialize_with = "whole_number::optional")]
    limit: Option<u32>,
    /// Only memories of this category; the other kinds have none.
    #[schema(min_length = 1, max_length = 64)]
    category: Option<String>,
    /// Only these kinds; all if none is given.
    #[schema(max_items = 16)]
    kinds: Option<Vec<wire::WireItemKind>>,
    /// The most tokens of all results together, in either encoding.
    #[schema(minimum = 0, maximum = 1_000_000)]
    #[serde(default, deserialize_with = "whole_number::optional")]
    max_tokens: Option<u32>,
    /// Only what was known at this moment (a day means its end), and of versions of one fact the
    /// one that held then first.
    #[schema(example = "2024-06-01")]
    as_of: Option<String>,
    /// Whether each result says how it got its place.
    #[serde(default)]
    explain: bool,
}

/// Searches memories, messages, entities, profile and knowledge, the best first.
#[utoipa::path(post, path = "/v1/search", tag = "search", request_body = SearchBody,
    responses((status = 200, body = wire::SearchResult)))]
async fn search(
    State(app): State<App>,
    caller: Caller,
    Json(body): Json<SearchBody>,
) -> Result<(HeaderMap, JsonResponse<wire::SearchResult>), ApiError> {
    let most = token_budget(body.max_tokens)?;
    let category = body.category.map(|category| Category::new(&category)).transpose();
    let question = Question {
        kinds: body
            .kinds
            .unwrap_or_default()
            .into_iter()
            .map(ItemKind::from)
            .collect(),
        category: category.map_err(|error| ApiError::field("/category", &error))?,
        as_of: body.as_of.map(|raw| moment("as_of", &raw)).transpose()?,
        fills: true,
        explain: body.explain,
        ..Question::new(body.query, limit(body.limit)?)
    };
    let scope = caller.scope()?;
    let found = recall::search_what_is_there(&app.ports, &scope, &question).await?;
    let mut headers = HeaderMap::new();
    if found.lacks_shared {
        tracing::warn!("what all users may read is not available; a search did without");
        headers.insert(MISSING, HeaderValue::from_static("shared"));
    }
    let explaining = match body.explain {
        true => wire::Explaining::Yes,
        false => wire::Explaining::No,
    };
    let answer = wire::SearchResult::new(found.hits, most, explaining, scope.now);
    Ok((headers, JsonResponse(answer)))
}

/// Checks how many results are wanted.
pub(super) fn limit(given: Option<u32>) -> Result<usize, ApiError> {
    match given.unwrap_or(10) {
        limit @ 1..=100 => Ok(limit as usize),
        _ => Err(ApiError::field("/limit", &"limit must be from 1 to 100")),
    }
}
