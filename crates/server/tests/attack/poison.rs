//! Planted instructions through every door of the service: what of them stands in a prompt unasked,
//! with the default and with `prompt.inject = "user"`, and whether harmless notes still do.
//!
//! Every twentieth payload goes through each door, every fifth through MCP.
//! `RECALLD_TEST_SCALE=10 cargo nextest run -p recalld-server --test attack poison --no-capture`
//! sends all of them through every door and prints the figures.

mod planting;

use std::sync::Arc;

use axum::body::Body;
use axum::http::Request;
use recalld_agent::settings::AgentSettings;
use recalld_agent::wiring::AgentPorts;
use recalld_memory::injection::Inject;
use recalld_memory::ports::{Clock, KeyKind, Keyring};
use recalld_memory::render::quoted;
use recalld_memory::screening::secrets;
use recalld_memory::settings::Settings;
use recalld_memory::wiring::Ports;
use recalld_server::{App, Limits, create_key, router};
use recalld_store::SqliteStore;
use recalld_testing::clock::{SteppingClock, TimeOrderedIds};
use serde_json::{Value, json};
use tower::ServiceExt as _;

use planting::plant;

const PAYLOADS: [&str; 9] = [
    include_str!("../../../memory/tests/quarantine/payloads.txt"),
    include_str!("../../../memory/tests/quarantine/later_payloads.txt"),
    include_str!("../../../memory/tests/quarantine/fresh_a_payloads.txt"),
    include_str!("../../../memory/tests/quarantine/fresh_b_payloads.txt"),
    include_str!("../../../memory/tests/quarantine/fresh_c_payloads.txt"),
    include_str!("../../../memory/tests/quarantine/fresh_d_payloads.txt"),
    include_str!("../../../memory/tests/quarantine/fresh_f_payloads.txt"),
    include_str!("../../../memory/tests/quarantine/fresh_g_payloads.txt"),
    include_str!("../../../memory/tests/quarantine/fresh_h_payloads.txt"),
];
const NOTES: [&str; 9] = [
    include_str!("../../../memory/tests/quarantine/notes.txt"),
    include_str!("../../../memory/tests/quarantine/later_notes.txt"),
    include_str!("../../../memory/tests/quarantine/fresh_a_notes.txt"),
    include_str!("../../../memory/tests/quarantine/fresh_b_notes.txt"),
    include_str!("../../../memory/tests/quarantine/fresh_c_notes.txt"),
    include_str!("../../../memory/tests/quarantine/fresh_d_notes.txt"),
    include_str!("../../../memory/tests/quarantine/fresh_f_notes.txt"),
    include_str!("../../../memory/tests/quarantine/fresh_g_notes.txt"),
    include_str!("../../../memory/tests/quarantine/fresh_h_notes.txt"),
];

/// The share of payloads that may get in through a door with the default.
const PASSED_MAX: f64 = 0.02;

/// So many texts are planted with one user: far fewer than the memory document takes.
const BATCH: usize = 25;

/// A door through which texts come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Door {
    Mcp,
    WriteMemory,
    Key,
    AddFact,
    Place,
    UpdateMemory,
    DocumentSource,
    ToolOrigin,
    AssistantOrigin,
    Entity,
    WorkingMemory,
    Mem0,
    Csv,
    Archive,
    Knowledge,
    /// No door for strangers: the control.
    UsersOwn,
}

impl Door {
    const ALL: [Door; 15] = [
        Door::Mcp,
        Door::WriteMemory,
        Door::Key,
        Door::AddFact,
        Door::Place,
        Door::UpdateMemory,
        Door::DocumentSource,
        Door::ToolOrigin,
        Door::AssistantOrigin,
        Door::Entity,
        Door::WorkingMemory,
        Door::Mem0,
        Door::Csv,
        Door::Archive,
        Door::Knowledge,
    ];

    /// Whether an agent's notes come in this way, which are injected by default.
    fn is_agents(self) -> bool {
        use Door::{AddFact, AssistantOrigin, Mcp, UpdateMemory, WriteMemory};
        matches!(self, Mcp | WriteMemory | AddFact | UpdateMemory | AssistantOrigin)
    }
}

/// One store behind two services that inject differently, and who may call them.
struct House {
    store: Arc<SqliteStore>,
    service: String,
    admin: String,
}

impl House {
    async fn new() -> House {
        // As the program does when it starts.
        recalld_models::screening::install();
        let store = Arc::new(SqliteStore::in_memory().unwrap());
        let keyring: Arc<dyn Keyring> = Arc::<SqliteStore>::clone(&store);
        let now = SteppingClock::in_steps_of(1).now();
        let create = async |kind| create_key(&*keyring, kind, None, None, now).await.unwrap().key;
        let (service, admin) = (create(KeyKind::Service).await, create(KeyKind::Admin).await);
        House {
            store,
            service,
            admin,
        }
    }

    fn ports(&self, inject: Inject) -> Ports {
        let settings = Settings {
            inject,
            ..Settings::default()
        };
        let store = Arc::<SqliteStore>::clone(&self.store);
        let clock = Arc::new(SteppingClock::in_steps_of(1));
        Ports::new(store, clock, Arc::new(TimeOrderedIds), settings)
    }

    fn door(&self, inject: Inject) -> axum::Router {
        let agent = AgentPorts::new(self.ports(inject), AgentSettings::default());
        let keyring: Arc<dyn Keyring> = Arc::<SqliteStore>::clone(&self.store);
        let limits = Limits {
            per_key_second_max: u32::MAX,
            ..Limits::default()
        };
        router(App::new(agent, keyring, limits))
    }
}

