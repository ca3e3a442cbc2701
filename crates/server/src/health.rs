//! Liveness, readiness and metrics. None of it reveals anything about users.

use std::sync::OnceLock;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use jiff::Timestamp;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use recalld_agent::rollout::RolloutMetrics;
use recalld_memory::id::SpaceId;
use serde_json::json;

use crate::app::{App, Persistence};
use crate::auth::{Permission, Unproven};
use crate::error::{ApiError, Code};
use crate::metric_descriptions;
use crate::middleware::RouteLayers;

pub(crate) fn router(layers: &RouteLayers) -> Router<App> {
    let live = get(async || axum::Json(json!({ "status": "ok" })));
    Router::new()
        .route(LIVE, live.layer(layers.unlimited()))
        .route(READY, get(ready).layer(layers.unlimited()))
        .route("/metrics", get(metrics).layer(layers.open()))
}

/// Health while the service changes to another store: alive, and not ready.
pub(crate) fn paused_router() -> Router {
    let live = get(async || axum::Json(json!({ "status": "ok" })));
    let not_ready = get(async || {
        ApiError::new(Code::StorageUnavailable, "the server is changing to its database").retry_after(1)
    });
    Router::new().route(LIVE, live).route(READY, not_ready)
}

/// Tells whether connections that are kept back for health checks serve this path.
pub(crate) fn is_health(path: &str) -> bool {
    [LIVE, READY].contains(&path)
}

const LIVE: &str = "/health/live";
const READY: &str = "/health/ready";

/// How long the store may take to answer.
const READY_TIMEOUT: Duration = Duration::from_secs(5);

/// Ready when the store answers.
async fn ready(State(app): State<App>) -> Result<axum::Json<serde_json::Value>, ApiError> {
    let space = SpaceId::shared();
    let answer = tokio::time::timeout(READY_TIMEOUT, app.ports.store.revision(&space)).await;
    match answer {
        Ok(Ok(_)) => Ok(axum::Json(match app.persistence {
            Persistence::Stored => stored(parts_away(&app).await),
            Persistence::Volatile => json!({ "status": "ok", "persisted": false }),
            Persistence::Fallback => json!({
                "status": "degraded",
                "persisted": false,
                "detail": "the database cannot be reached; memories are kept in this process until it can",
            }),
        })),
        Ok(Err(_)) | Err(_) => match parts_away(&app).await {
            // Its other parts answer, so the server is of use to those whose data are there.
            Ok(away) if !away.is_empty() => Ok(axum::Json(json!({ "status": "degraded", "away": away }))),
            _ => Err(ApiError::new(Code::StorageUnavailable, "the store does not answer").retry_after(2)),
        },
    }
}

/// Says what a store that answers is without.
fn stored(away: Result<Vec<String>, Silent>) -> serde_json::Value {
    match away {
        Ok(away) if away.is_empty() => json!({ "status": "ok" }),
        Ok(away) => json!({ "status": "degraded", "away": away }),
        Err(Silent) => json!({ "status": "degraded", "detail": "not all parts of the database answer" }),
    }
}

/// The parts of the store could not be asked in time.
struct Silent;

/// Names the parts of the store that are away; none if it is in one piece.
async fn parts_away(app: &App) -> Result<Vec<String>, Silent> {
    let Some(eraser) = &app.eraser else {
        return Ok(Vec::new());
    };
    let asked = tokio::time::timeout(READY_TIMEOUT, eraser.administration.parts_away()).await;
    asked.map_err(|_| Silent)?.map_err(|_| Silent)
}

/// Shows the metrics. Where other machines can reach the server, they are for administrators unless
/// the configuration says otherwise: they tell how the deployment is used.
async fn metrics(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    if !app.shows_metrics {
        let caller = app
            .authenticator
            .authenticate(&headers, Unproven::Refused)
            .await?;
        caller.require_admin()?;
        caller.require(Permission::Read)?;
    }
    Ok(rendered(&app))
}

fn rendered(app: &App) -> Response {
    if let Some(used) = app
        .eraser
        .as_ref()
        .and_then(|eraser| eraser.administration.connections())
    {
        ::metrics::gauge!("recalld_store_connections_in_use").set(used.in_use as f64);
        ::metrics::gauge!("recalld_store_connections_idle").set(used.idle as f64);
        ::metrics::gauge!("recalld_store_connections_max").set(used.most as f64);
    }
    let (spaces, bytes) = app.ports.spaces.held();
    ::metrics::gauge!("recalld_spaces_held").set(spaces as f64);
    ::metrics::gauge!("recalld_spaces_held_bytes").set(bytes as f64);
    for (outcome, count) in app.agent.learning.all() {
        ::metrics::counter!("recalld_extraction_total", "outcome" => outcome).absolute(count);
    }
    rollout_metrics(&app.agent.rollout);
    ([(CONTENT_TYPE, "text/plain; version=0.0.4")], recorder().render()).into_response()
}

/// What the arms of the rollout are judged by, so that it can be added up over servers.
fn rollout_metrics(rollout: &RolloutMetrics) {
    for (arm, counts) in rollout.arms() {
        let count =
            |name: &'static str, value: u64| ::metrics::counter!(name, "arm" => arm.clone()).absolute(value);
        count("recalld_chat_conversations_total", counts.conversations);
        count("recalld_chat_look_ups_total", counts.look_ups);
        count("recalld_chat_misses_total", counts.misses);
        count("recalld_chat_look_ups_judged_total", counts.judged);
        count("recalld_chat_look_ups_needed_total", counts.needed);
        count("recalld_chat_follow_ups_total", counts.followed);
        count("recalld_chat_fell_back_total", counts.fell_back);
        count("recalld_chat_memory_off_total", counts.memory_off);
        count(
            "recalld_chat_store_questions_total",
            counts.queries.total() as u64,
        );
        for (category, looked_up) in counts.categories {
            ::metrics::counter!("recalld_chat_categories_total", "arm" => arm.clone(), "category" => category)
                .absolute(looked_up);
        }
    }
    let shadow = rollout.shadow();
    ::metrics::counter!("recalld_chat_shadow_messages_total").absolute(shadow.messages);
    ::metrics::counter!("recalld_chat_shadow_would_call_total").absolute(shadow.would_call);
    ::metrics::counter!("recalld_chat_shadow_tokens_saved_total")
        .absolute(shadow.tokens_saved.total() as u64);
}

/// Installs the recorder of this process when first asked.
pub(crate) fn recorder() -> &'static PrometheusHandle {
    static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();
    RECORDER.get_or_init(|| {
        let bounds = [
            0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0,
        ];
        let recorder = PrometheusBuilder::new()
            .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &bounds)
            .expect("the bounds are not empty")
            .install_recorder()
            .expect("no other recorder is installed in this process");
        metric_descriptions::describe();
        ::metrics::gauge!("recalld_build_info", "version" => env!("CARGO_PKG_VERSION")).set(1.0);
        ::metrics::gauge!("recalld_start_time_seconds").set(Timestamp::now().as_second() as f64);
        tidy(recorder.clone());
        recorder
    })
}

/// Folds the measurements now and then: without it, those that nobody reads pile up.
fn tidy(recorder: PrometheusHandle) {
    let work = move || {
        loop {
            std::thread::sleep(Duration::from_secs(5));
            recorder.run_upkeep();
        }
    };
    if let Err(error) = std::thread::Builder::new().name("metrics".to_owned()).spawn(work) {
        tracing::warn!(%error, "metrics will not be aggregated");
    }
}
