//! What recalld adds to the time until the first word of a reply, against a model that answers at
//! once.
//!
//! `cargo run --example first_byte -- PATH_TO_RECALLD [COUNT]` starts that binary with a data
//! directory of its own and a user who has a thousand memories, and asks the model directly and
//! through recalld, over real connections on the loopback. Each kind of request is made COUNT
//! times; what recalld adds is the difference of the two.

#![expect(
    clippy::unwrap_used,
    reason = "a measurement that cannot be set up should stop where that shows"
)]

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use recalld_testing::chat_server;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A running server, which ends with the measurement.
struct Server {
    process: Child,
    address: String,
    key: String,
    data: tempfile::TempDir,
}

impl Server {
    fn read(&self, name: &str) -> Option<Value> {
        let text = std::fs::read(self.data.path().join(name)).ok()?;
        serde_json::from_slice(&text).ok()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

async fn start(binary: &str, model: &str) -> Server {
    let data = tempfile::tempdir().unwrap();
    let mut command = Command::new(binary);
    command
        .args(["serve", "--listen", "127.0.0.1:0"])
        .args(["-o", "server.per_key_second_max=1000000", "--data"])
        .arg(data.path())
        .env("OPENAI_BASE_URL", model)
        .env("RECALLD_EXTRACTION_METHOD", "rules")
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut server = Server {
        process: command.spawn().unwrap(),
        address: String::new(),
        key: String::new(),
        data,
    };
    for _ in 0..1_000 {
        if let (Some(running), Some(keys)) = (server.read("server.json"), server.read("keys.json")) {
            running["address"]
                .as_str()
                .unwrap()
                .clone_into(&mut server.address);
            keys["local"].as_str().unwrap().clone_into(&mut server.key);
            return server;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("the server did not start");
}

/// A connection on which requests follow one another.
struct Line(TcpStream);

impl Line {
    async fn to(address: &str) -> Line {
        let stream = TcpStream::connect(address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Line(stream)
    }

    /// Sends `request` and gives the time until `mark` comes; reads on to the end of the answer.
    async fn first_byte(&mut self, request: &str, mark: &str) -> Duration {
        let begun = Instant::now();
        self.0.write_all(request.as_bytes()).await.unwrap();
        let (mut heard, mut first) = (Vec::new(), None);
        loop {
            let mut piece = [0; 16 * 1024];
            let read = self.0.read(&mut piece).await.unwrap();
            assert_ne!(read, 0, "{}", String::from_utf8_lossy(&heard));
            heard.extend_from_slice(&piece[..read]);
            if first.is_none() && heard.windows(mark.len()).any(|some| some == mark.as_bytes()) {
                first = Some(begun.elapsed());
            }
            if heard.ends_with(b"0\r\n\r\n") {
                return first.unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&heard)));
            }
        }
    }
}

fn request(path: &str, key: &str, body: &Value) -> String {
    let body = body.to_string();
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {key}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    )
}

/// A user with a profile and a thousand memories.
async fn furnish(server: &Server) {
    let mut stream = TcpStream::connect(&server.address).await.unwrap();
    let mut put = async |call: &str, body: Value| {
        let body = body.to_string();
        let request = format!(
            "{call} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            server.key,
            body.len()
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = [0; 16 * 1024];
        let read = stream.read(&mut answer).await.unwrap();
        let answer = String::from_utf8_lossy(&answer[..read]).into_owned();
        assert!(answer.starts_with("HTTP/1.1 2"), "{answer}");
    };
    put(
        "PUT /v1/profile/profile",
        json!({ "target_titles": ["CISO", "VP Security"], "company_types": ["Enterprise SaaS"] }),
    )
    .await;
    for number in 0..1_000 {
        let content = format!(
            "Account review {number} went well; the next call is about contract {}",
            number % 37
        );
        put("POST /v1/memories", json!({ "content": content })).await;
    }
}

fn told(name: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1_000.0;
    let (half, most, nearly_all) = (at(0.5), at(0.9), at(0.99));
    println!("{name:<28} p50 {half:>7.3} ms  p90 {most:>7.3} ms  p99 {nearly_all:>7.3} ms");
}

/// The kinds of requests: a name, the path, the body by number, and what the first word looks like.
type Kind = (&'static str, &'static str, fn(usize) -> Value, &'static str);

const KINDS: [Kind; 4] = [
    (
        "new conversation (task)",
        "/api/chat",
        |_| json!({ "message": "prepare the account review", "stream": true }),
        "\"delta\":\"Hello",
    ),
    (
        "follow-up (conversation)",
        "/api/chat",
        |number| json!({ "message": "tell me more about it", "stream": true, "session_id": format!("chat-{}", number / 10) }),
        "\"delta\":\"Hello",
    ),
    (
        "follow-up in task mode",
        "/api/chat",
        |number| json!({ "message": "tell me more", "mode": "task", "stream": true, "session_id": format!("work-{}", number / 10) }),
        "\"delta\":\"Hello",
    ),
    (
        "/openai/v1",
        "/openai/v1/chat/completions",
        |number| {
            json!({ "model": "default", "stream": true, "metadata": { "conversation_id": format!("open-{}", number / 10) },
                "messages": [{ "role": "user", "content": format!("what about contract {}?", number % 37) }] })
        },
        "\"content\":\"Hello",
    ),
];

#[tokio::main]
async fn main() {
    let mut arguments = std::env::args().skip(1);
    let binary = arguments
        .next()
        .unwrap_or_else(|| panic!("name the binary to measure"));
    let count: usize = arguments.next().map_or(1_000, |count| count.parse().unwrap());
    let model = chat_server::Double::playing([chat_server::said("Hello to you")]).await;
    let server = start(&binary, &model.url).await;
    furnish(&server).await;
    let host = model.url.trim_start_matches("http://").trim_end_matches("/v1");
    let (mut direct, mut through) = (Line::to(host).await, Line::to(&server.address).await);
    let plain = json!({ "stream": true, "messages": [{ "role": "user", "content": "hello" }] });
    let plain = request("/v1/chat/completions", "none", &plain);
    let mut without = Vec::new();
    for (name, path, body, mark) in KINDS {
        let mut added = Vec::new();
        for number in 0..count {
            let alone = direct.first_byte(&plain, "Hello").await;
            let asked = request(path, &server.key, &body(number));
            added.push(through.first_byte(&asked, mark).await.saturating_sub(alone));
            without.push(alone);
        }
        told(name, added);
    }
    told("the model alone", without);
}
