//! Servers on PostgreSQL, as their clients meet them: two on one database, a database that is away,
//! and one that another takes the place of.

use std::collections::HashSet;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use recalld_testing::postgres_server::PostgresServer;
use serde_json::{Value, json};

use crate::sandbox::Sandbox;
use crate::server_process::{Client, Server};

/// How long a server may take to find its database again.
const RECOVERY: Duration = Duration::from_secs(60);

/// How often the database is killed; more of it by `RECALLD_TEST_OUTAGES`.
fn outages() -> usize {
    let wanted = std::env::var("RECALLD_TEST_OUTAGES").ok();
    wanted.and_then(|wanted| wanted.parse().ok()).unwrap_or(2)
}

fn serve(sandbox: &Sandbox, address: &str) -> Server {
    Server::start_on(sandbox, "127.0.0.1:0", &["--database-url", address])
}

/// Starts another server of the same database, which has keys already.
fn serve_beside(sandbox: &Sandbox, first: &Server, address: &str) -> Server {
    let mut server = serve(sandbox, address);
    server.key.clone_from(&first.key);
    server.admin.clone_from(&first.admin);
    server
}

#[test]
fn what_one_server_acknowledges_or_revokes_holds_for_the_other() {
    let database = PostgresServer::start("");
    let (first, second) = (Sandbox::new(), Sandbox::new());
    let one = serve(&first, &database.address());
    let two = serve_beside(&second, &one, &database.address());
    for number in 0..10 {
        let (writer, reader) = if number % 2 == 0 {
            (&one, &two)
        } else {
            (&two, &one)
        };
        let body = json!({ "content": format!("has seen zebra{number}") }).to_string();
        assert_eq!(writer.ask("POST /v1/memories", &[], &body).0, 201);
        let body = json!({ "query": format!("zebra{number}") }).to_string();
        let (status, found) = reader.ask("POST /v1/search", &[], &body);
        assert_eq!(status, 200);
        assert!(found.contains(&format!("has seen zebra{number}")), "{found}");
    }
    let body = json!({ "kind": "user", "user": "ana" }).to_string();
    let (status, made) = one.ask_as(&one.admin, "POST /v1/admin/keys", &[], &body);
    assert_eq!(status, 201, "{made}");
    let made: Value = serde_json::from_str(&made).unwrap();
    let (id, key) = (made["id"].as_str().unwrap(), made["key"].as_str().unwrap());
    let uses = |server: &Server| server.ask_as(key, "GET /v1/memories", &[], "").0;
    assert_eq!((uses(&one), uses(&two)), (200, 200));
    let (status, _) = one.ask_as(&one.admin, &format!("DELETE /v1/admin/keys/{id}"), &[], "");
    assert_eq!(status, 204);
    let revoked = Instant::now();
    assert_eq!(uses(&one), 401, "at once where it was revoked");
    loop {
        // What counts is when it was asked, not how long the answer took.
        let asked = revoked.elapsed();
        if uses(&two) == 401 {
            break;
        }
        assert!(
            asked < Duration::from_secs(1),
            "the other server still takes the key"
        );
    }
}

/// A client that holds a user's token asks the database itself, with a vector that the server made
/// of the question. A client of a database goes neither through the server of the embedded store,
/// nor do commands on that go through it.
#[test]
fn a_client_of_a_database_and_a_server_without_one_do_not_meet() {
    let database = PostgresServer::start("");
    let address = database.address();
    let sandbox = Sandbox::new();
    let mut client = Client::start(&sandbox, &["mcp", "--database-url", &address]);
    client.open();
    assert_eq!(sandbox.run(&["add", "I like figs"]).code, Some(0));
    let _server = Server::start(&sandbox);
    let mut beside = Client::start(&sandbox, &["mcp", "--database-url", &address]);
    beside.open();
    for (number, client) in [&mut client, &mut beside].into_iter().enumerate() {
        let value = format!("has seen zebra{number}");
        let arguments =
            json!({"key": value, "value": value, "category": "personal_context", "durability": "durable"});
        let stored = client.call(1, "write_memory", arguments);
        assert_eq!(stored["result"]["isError"], false, "{stored}");
    }
    assert!(client.leave() && beside.leave());
    let embedded = sandbox.run(&["list"]).out;
    assert!(
        embedded.contains("figs") && !embedded.contains("zebra"),
        "{embedded}"
    );
    let listed = sandbox.run(&["list", "--database-url", &address]).out;
    let seen = |word: &str| listed.contains(word);
    assert!(seen("zebra0") && seen("zebra1") && !seen("figs"), "{listed}");
}

