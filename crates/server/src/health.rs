//! Whether the service lives, whether it can work, and its figures. None of it needs a key or tells
//! of users.

use std::sync::OnceLock;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use recalld_agent::rollout::RolloutMetrics;
use recalld_memory::id::SpaceId;
use serde_json::json;

use crate::app::App;
use crate::error::{ApiError, Code};

pub(crate) fn router() -> Router<App> {
    Router::new()
        .route(
            "/health/live",
            get(async || axum::Json(json!({ "status": "ok" }))),
        )
        .route("/health/ready", get(ready))
        .route("/metrics", get(figures))
}

/// Ready when the store answers.
async fn ready(State(app): State<App>) -> Result<axum::Json<serde_json::Value>, ApiError> {
    let answer = app.ports.store.revision(&SpaceId::shared()).await;
    match answer {
        Ok(_) => Ok(axum::Json(json!({ "status": "ok" }))),
        Err(_) => Err(ApiError::new(Code::StorageUnavailable, "the store does not answer").retry_after(2)),
    }
}

async fn figures(State(app): State<App>) -> Response {
    let (spaces, bytes) = app.ports.spaces.held();
    metrics::gauge!("recalld_spaces_held").set(spaces as f64);
    metrics::gauge!("recalld_spaces_held_bytes").set(bytes as f64);
    for (outcome, count) in app.agent.learning.all() {
        metrics::counter!("recalld_extraction_total", "outcome" => outcome).absolute(count);
    }
    rollout_figures(&app.agent.rollout);
    ([(CONTENT_TYPE, "text/plain; version=0.0.4")], recorder().render()).into_response()
}

/// What the arms of the rollout are judged by, so that it can be added up over servers.
fn rollout_figures(rollout: &RolloutMetrics) {
    for (arm, figures) in rollout.arms() {
        let count =
            |name: &'static str, value: u64| metrics::counter!(name, "arm" => arm.clone()).absolute(value);
        count("recalld_chat_conversations_total", figures.conversations);
        count("recalld_chat_look_ups_total", figures.look_ups);
        count("recalld_chat_misses_total", figures.misses);
        count("recalld_chat_follow_ups_total", figures.followed);
        count("recalld_chat_fell_back_total", figures.fell_back);
        count("recalld_chat_memory_off_total", figures.memory_off);
        count(
            "recalld_chat_store_questions_total",
            figures.queries.total() as u64,
        );
        for (category, looked_up) in figures.categories {
            metrics::counter!("recalld_chat_categories_total", "arm" => arm.clone(), "category" => category)
                .absolute(looked_up);
        }
    }
    let shadow = rollout.shadow();
    metrics::counter!("recalld_chat_shadow_messages_total").absolute(shadow.messages);
    metrics::counter!("recalld_chat_shadow_would_call_total").absolute(shadow.would_call);
    metrics::counter!("recalld_chat_shadow_tokens_saved_total").absolute(shadow.tokens_saved.total() as u64);
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
        tidy(recorder.clone());
        recorder
    })
}

/// Folds what was measured, now and then: without it, figures that nobody reads pile up.
fn tidy(recorder: PrometheusHandle) {
    let work = move || {
        loop {
            std::thread::sleep(Duration::from_secs(5));
            recorder.run_upkeep();
        }
    };
    if let Err(error) = std::thread::Builder::new().name("figures".to_owned()).spawn(work) {
        tracing::warn!(%error, "figures will not be folded");
    }
}
