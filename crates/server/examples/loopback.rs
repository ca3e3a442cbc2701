//! Serves an empty store on a loopback port, for trying clients and fuzzers. Prints one key of each
//! sort as JSON.

use std::sync::Arc;

use jiff::Timestamp;
use recalld_agent::settings::AgentSettings;
use recalld_agent::wiring::AgentPorts;
use recalld_memory::id::UserId;
use recalld_memory::ports::{Clock, Ids, KeyKind, Keyring};
use recalld_memory::settings::Settings;
use recalld_memory::wiring::Ports;
use recalld_server::{App, Limits, create_key, serve};
use recalld_store::SqliteStore;
use uuid::Uuid;

#[derive(Debug)]
struct Surroundings;

impl Clock for Surroundings {
    fn now(&self) -> Timestamp {
        let now = Timestamp::now();
        Timestamp::from_microsecond(now.as_microsecond()).unwrap_or(now)
    }
}

impl Ids for Surroundings {
    fn next(&self, _now: Timestamp) -> Uuid {
        Uuid::now_v7()
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let store = Arc::new(SqliteStore::in_memory()?);
    let keyring: Arc<dyn Keyring> = Arc::<SqliteStore>::clone(&store);
    let ports = Ports::new(
        store,
        Arc::new(Surroundings),
        Arc::new(Surroundings),
        Settings::default(),
    );
    let now = ports.clock.now();
    let user = |name: &str| UserId::new(name).map(|user| KeyKind::User { user });
    let mut keys = serde_json::Map::new();
    for (name, kind) in [
        ("ana", user("ana")?),
        ("bob", user("bob")?),
        ("admin", KeyKind::Admin),
    ] {
        let made = create_key(&*keyring, kind, None, None, now).await?;
        keys.insert(name.to_owned(), made.key.into());
    }
    println!("{}", serde_json::Value::Object(keys));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:7177").await?;
    let stop = async {
        // Without a signal to wait for, it serves until it is killed.
        let _ = tokio::signal::ctrl_c().await;
    };
    let app = App::new(
        AgentPorts::new(ports, AgentSettings::default()),
        keyring,
        Limits::default(),
    );
    serve(listener, app, stop).await;
    Ok(())
}
