//! What recalld adds to the time until the first word of a reply, against a model that answers at once.
//!
//! `cargo run --example first_byte -- 1000` asks the model directly and through `/api/chat`, over real connections on the loopback.

#![expect(
    clippy::unwrap_used,
    reason = "a measurement that cannot be set up should stop where that shows"
)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use recalld_memory::id::UserId;
use recalld_memory::ports::{ChatModels, Clock, Ids, KeyKind, Keyring, Ports};
use recalld_memory::settings::Settings;
use recalld_models::chat::{ChatConfig, ChatLimits, Protocol, RemoteChat};
use recalld_server::{App, Limits, create_key, router};
use recalld_store::SqliteStore;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use uuid::Uuid;

#[path = "../../models/tests/chat/double.rs"]
#[expect(dead_code, reason = "the tests of the models use all of it")]
mod double;

#[derive(Debug)]
struct Wall;

impl Clock for Wall {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }
}

impl Ids for Wall {
    fn next(&self, _now: Timestamp) -> Uuid {
        Uuid::now_v7()
    }
}

/// Sends `request` and waits until `mark` comes; then reads on to the end of the answer.
async fn first_byte(stream: &mut TcpStream, request: &str, mark: &str) -> Duration {
    let begun = Instant::now();
    stream.write_all(request.as_bytes()).await.unwrap();
    let (mut heard, mut first) = (Vec::new(), None);
    loop {
        let mut piece = [0; 16 * 1024];
        let read = stream.read(&mut piece).await.unwrap();
        assert_ne!(read, 0, "{}", String::from_utf8_lossy(&heard));
        heard.extend_from_slice(&piece[..read]);
        if first.is_none() && heard.windows(mark.len()).any(|some| some == mark.as_bytes()) {
            first = Some(begun.elapsed());
        }
        if heard.ends_with(b"0\r\n\r\n") {
            return first.unwrap();
        }
    }
}

fn request(path: &str, key: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {key}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    )
}

fn told(name: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!(
        "{name:<10} p50 {:>8.3?}  p90 {:>8.3?}  p99 {:>8.3?}",
        at(0.5),
        at(0.9),
        at(0.99)
    );
}

#[tokio::main]
async fn main() {
    let count: usize = std::env::args()
        .nth(1)
        .map_or(1_000, |count| count.parse().unwrap());
    let model = double::Double::playing([double::said("Hello to you")]).await;
    let directory = tempfile::tempdir().unwrap();
    let store = Arc::new(SqliteStore::open(directory.path()).unwrap());
    let keyring: Arc<dyn Keyring> = store.clone();
    let user = UserId::new("ana").unwrap();
    let key = create_key(&*keyring, KeyKind::User { user }, None, None, Timestamp::now())
        .await
        .unwrap()
        .key;
    let config = ChatConfig {
        protocol: Protocol::OpenAiChat,
        base_url: model.url.clone(),
        key: None,
        model: "double".to_owned(),
        limits: ChatLimits::default(),
    };
    let models = ChatModels::new("double", Arc::new(RemoteChat::new(config).unwrap()));
    let ports = Ports::new(store, Arc::new(Wall), Arc::new(Wall), Settings::default()).with_chat(models);
    recalld_memory::text::tokens::warm_up();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let app = App::new(ports, keyring, Limits::default());
    let limits = app.limits.clone();
    tokio::spawn(async move {
        recalld_server::serve(listener, router(app), &limits, std::future::pending()).await;
    });

    let host = model
        .url
        .trim_start_matches("http://")
        .trim_end_matches("/v1")
        .to_owned();
    let mut direct = TcpStream::connect(host).await.unwrap();
    let mut through = TcpStream::connect(address).await.unwrap();
    direct.set_nodelay(true).unwrap();
    through.set_nodelay(true).unwrap();
    let asked = request(
        "/v1/chat/completions",
        "none",
        "{\"stream\":true,\"messages\":[{\"role\":\"user\",\"content\":\"hello\"}]}",
    );
    let (mut without, mut with) = (Vec::new(), Vec::new());
    for number in 0..count {
        without.push(first_byte(&mut direct, &asked, "Hello").await);
        let body = format!(
            "{{\"message\":\"tell me more about it\",\"stream\":true,\"session_id\":\"chat-{}\"}}",
            number / 10
        );
        let asked = request("/api/chat", &key, &body);
        with.push(first_byte(&mut through, &asked, "\"delta\":\"Hello").await);
    }
    let added = with
        .iter()
        .zip(&without)
        .map(|(with, without)| with.saturating_sub(*without))
        .collect();
    told("model", without);
    told("recalld", with);
    told("added", added);
}
