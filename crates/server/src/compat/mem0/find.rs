//! Reads memories: by question, by filter, one, and its history.

use axum::extract::State;
use recalld_memory::change::{Act, Version};
use recalld_memory::id::MemoryId;
use recalld_memory::recall::{self, Question};
use recalld_memory::scope::Scope;
use recalld_memory::wiring::Ports;
use serde_json::{Map, Value, json};

use super::super::json_body::{Fields, invalid};
use super::filters::Filters;
use super::labelled::{self, Labelled};
use super::scope_of;
use crate::auth::Caller;
use crate::error::ApiError;
use crate::extract::{Path, Query};

/// The most memories of one answer.
const LIMIT_MAX: usize = 1000;

/// Searches in the way of v3: filters must name an entity.
pub(super) async fn search(
    State(ports): State<Ports>,
    caller: Caller,
    mut body: Fields,
) -> Result<axum::Json<Value>, ApiError> {
    let filters = required(&mut body)?;
    Ok(axum::Json(
        json!({ "results": found(&ports, &caller, body, filters).await? }),
    ))
}

/// Searches in the way of v1, v2 and of the self-hosted server: ids may stand beside the question.
pub(super) async fn search_v2(
    State(ports): State<Ports>,
    caller: Caller,
    mut body: Fields,
) -> Result<axum::Json<Value>, ApiError> {
    let filters = optional(&mut body)?;
    Ok(axum::Json(
        json!({ "results": found(&ports, &caller, body, filters).await? }),
    ))
}

fn required(body: &mut Fields) -> Result<Filters, ApiError> {
    let filters = body
        .take("filters")
        .ok_or_else(|| invalid("filters are required"))?;
    let filters = Filters::new(filters)?;
    match filters.names_entity() {
        true => Ok(filters),
        false => Err(invalid("filters must name a user_id, agent_id, app_id or run_id")),
    }
}

fn optional(body: &mut Fields) -> Result<Filters, ApiError> {
    let beside = Value::Object(Filters::of_labels(&body.0).into_parts());
    match body.take("filters") {
        Some(filters) => Filters::new(json!({ "AND": [filters, beside] })),
        None => Filters::new(beside),
    }
}

async fn found(
    ports: &Ports,
    caller: &Caller,
    mut body: Fields,
    filters: Filters,
) -> Result<Vec<Value>, ApiError> {
    let query = body.required_text("query")?;
    if query.trim().is_empty() {
        return Err(invalid("query is blank"));
    }
    let limit = match body.take("limit") {
        Some(limit) => limit.as_u64().unwrap_or(10) as usize,
        None => body.number("top_k", 10, 1..=LIMIT_MAX)?,
    };
    let threshold = body
        .take("threshold")
        .and_then(|least| least.as_f64())
        .unwrap_or(0.0);
    let scope = scope_of(caller, filters.user_id())?;
    let question = Question {
        fills: true,
        ..Question::new(query, Question::LIMIT_MAX).uncounted()
    };
    let hits = recall::recall(ports, &scope, &question).await?;
    let all = labelled::all(ports, &scope).await?;
    let of_hit = |id: MemoryId| all.iter().find(|one| one.memory.id == id);
    let found = hits
        .iter()
        .filter(|hit| threshold <= f64::from(hit.score))
        .filter_map(|hit| Some((of_hit(hit.item.id)?, hit.score)))
        .filter(|(one, _)| filters.keeps(one))
        .take(limit.clamp(1, LIMIT_MAX));
    Ok(found.map(|(one, score)| one.shown(&scope, Some(score))).collect())
}

/// Which page is listed.
#[derive(Debug, serde::Deserialize)]
pub(super) struct Paging {
    page: Option<usize>,
    page_size: Option<usize>,
}

/// Lists in the way of v3.
pub(super) async fn list(
    State(ports): State<Ports>,
    caller: Caller,
    Query(paging): Query<Paging>,
    mut body: Fields,
) -> Result<axum::Json<Value>, ApiError> {
    let filters = required(&mut body)?;
    page(&ports, &caller, &filters, &paging).await
}

