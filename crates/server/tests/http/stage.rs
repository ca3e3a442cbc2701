//! A service with two users, a service key and an admin key. The only place of these tests that
//! knows how to call it.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request};
use recalld_agent::settings::AgentSettings;
use recalld_agent::wiring::AgentPorts;
use recalld_memory::id::UserId;
use recalld_memory::ports::{
    Administration, Clock, KeyKind, Keyring, Store, Tombstone, TombstoneError, Tombstones,
};
use recalld_memory::settings::Settings;
use recalld_memory::wiring::Ports;
use recalld_portability::erase::Eraser;
use recalld_server::{App, Limits, TokenRules, create_key, router};
use recalld_store::SqliteStore;
use recalld_testing::clock::{SteppingClock, TimeOrderedIds};
use recalld_testing::postgres_database::Database;
use serde_json::Value;
use tower::ServiceExt;

/// The service, and who may call it.
pub struct Stage {
    pub router: Router,
    pub ana: String,
    pub bob: String,
    pub service: String,
    pub admin: String,
    clock: Arc<SteppingClock>,
    _database: Option<Database>,
}

/// The ports that a store fills.
struct Filled {
    store: Arc<dyn Store>,
    administration: Arc<dyn Administration>,
    keyring: Arc<dyn Keyring>,
}

/// What came back.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: HeaderMap,
    pub text: String,
    /// The body as it came.
    pub bytes: Vec<u8>,
}

impl Reply {
    /// Reads the body as JSON; null when it is empty or none.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or(Value::Null)
    }

    /// Reads a header.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// Checks that the request was refused as `code`, and as a problem.
    #[track_caller]
    pub fn refused(&self, status: u16, code: &str) {
        assert_eq!(
            (self.status, self.json()["code"].as_str()),
            (status, Some(code)),
            "{}",
            self.text
        );
        assert_eq!(self.header("content-type"), "application/problem+json");
        assert_eq!(self.json()["status"], status);
    }

    /// Checks the status, and gives the body.
    #[track_caller]
    pub fn ok(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.text);
        self.json()
    }
}

/// Tombstones that last as long as the stage.
#[derive(Debug, Default)]
struct Graves(Mutex<Vec<Tombstone>>);

impl Tombstones for Graves {
    fn secret(&self) -> Result<[u8; 32], TombstoneError> {
        Ok([7; 32])
    }

    fn all(&self) -> Result<Vec<Tombstone>, TombstoneError> {
        Ok(self.0.lock().unwrap().clone())
    }

    fn set(&self, tombstone: &Tombstone) -> Result<(), TombstoneError> {
        self.0.lock().unwrap().push(*tombstone);
        Ok(())
    }
}

impl Stage {
    /// A service on a store of its own.
    pub async fn new() -> Stage {
        Stage::with(Limits::default(), None).await
    }

    /// The same with other limits, and tokens.
    pub async fn with(limits: Limits, tokens: Option<TokenRules>) -> Stage {
        Stage::on(Arc::new(SqliteStore::in_memory().unwrap()), limits, tokens).await
    }

    /// The same on a store that is there.
    pub async fn on(store: Arc<SqliteStore>, limits: Limits, tokens: Option<TokenRules>) -> Stage {
        Stage::set(store, limits, tokens, Settings::default()).await
    }

    /// The same with other settings.
    pub async fn set(
        store: Arc<SqliteStore>,
        limits: Limits,
        tokens: Option<TokenRules>,
        settings: Settings,
    ) -> Stage {
        let filled = Filled {
            store: store.clone(),
            administration: store.clone(),
            keyring: store,
        };
        Stage::filled(filled, None, limits, tokens, settings).await
    }

    /// A service on SQLite, and one on PostgreSQL.
    pub async fn both() -> [Stage; 2] {
        let database = Database::new().await;
        let postgres = Arc::new(database.open().await);
        let filled = Filled {
            store: postgres.clone(),
            administration: postgres.clone(),
            keyring: postgres,
        };
        let limits = Limits::default();
        let postgres = Stage::filled(filled, Some(database), limits, None, Settings::default());
        [Stage::new().await, postgres.await]
    }

    async fn filled(
        filled: Filled,
        database: Option<Database>,
        limits: Limits,
        tokens: Option<TokenRules>,
        settings: Settings,
    ) -> Stage {
        let keyring = filled.keyring;
        let eraser = Eraser {
            administration: filled.administration,
            tombstones: Arc::new(Graves::default()),
        };
        let clock = Arc::new(SteppingClock::in_steps_of(1));
        let now = clock.now();
        let ports = Ports::new(
            filled.store,
            Arc::<SteppingClock>::clone(&clock),
            Arc::new(TimeOrderedIds),
            settings,
        );
        let make = async |kind| create_key(&*keyring, kind, None, None, now).await.unwrap().key;
        let user = |name: &str| KeyKind::User {
            user: UserId::new(name).unwrap(),
        };
        let (ana, bob) = (make(user("ana")).await, make(user("bob")).await);
        let (service, admin) = (make(KeyKind::Service).await, make(KeyKind::Admin).await);
        let app = App::new(
            AgentPorts::new(ports, AgentSettings::default()),
            Arc::clone(&keyring),
            limits,
        )
        .with_eraser(eraser);
        let app = match tokens {
            Some(rules) => app.with_tokens(rules),
            None => app,
        };
        Stage {
            router: router(app),
            ana,
            bob,
            service,
            admin,
            clock,
            _database: database,
        }
    }

    /// Lets `seconds` pass.
    pub fn advance(&self, seconds: i64) {
        self.clock.advance(seconds);
    }

    /// Sends a request that is made by hand.
    pub async fn send(&self, request: Request<Body>) -> Reply {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
        let text = String::from_utf8_lossy(&body).into_owned();
        Reply {
            status: parts.status.as_u16(),
            headers: parts.headers,
            text,
            bytes: body.to_vec(),
        }
    }

    /// Sends `call` (method and path) with `key`.
    pub async fn ask(&self, key: &str, call: &str, headers: &[(&str, &str)], body: Option<Value>) -> Reply {
        let (method, path) = call.split_once(' ').unwrap();
        let mut request = Request::builder().method(method).uri(path);
        if !key.is_empty() {
            request = request.header("authorization", format!("Bearer {key}"));
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = match body {
            Some(body) => request
                .header("content-type", "application/json")
                .body(Body::from(body.to_string())),
            None => request.body(Body::empty()),
        };
        self.send(request.unwrap()).await
    }

    /// Sends bytes of some kind.
    pub async fn send_bytes(&self, key: &str, call: &str, kind: &str, bytes: &[u8]) -> Reply {
        let (method, path) = call.split_once(' ').unwrap();
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("authorization", format!("Bearer {key}"))
            .header("content-type", kind);
        self.send(request.body(Body::from(bytes.to_vec())).unwrap()).await
    }

    /// Ana asks without a body.
    pub async fn get(&self, call: &str) -> Reply {
        self.ask(&self.ana, call, &[], None).await
    }

    /// Ana sends a body.
    pub async fn put(&self, call: &str, body: Value) -> Reply {
        self.ask(&self.ana, call, &[], Some(body)).await
    }
}
