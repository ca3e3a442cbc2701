//! `/v1/stats`: what a user has, in figures.

use std::collections::BTreeMap;

use axum::extract::State;
use recalld_memory::wiring::Ports;
use recalld_memory::{browse, ingest};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::Caller;
use crate::error::ApiError;
use crate::middleware::RouteLayers;

pub(super) fn router(layers: &RouteLayers) -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(stats).layer(layers.caller()))
}

/// What a user has.
#[derive(Debug, Serialize, ToSchema)]
struct StatsBody {
    memories: MemoryCounts,
    /// How many current memories each category has.
    categories: BTreeMap<String, usize>,
    /// How many current memories each project has; those of no project are not among them.
    projects: BTreeMap<String, usize>,
    entities: EntityCounts,
    document: DocumentSize,
    conversations: usize,
    /// Current memories that nobody has confirmed: an agent noted them, they would change another
    /// memory, or they are not certain.
    unconfirmed: usize,
    /// Documents that all users may search.
    knowledge: usize,
    /// When the oldest current memory was learned.
    oldest: Option<String>,
    /// When the newest current memory was learned.
    newest: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
struct MemoryCounts {
    /// Neither forgotten nor expired.
    current: usize,
    durable: usize,
    daily: usize,
    forgotten: usize,
    expired: usize,
}

#[derive(Debug, Serialize, ToSchema)]
struct EntityCounts {
    places: usize,
    accounts: usize,
    people: usize,
}

/// How full the memory document is.
#[derive(Debug, Serialize, ToSchema)]
struct DocumentSize {
    facts: usize,
    /// In the encoding that counts more.
    tokens: usize,
    tokens_max: usize,
}

/// Counts what the user has.
#[utoipa::path(get, path = "/v1/stats", tag = "memories", responses((status = 200, body = StatsBody)))]
async fn stats(State(ports): State<Ports>, caller: Caller) -> Result<axum::Json<StatsBody>, ApiError> {
    let counted = browse::statistics(&ports, &caller.scope()?).await?;
    let knowledge = ingest::count(&ports).await?;
    Ok(axum::Json(StatsBody {
        memories: MemoryCounts {
            current: counted.current,
            durable: counted.durable,
            daily: counted.daily,
            forgotten: counted.retired,
            expired: counted.expired,
        },
        categories: counted.categories,
        projects: counted.projects,
        entities: EntityCounts {
            places: counted.places,
            accounts: counted.accounts,
            people: counted.people,
        },
        document: DocumentSize {
            facts: counted.document_facts,
            tokens: counted.document_tokens.cl100k.max(counted.document_tokens.o200k),
            tokens_max: ports.settings.document_tokens_max,
        },
        conversations: counted.conversations,
        unconfirmed: counted.unconfirmed,
        knowledge,
        oldest: counted.oldest.map(|at| at.to_string()),
        newest: counted.newest.map(|at| at.to_string()),
    }))
}
