//! The metrics tell how a deployment is used: on a public address they are for administrators.

use std::net::SocketAddr;

use axum::http::Request;
use recalld_server::{Limits, router};
use tower::ServiceExt;

use crate::stage::Stage;

async fn stage(listening_on: &str) -> Stage {
    let mut stage = Stage::new(Limits::default()).await;
    let address: SocketAddr = listening_on.parse().unwrap();
    stage.app = stage.app.listening_on(address);
    stage
}

async fn metrics(stage: &Stage, key: &str) -> (u16, String) {
    let mut request = Request::builder().uri("/metrics").header("host", "localhost");
    if !key.is_empty() {
        request = request.header("authorization", format!("Bearer {key}"));
    }
    let request = request.body(axum::body::Body::empty()).unwrap();
    let (parts, body) = router(stage.app.clone())
        .oneshot(request)
        .await
        .unwrap()
        .into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
    (parts.status.as_u16(), String::from_utf8(body.to_vec()).unwrap())
}

#[tokio::test]
async fn on_a_public_address_metrics_need_an_admin_key() {
    let mut public = stage("0.0.0.0:7077").await;
    assert_eq!(metrics(&public, "").await.0, 401);
    assert_eq!(metrics(&public, &public.ana).await.0, 403);
    assert_eq!(metrics(&public, &public.admin).await.0, 200);
    public.app = public.app.with_public_metrics();
    assert_eq!(metrics(&public, "").await.0, 200);
    assert_eq!(metrics(&stage("127.0.0.1:7077").await, "").await.0, 200);
}

/// Whoever adds a metric describes it.
#[tokio::test]
async fn every_metric_has_help_and_a_type() {
    let stage = stage("127.0.0.1:7077").await;
    let key = stage.as_ana();
    let headers = [("authorization", key.as_str()), ("host", "localhost")];
    stage.ask("GET /v1/memories", &headers, None).await;
    let (_, text) = metrics(&stage, "").await;
    let described = |kind: &str, name: &str| text.contains(&format!("# {kind} {name} "));
    let mut names = Vec::new();
    for line in text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
    {
        let name = line.split(['{', ' ']).next().unwrap();
        let family = ["_bucket", "_sum", "_count"]
            .iter()
            .find_map(|end| name.strip_suffix(end).filter(|family| described("TYPE", family)));
        names.push(family.unwrap_or(name).to_owned());
    }
    for name in [
        "recalld_http_requests_total",
        "recalld_build_info",
        "recalld_start_time_seconds",
    ] {
        assert!(names.iter().any(|each| each == name), "{name}\n{text}");
    }
    for name in names {
        assert!(name.starts_with("recalld_"), "{name}");
        assert!(described("TYPE", &name) && described("HELP", &name), "{name}");
    }
}
