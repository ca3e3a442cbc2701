//! A service with two users, a service key and an admin key on each store. The only place of these
//! tests that knows how to call it.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Request};
use recalld_agent::settings::AgentSettings;
use recalld_agent::wiring::AgentPorts;
use recalld_memory::id::UserId;
use recalld_memory::ports::{
    Administration, ChatModels, Clock, KeyKind, Keyring, Store, Tombstone, TombstoneError, Tombstones,
};
use recalld_memory::settings::Settings;
use recalld_memory::wiring::Ports;
use recalld_portability::erase::Eraser;
use recalld_server::{App, Limits, create_key, router};
use recalld_store::SqliteStore;
use recalld_testing::clock::{SteppingClock, TimeOrderedIds};
use recalld_testing::postgres_database::Database;
use serde_json::Value;
use tower::ServiceExt;

/// The service, and who may call it.
pub struct Stage {
    pub store: &'static str,
    pub router: Router,
    pub ana: String,
    pub bob: String,
    pub service: String,
    _database: Option<Database>,
}

/// What came back.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: HeaderMap,
    pub text: String,
    pub bytes: Vec<u8>,
}

impl Reply {
    /// Reads the body as JSON; null when it is empty or none.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or(Value::Null)
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

/// The ports that a store fills.
struct Filled {
    store: Arc<dyn Store>,
    administration: Arc<dyn Administration>,
    keyring: Arc<dyn Keyring>,
}

impl Stage {
    /// A service on each store.
    pub async fn both() -> Vec<Stage> {
        Stage::both_with(None).await
    }

    /// The same with a model.
    pub async fn both_with(models: Option<ChatModels>) -> Vec<Stage> {
        let database = Database::new().await;
        let postgres = Arc::new(database.open().await);
        let postgres = Filled {
            store: postgres.clone(),
            administration: postgres.clone(),
            keyring: postgres,
        };
        vec![
            Stage::sqlite_with(models.clone()).await,
            Stage::on("postgres", postgres, Some(database), models).await,
        ]
    }

    /// A service on SQLite.
    pub async fn sqlite_with(models: Option<ChatModels>) -> Stage {
        let sqlite = Arc::new(SqliteStore::in_memory().unwrap());
        let sqlite = Filled {
            store: sqlite.clone(),
            administration: sqlite.clone(),
            keyring: sqlite,
        };
        Stage::on("sqlite", sqlite, None, models).await
    }

    async fn on(
        name: &'static str,
        filled: Filled,
        database: Option<Database>,
        models: Option<ChatModels>,
    ) -> Stage {
        let keyring = filled.keyring;
        let eraser = Eraser {
            administration: filled.administration,
            tombstones: Arc::new(Graves::default()),
        };
        let clock = Arc::new(SteppingClock::in_steps_of(1000));
        let now = clock.now();
        let ports = Ports::new(filled.store, clock, Arc::new(TimeOrderedIds), Settings::default());
        let make = async |kind| create_key(&*keyring, kind, None, None, now).await.unwrap().key;
        let user = |name: &str| KeyKind::User {
            user: UserId::new(name).unwrap(),
        };
        let (ana, bob) = (make(user("ana")).await, make(user("bob")).await);
        let service = make(KeyKind::Service).await;
        let mut agent = AgentPorts::new(ports, AgentSettings::default());
        if let Some(models) = models {
            agent = agent.with_models(models);
        }
        let app = App::new(agent, Arc::clone(&keyring), Limits::default()).with_eraser(eraser);
        Stage {
            store: name,
            router: router(app),
            ana,
            bob,
            service,
            _database: database,
        }
    }

    /// Sends a request that is made by hand.
    pub async fn send(&self, request: Request<Body>) -> Reply {
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
        Reply {
            status: parts.status.as_u16(),
            headers: parts.headers,
            text: String::from_utf8_lossy(&body).into_owned(),
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

    /// Ana asks without a body.
    pub async fn get(&self, call: &str) -> Reply {
        self.ask(&self.ana, call, &[], None).await
    }

    /// Ana sends a body.
    pub async fn put(&self, call: &str, body: Value) -> Reply {
        self.ask(&self.ana, call, &[], Some(body)).await
    }

    /// Bob sends a body.
    pub async fn bob(&self, call: &str, body: Option<Value>) -> Reply {
        self.ask(&self.bob, call, &[], body).await
    }
}