#[test]
fn what_a_server_acknowledged_can_be_matched_by_a_client_of_the_database() {
    let database = PostgresServer::start("");
    let sandbox = Sandbox::new();
    let server = serve(&sandbox, &database.address());
    for (user, fact) in [
        ("ana", "Ana keeps bees in the garden"),
        ("ana", "Ana works as a lawyer"),
        ("bob", "Bob keeps bees on the roof"),
    ] {
        let body = json!({ "content": fact }).to_string();
        let headers = [("recalld-user", user)];
        let (status, said) = server.ask_as(&server.admin, "POST /v1/memories", &headers, &body);
        assert_eq!(status, 201, "{said}");
    }
    let body = json!({ "text": "who keeps bees?" }).to_string();
    let (status, made) = server.ask("POST /v1/embed", &[], &body);
    assert_eq!(status, 200, "{made}");
    let made: Value = serde_json::from_str(&made).unwrap();
    let embedding = &made["embedding"];
    assert_eq!(made["dimension"], embedding.as_array().unwrap().len());
    let found = |user: &str, filter: &str| {
        database.ask(&format!(
            "BEGIN; SET LOCAL ROLE recalld_reader; SET LOCAL request.jwt.claims = '{{\"sub\":\"{user}\"}}';
             SELECT content FROM match_memories('{embedding}', 1, {filter})"
        ))
    };
    // Vectors are made in the background: asked again until they are there, for a minute at most.
    let matched = |user: &str, expected: &str| {
        (0..600).any(|_| {
            let same = found(user, "NULL") == expected;
            if !same {
                std::thread::sleep(std::time::Duration::from_millis(100));
            }
            same
        })
    };
    assert!(matched("ana", "Ana keeps bees in the garden\n"));
    assert!(matched("bob", "Bob keeps bees on the roof\n"));
    assert_eq!(found("bob", "'ana'"), "", "a filter never widens");
    assert_eq!(found("nobody", "NULL"), "");
    for body in [
        json!({ "text": " " }),
        json!({ "text": "a".repeat(8193) }),
        json!({ "text": "a", "user": "bob" }),
    ] {
        let (status, said) = server.ask("POST /v1/embed", &[], &body.to_string());
        assert_eq!(status, 400, "{said}");
    }
}

/// One answer, with its head.
struct Answer {
    status: u16,
    head: String,
    body: String,
}

/// Sends a request; none when the connection broke.
fn exchange(address: &str, key: &str, call: &str, body: &str) -> Option<Answer> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(RECOVERY)).ok()?;
    let length = body.len();
    write!(
        stream,
        "{call} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\nauthorization: Bearer {key}\r\n\
         content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    )
    .ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    Some(Answer {
        status: head.get(9..12)?.parse().ok()?,
        head: head.to_ascii_lowercase(),
        body: body.to_owned(),
    })
}

/// Clients who write and search until they are told to stop.
struct Load {
    stop: Arc<AtomicBool>,
    acknowledged: Arc<Mutex<HashSet<String>>>,
    refused: Arc<AtomicUsize>,
    clients: Vec<JoinHandle<()>>,
}

impl Load {
    fn on(server: &Server) -> Load {
        let load = Load {
            stop: Arc::default(),
            acknowledged: Arc::default(),
            refused: Arc::default(),
            clients: Vec::new(),
        };
        let clients = (0..4).map(|client| {
            let (address, key) = (server.address().to_owned(), server.key.clone());
            let (stop, refused) = (Arc::clone(&load.stop), Arc::clone(&load.refused));
            let acknowledged = Arc::clone(&load.acknowledged);
            std::thread::spawn(move || {
                let mut number = 0;
                while !stop.load(Ordering::Relaxed) {
                    number += 1;
                    let fact = format!("client{client} said fact{number}");
                    let body = json!({ "content": fact }).to_string();
                    let written = exchange(&address, &key, "POST /v1/memories", &body).unwrap();
                    match written.status {
                        201 => drop(acknowledged.lock().unwrap().insert(fact)),
                        _ => is_a_clear_refusal(&written, &refused),
                    }
                    let body = json!({ "query": format!("fact{number}") }).to_string();
                    let found = exchange(&address, &key, "POST /v1/search", &body).unwrap();
                    if found.status != 200 {
                        is_a_clear_refusal(&found, &refused);
                    }
                }
            })
        });
        let clients = clients.collect();
        Load { clients, ..load }
    }