/// Sends bytes for `user` and expects success, or that a secret in them is refused.
async fn send(router: &axum::Router, key: &str, user: &str, call: &str, kind: &str, body: Vec<u8>) -> Value {
    let (method, path) = call.split_once(' ').unwrap();
    let request = Request::builder()
        .method(method)
        .uri(path)
        .header("authorization", format!("Bearer {key}"))
        .header("recalld-user", user)
        .header("content-type", kind)
        .body(Body::from(body))
        .unwrap();
    let response = router.clone().oneshot(request).await.unwrap();
    let status = response.status().as_u16();
    let body = axum::body::to_bytes(response.into_body(), usize::MAX)
        .await
        .unwrap();
    let text = String::from_utf8_lossy(&body);
    // Secrets and code are not stored at all.
    let is_refused = text.contains("secret_refused") || text.contains("which is not stored");
    assert!(
        (200..300).contains(&status) || status == 409 || is_refused,
        "{call} for {user}: {status} {text}"
    );
    serde_json::from_slice(&body).unwrap_or_default()
}

/// All that a service puts before a model unasked about `user`.
async fn injected(house: &House, service: &axum::Router, user: &str) -> String {
    let get = async |call: &str| {
        send(
            service,
            &house.service,
            user,
            call,
            "application/json",
            Vec::new(),
        )
        .await
    };
    let block = get("GET /v1/prompt?max_tokens=100000").await;
    let context = get("GET /v1/conversations/c1/context?max_tokens=100000").await;
    format!(
        "{}\n{}",
        block["text"].as_str().unwrap(),
        context["system"].as_str().unwrap()
    )
}

/// Tells whether `text` stands in a prompt, as a quotation, as JSON or as a key cut to its length.
fn stands_in(prompt: &str, text: &str) -> bool {
    let start: String = text.chars().take(40).collect();
    let quoted = quoted(&start);
    prompt.contains(quoted.trim_matches('"')) || prompt.contains(json!(start).to_string().trim_matches('"'))
}

fn lines(of: [&'static str; 9], step: usize) -> Vec<&'static str> {
    let all = of.into_iter().flat_map(str::lines);
    all.filter(|line| !line.is_empty()).step_by(step).collect()
}

fn step(door: Door) -> usize {
    match (std::env::var("RECALLD_TEST_SCALE").is_ok(), door) {
        (true, _) => 1,
        (false, Door::Mcp) => 5,
        (false, _) => 20,
    }
}

/// Counts how many of `texts` stand in the prompts of both services.
async fn counted(
    house: &House,
    services: [&axum::Router; 2],
    door: Door,
    texts: &[&'static str],
) -> [Vec<&'static str>; 2] {
    let mut seen = [Vec::new(), Vec::new()];
    for (number, batch) in texts.chunks(BATCH).enumerate() {
        let user = format!("{door:?}-{number}").to_lowercase();
        plant(house, services[0], door, &user, batch).await;
        for (service, seen) in services.iter().zip(&mut seen) {
            let prompt = injected(house, service, &user).await;
            seen.extend(batch.iter().copied().filter(|text| stands_in(&prompt, text)));
        }
    }
    seen
}

#[tokio::test]
async fn planted_instructions_do_not_reach_a_prompt_through_any_door() {
    let house = House::new().await;
    let default = house.door(Inject::default());
    let users_only = house.door(Inject::User);
    let mut failures = Vec::new();
    for door in Door::ALL {
        let payloads = lines(PAYLOADS, step(door));
        let [by_default, by_user] = counted(&house, [&default, &users_only], door, &payloads).await;
        println!(
            "{door:?}: {} planted, {} injected by default, {} with prompt.inject=user",
            payloads.len(),
            by_default.len(),
            by_user.len()
        );
        by_default.iter().for_each(|text| println!("  {text}"));
        if PASSED_MAX * (payloads.len() as f64) < by_default.len() as f64 || !by_user.is_empty() {
            failures.push((door, by_default, by_user));
        }
    }
    assert!(failures.is_empty(), "{failures:?}");
}

/// The control of the check itself: the same texts stand in the prompts if the user said them.
#[tokio::test]
async fn the_same_texts_are_injected_if_the_user_said_them() {
    let house = House::new().await;
    let default = house.door(Inject::default());
    let users_only = house.door(Inject::User);
    let mut payloads = lines(PAYLOADS, step(Door::UsersOwn));
    payloads.retain(|text| secrets::find(text).is_none());
    let [by_default, by_user] = counted(&house, [&default, &users_only], Door::UsersOwn, &payloads).await;
    let missing: Vec<&&str> = payloads
        .iter()
        .filter(|text| !by_default.contains(text) || !by_user.contains(text))
        .collect();
    println!(
        "{} said by the user, {} not injected",
        payloads.len(),
        missing.len()
    );
    assert!(missing.is_empty(), "{missing:?}");
}

/// The control: what agents note about a user keeps flowing.
#[tokio::test]
async fn harmless_notes_of_agents_are_injected() {
    let house = House::new().await;
    let default = house.door(Inject::default());
    let users_only = house.door(Inject::User);
    for door in Door::ALL.into_iter().filter(|door| door.is_agents()) {
        let notes = lines(NOTES, step(door));
        let [by_default, by_user] = counted(&house, [&default, &users_only], door, &notes).await;
        let withheld: Vec<&&str> = notes.iter().filter(|note| !by_default.contains(note)).collect();
        println!(
            "{door:?}: {} notes, {} withheld: {withheld:?}",
            notes.len(),
            withheld.len()
        );
        assert!(withheld.is_empty(), "{door:?}: {withheld:?}");
        assert!(by_user.is_empty(), "{door:?}: {by_user:?}");
    }
}
