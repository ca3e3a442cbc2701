//! What is done, over the router and without a network.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use recalld_agent::settings::AgentSettings;
use recalld_agent::wiring::AgentPorts;
use recalld_memory::id::UserId;
use recalld_memory::ports::{Embedder, KeyKind};
use recalld_server::{App, Limits, create_key, router};
use recalld_testing::words;
use tower::ServiceExt;

use crate::Failed;
use crate::scene::{self, USER};

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Nothing but what every request takes.
    Health,
    /// The same question, whose vector is known after the first time.
    Search,
    /// Another question each time.
    Ask,
    Context,
    Add,
    /// With an Idempotency-Key.
    KeyedAdd,
}

impl Work {
    pub fn parse(name: &str) -> Option<Work> {
        match name {
            "health" => Some(Work::Health),
            "search" => Some(Work::Search),
            "ask" => Some(Work::Ask),
            "context" => Some(Work::Context),
            "add" => Some(Work::Add),
            "keyed-add" => Some(Work::KeyedAdd),
            _ => None,
        }
    }

    fn request(self, number: usize) -> (&'static str, serde_json::Value) {
        let content = words::statement(1, 1_000_000 + number);
        match self {
            Work::Health => ("/health/live", serde_json::Value::Null),
            Work::Search => ("/v1/search", serde_json::json!({"query": words::question(3)})),
            Work::Ask => (
                "/v1/search",
                serde_json::json!({"query": words::question(number)}),
            ),
            Work::Context => (
                "/v1/context",
                serde_json::json!({"topic": words::question(3), "max_tokens": 500}),
            ),
            Work::Add | Work::KeyedAdd => ("/v1/memories", serde_json::json!({"content": content})),
        }
    }
}

/// Does it so often.
pub async fn run(
    directory: &Path,
    embedder: Arc<dyn Embedder>,
    work: Work,
    times: usize,
) -> Result<(), Failed> {
    let (store, ports) = scene::ports(directory, embedder)?;
    let user = UserId::new(USER)?;
    let made = create_key(&*store, KeyKind::User { user }, None, None, ports.clock.now()).await?;
    let limits = Limits {
        per_key_second_max: u32::MAX,
        ..Limits::default()
    };
    let agent = AgentPorts::new(ports, AgentSettings::default());
    let router = router(App::new(agent, store, limits));
    let mut taken = Vec::with_capacity(times);
    for number in 0..times {
        let begun = Instant::now();
        ask(router.clone(), &made.key, work, number).await?;
        taken.push(begun.elapsed().as_secs_f64() * 1e6);
    }
    tell(&taken);
    Ok(())
}

/// Prints the time of the first request, and the median of the others, in microseconds.
fn tell(taken: &[f64]) {
    if let Some((first, others)) = taken.split_first() {
        let mut others = others.to_vec();
        others.sort_by(f64::total_cmp);
        let median = others.get(others.len() / 2).unwrap_or(first);
        println!("{first:.1} {median:.1}");
    }
}

async fn ask(router: Router, key: &str, work: Work, number: usize) -> Result<(), Failed> {
    let (path, body) = work.request(number);
    let mut request = match work {
        Work::Health => Request::get(path),
        _ => Request::post(path),
    }
    .header("authorization", format!("Bearer {key}"))
    .header("content-type", "application/json");
    if work == Work::KeyedAdd {
        request = request.header("idempotency-key", format!("add-{number}"));
    }
    let response = router
        .oneshot(request.body(Body::from(body.to_string()))?)
        .await?;
    let status = response.status();
    let body = axum::body::to_bytes(response.into_body(), usize::MAX).await?;
    match status.is_success() {
        true => Ok(()),
        false => Err(format!("{path}: {status} {}", String::from_utf8_lossy(&body)).into()),
    }
}
