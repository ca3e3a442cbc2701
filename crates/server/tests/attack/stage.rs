//! A service with one user and an administrator, in-process or on a port of its own.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderMap, Request};
use recalld_agent::settings::AgentSettings;
use recalld_agent::wiring::AgentPorts;
use recalld_memory::id::UserId;
use recalld_memory::ports::{Clock, Ids, KeyKind, Keyring};
use recalld_memory::settings::Settings;
use recalld_memory::wiring::Ports;
use recalld_server::{App, Limits, create_key, router, serve};
use recalld_store::SqliteStore;
use recalld_testing::clock::{SteppingClock, TimeOrderedIds};
use serde_json::Value;
use tokio::net::TcpListener;
use tower::ServiceExt;

/// The service, and who may call it.
pub struct Stage {
    pub app: App,
    pub ana: String,
    pub admin: String,
}

/// What came back.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Value,
}

impl Reply {
    /// Gives the code of a problem.
    pub fn code(&self) -> &str {
        self.body["code"].as_str().unwrap_or("")
    }

    /// Reads a header.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

impl Stage {
    /// A service with these limits.
    pub async fn new(limits: Limits) -> Stage {
        Stage::with_ids(limits, Arc::new(TimeOrderedIds)).await
    }

    /// The same, with ids from elsewhere.
    pub async fn with_ids(limits: Limits, ids: Arc<dyn Ids>) -> Stage {
        let store = Arc::new(SqliteStore::in_memory().unwrap());
        let keyring: Arc<dyn Keyring> = Arc::<SqliteStore>::clone(&store);
        let clock = Arc::new(SteppingClock::in_steps_of(1));
        let now = clock.now();
        let ports = Ports::new(store, clock, ids, Settings::default());
        let create = async |kind| create_key(&*keyring, kind, None, None, now).await.unwrap().key;
        let user = UserId::new("ana").unwrap();
        let ana = create(KeyKind::User { user }).await;
        let admin = create(KeyKind::Admin).await;
        let agent = AgentPorts::new(ports, AgentSettings::default());
        Stage {
            app: App::new(agent, keyring, limits),
            ana,
            admin,
        }
    }

    /// Sends `call` (method and path) in-process.
    pub async fn ask(&self, call: &str, headers: &[(&str, &str)], body: Option<Value>) -> Reply {
        let response = router(self.app.clone()).oneshot(request(call, headers, body));
        let (parts, body) = response.await.unwrap().into_parts();
        let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
        Reply {
            status: parts.status.as_u16(),
            headers: parts.headers,
            body: serde_json::from_slice(&body).unwrap_or_default(),
        }
    }

    /// The header by which Ana authenticates.
    pub fn as_ana(&self) -> String {
        format!("Bearer {}", self.ana)
    }

    /// Serves on a free loopback port, as long as the test runs.
    pub async fn listen(&self) -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let app = self.app.clone().listening_on(address);
        tokio::spawn(serve(listener, app, std::future::pending()));
        address
    }
}

/// Makes a request.
pub fn request(call: &str, headers: &[(&str, &str)], body: Option<Value>) -> Request<Body> {
    let (method, path) = call.split_once(' ').unwrap();
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    match body {
        Some(body) => request
            .header("content-type", "application/json")
            .body(Body::from(body.to_string())),
        None => request.body(Body::empty()),
    }
    .unwrap()
}