/// Lists in the way of v2.
pub(super) async fn list_v2(
    State(ports): State<Ports>,
    caller: Caller,
    Query(paging): Query<Paging>,
    mut body: Fields,
) -> Result<axum::Json<Value>, ApiError> {
    let filters = optional(&mut body)?;
    page(&ports, &caller, &filters, &paging).await
}

/// Lists in the way of v1 and of the self-hosted server.
pub(super) async fn list_by_query(
    State(ports): State<Ports>,
    caller: Caller,
    Query(mut params): Query<Map<String, Value>>,
) -> Result<axum::Json<Value>, ApiError> {
    let mut number = |name: &str| {
        let given = params.remove(name);
        given.and_then(|given| given.as_str().and_then(|given| given.parse().ok()))
    };
    let paging = Paging {
        page: number("page"),
        page_size: number("page_size")
            .or_else(|| number("limit"))
            .or_else(|| number("top_k")),
    };
    let filters = Filters::of_labels(&params);
    page(&ports, &caller, &filters, &paging).await
}

async fn page(
    ports: &Ports,
    caller: &Caller,
    filters: &Filters,
    paging: &Paging,
) -> Result<axum::Json<Value>, ApiError> {
    let (page, size) = (paging.page.unwrap_or(1), paging.page_size.unwrap_or(100));
    if page == 0 || !(1..=LIMIT_MAX).contains(&size) {
        return Err(invalid(format!(
            "page is at least 1, and page_size 1 to {LIMIT_MAX}"
        )));
    }
    let scope = scope_of(caller, filters.user_id())?;
    let found = kept(ports, &scope, filters).await?;
    let begin = (page - 1).saturating_mul(size);
    let shown: Vec<Value> = found
        .iter()
        .skip(begin)
        .take(size)
        .map(|one| one.shown(&scope, None))
        .collect();
    let link = |page: usize| format!("?page={page}&page_size={size}");
    let next = (begin.saturating_add(size) < found.len()).then(|| link(page + 1));
    let previous = (1 < page).then(|| link(page - 1));
    Ok(axum::Json(json!({
        "count": found.len(), "next": next, "previous": previous, "results": shown,
    })))
}

/// Gives all memories that filters keep.
pub(super) async fn kept(ports: &Ports, scope: &Scope, filters: &Filters) -> Result<Vec<Labelled>, ApiError> {
    let mut all = labelled::all(ports, scope).await?;
    all.retain(|one| filters.keeps(one));
    Ok(all)
}

/// Reads one memory.
pub(super) async fn one(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<axum::Json<Value>, ApiError> {
    let scope = caller.scope()?;
    let one = labelled::one(&ports, &scope, &id).await?;
    Ok(axum::Json(one.shown(&scope, None)))
}

/// Reads what a memory was, the oldest first; of one that was deleted too.
pub(super) async fn history(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<axum::Json<Value>, ApiError> {
    let scope = caller.scope()?;
    let missing = || ApiError::not_found("memory");
    let id = MemoryId::parse(&id).map_err(|_| missing())?;
    let versions = ports.store.history(scope.space(), id).await?;
    if versions.is_empty() {
        return Err(missing());
    }
    let mut before: Option<&Version> = None;
    let mut events = Vec::new();
    for version in &versions {
        if version.act != Act::Evict {
            events.push(event(version, before));
        }
        before = Some(version);
    }
    Ok(axum::Json(Value::Array(events)))
}

fn event(version: &Version, before: Option<&Version>) -> Value {
    let memory = &version.memory;
    let (event, new) = match version.act {
        Act::Remember => ("ADD", Some(memory.content.as_str())),
        Act::Retire => ("DELETE", None),
        Act::Revise | Act::Restore | Act::Evict => ("UPDATE", Some(memory.content.as_str())),
    };
    json!({
        "id": format!("{}:{}", memory.id, memory.version), "memory_id": memory.id.to_string(), "event": event,
        "old_memory": before.map(|before| before.memory.content.as_str()), "new_memory": new,
        "created_at": version.stamp.at.to_string(), "updated_at": version.stamp.at.to_string(),
        "is_deleted": version.act == Act::Retire, "input": [], "metadata": null,
    })
}