    fn acknowledged(&self) -> usize {
        self.acknowledged.lock().unwrap().len()
    }

    /// Waits until so many more were acknowledged.
    fn wait_for(&self, more: usize) {
        let (until, wanted) = (Instant::now() + RECOVERY, self.acknowledged() + more);
        while self.acknowledged() < wanted {
            assert!(Instant::now() < until, "the server has not recovered");
            assert!(self.clients.iter().all(|client| !client.is_finished()));
            std::thread::yield_now();
        }
    }

    /// Waits until somebody was refused.
    fn wait_for_refusal(&self) {
        let (until, before) = (Instant::now() + RECOVERY, self.refused.load(Ordering::Relaxed));
        while self.refused.load(Ordering::Relaxed) == before {
            assert!(
                Instant::now() < until,
                "nobody was refused while the database was away"
            );
            std::thread::yield_now();
        }
    }

    /// Ends it, and gives all that was acknowledged.
    fn end(self) -> HashSet<String> {
        self.stop.store(true, Ordering::Relaxed);
        for client in self.clients {
            client.join().unwrap();
        }
        self.acknowledged.lock().unwrap().clone()
    }
}

/// While the database is away there is one answer: come back soon.
fn is_a_clear_refusal(answer: &Answer, refused: &AtomicUsize) {
    let problem: Value = serde_json::from_str(&answer.body).unwrap();
    assert_eq!(
        (answer.status, &problem["status"]),
        (503, &json!(503)),
        "{problem}"
    );
    assert!(
        answer.head.contains("content-type: application/problem+json"),
        "{}",
        answer.head
    );
    assert!(answer.head.contains("retry-after: "), "{}", answer.head);
    refused.fetch_add(1, Ordering::Relaxed);
}

/// Everything that is kept of the user, by a server that holds nothing in memory yet.
fn kept(server: &Server) -> HashSet<String> {
    let (mut kept, mut after) = (HashSet::new(), String::new());
    loop {
        let (status, page) = server.ask(&format!("GET /v1/memories?limit=500{after}"), &[], "");
        assert_eq!(status, 200, "{page}");
        let page: Value = serde_json::from_str(&page).unwrap();
        let contents = page["memories"].as_array().unwrap().iter();
        kept.extend(contents.map(|memory| memory["content"].as_str().unwrap().to_owned()));
        match page["next_page"].as_str() {
            Some(next) => after = format!("&after={next}"),
            None => return kept,
        }
    }
}

#[test]
fn while_the_database_is_away_answers_are_clear_and_servers_recover_by_themselves() {
    let database = PostgresServer::start("");
    let (first, second) = (Sandbox::new(), Sandbox::new());
    let server = serve(&first, &database.address());
    let load = Load::on(&server);
    for _ in 0..outages() {
        load.wait_for(20);
        database.kill();
        load.wait_for_refusal();
        let (status, _) = server.ask("GET /health/ready", &[], "");
        assert_eq!(status, 503);
        assert_eq!(server.ask("GET /health/live", &[], "").0, 200);
        database.launch("");
    }
    load.wait_for(20);
    let acknowledged = load.end();
    let fresh = serve_beside(&second, &server, &database.address());
    let kept = kept(&fresh);
    assert!(
        acknowledged.is_subset(&kept),
        "{:?}",
        acknowledged.difference(&kept)
    );
}

#[test]
fn a_standby_that_takes_over_has_what_was_acknowledged() {
    let primary = PostgresServer::start("");
    let (first, second, third) = (Sandbox::new(), Sandbox::new(), Sandbox::new());
    let before = serve(&first, &primary.address());
    let standby = primary.follower();
    primary.wait_for_follower();
    let server = serve_beside(&second, &before, &primary.address_with(&standby));
    let load = Load::on(&server);
    load.wait_for(40);
    primary.kill();
    load.wait_for_refusal();
    standby.promote();
    load.wait_for(20);
    let acknowledged = load.end();
    let fresh = serve_beside(&third, &server, &standby.address());
    let kept = kept(&fresh);
    assert!(
        acknowledged.is_subset(&kept),
        "{:?}",
        acknowledged.difference(&kept)
    );
}
