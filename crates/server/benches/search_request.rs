//! How long a whole search request takes, and how much of that is writing its answer as JSON.

use std::hint::black_box;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use criterion::{Criterion, criterion_group, criterion_main};
use recalld_agent::settings::AgentSettings;
use recalld_agent::wiring::AgentPorts;
use recalld_memory::change::Actor;
use recalld_memory::id::UserId;
use recalld_memory::memory::{Category, Confidence, Content, Origin, Tier};
use recalld_memory::ports::{Clock, KeyKind};
use recalld_memory::recall::{self, Question};
use recalld_memory::remember::{Reach, Statement, remember};
use recalld_memory::scope::Scope;
use recalld_memory::settings::Settings;
use recalld_memory::wiring::Ports;
use recalld_server::{App, Limits, create_key, router};
use recalld_store::SqliteStore;
use recalld_testing::clock::{SteppingClock, TimeOrderedIds};
use recalld_wire::{Explaining, SearchResult};
use tokio::runtime::Runtime;
use tower::ServiceExt;

const MEMORIES: usize = 300;
const QUERY: &str = "which seat does Ana like on long flights";

fn statement(number: usize) -> Statement {
    let content =
        format!("On flight {number} Ana liked seat {number} by the window, and asked for green tea");
    Statement {
        key: None,
        content: Content::new(&content).expect("it is short"),
        category: Category::unsorted(),
        tier: Tier::Durable,
        confidence: Confidence::CERTAIN,
        origin: Origin::User,
        source: None,
        period: Default::default(),
        reach: Reach::WhereSaid,
        evidence: Vec::new(),
    }
}

/// A service with memories of one user, and the key to it.
async fn service() -> (Router, String, Ports, Scope) {
    let store = Arc::new(SqliteStore::in_memory().expect("memory is at hand"));
    let clock = Arc::new(SteppingClock::in_steps_of(1));
    let now = clock.now();
    let ports = Ports::new(
        Arc::<SqliteStore>::clone(&store),
        clock,
        Arc::new(TimeOrderedIds),
        Settings::default(),
    );
    let user = UserId::new("ana").expect("a valid id");
    let kind = KeyKind::User { user: user.clone() };
    let key = create_key(&*store, kind, None, None, now)
        .await
        .expect("the store works")
        .key;
    let scope = Scope::of_user(user, Actor::new("bench"), now);
    for number in 0..MEMORIES {
        remember(&ports, &scope, statement(number))
            .await
            .expect("the store works");
    }
    let limits = Limits {
        per_key_second_max: u32::MAX,
        ..Limits::default()
    };
    let agent = AgentPorts::new(ports.clone(), AgentSettings::default());
    (router(App::new(agent, store, limits)), key, ports, scope)
}

async fn search(router: Router, key: &str) -> usize {
    let request = Request::post("/v1/search")
        .header("authorization", format!("Bearer {key}"))
        .header("content-type", "application/json")
        .body(Body::from(format!("{{\"query\": \"{QUERY}\"}}")))
        .expect("a valid request");
    let response = router.oneshot(request).await.expect("a router does not fail");
    assert!(response.status().is_success());
    let body = axum::body::to_bytes(response.into_body(), usize::MAX).await;
    body.expect("the body is whole").len()
}

fn bench(criterion: &mut Criterion) {
    let runtime = Runtime::new().expect("threads are at hand");
    let (router, key, ports, scope) = runtime.block_on(service());
    criterion.bench_function("search request of ten hits", |bencher| {
        bencher.iter(|| runtime.block_on(search(router.clone(), &key)));
    });
    let found = runtime
        .block_on(recall::search(
            &ports,
            &scope,
            &Question::new(QUERY.to_owned(), 10),
        ))
        .expect("the store works");
    assert_eq!(found.len(), 10);
    let answer = SearchResult::new(found, None, Explaining::No, scope.now);
    criterion.bench_function("its answer written by serde_json", |bencher| {
        bencher.iter(|| serde_json::to_vec(black_box(&answer)).expect("plain data"));
    });
}

criterion_group!(benches, bench);
criterion_main!(benches);
