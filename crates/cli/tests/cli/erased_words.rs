//! Every user holds a word that nobody else has. One of ten is erased: no byte of their words is
//! left in any file, nor in the memory of a fresh start, and the others keep everything, to the
//! byte.
//!
//! `RECALLD_TEST_SCALE=50` plays it with 1,000 users; `RECALLD_TEST_BINARY` names another build of
//! the program.

#![cfg(target_os = "linux")]

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::time::Instant;

use serde_json::{Value, json};

use crate::erase::regions;
use crate::sandbox::Sandbox;
use crate::server_process::Server;

/// How many users there are, unless it is played larger.
const USERS: usize = 20;

/// Who sends requests at the same time.
const SENDERS: usize = 8;

fn scale() -> usize {
    let scale = std::env::var("RECALLD_TEST_SCALE").ok();
    scale.and_then(|scale| scale.parse().ok()).unwrap_or(1)
}

/// All words begin alike, so that one look finds them all.
fn word(user: usize) -> String {
    format!("canary{user:05}x")
}

fn is_doomed(user: usize) -> bool {
    user % 10 == 3
}

#[test]
fn erased_users_leave_no_byte_and_nobody_else_notices() {
    let sandbox = Sandbox::new();
    let places = sandbox.home().join("tmp");
    fs::create_dir(&places).unwrap();
    let server = Server::start_logged(&sandbox);
    let service = sandbox
        .run(&["keys", "create", "--kind", "service", "--json"])
        .json();
    let service = service["key"].as_str().unwrap().to_owned();
    let users: Vec<usize> = (0..USERS * scale()).collect();
    let began = Instant::now();
    each(&users, |user| move_in(&server, &service, user));
    println!("{} users moved in after {:?}", users.len(), began.elapsed());
    let (doomed, kept): (Vec<usize>, Vec<usize>) = users.iter().partition(|user| is_doomed(**user));
    let before = exports(&server, &service, &kept);
    let _ = exports(&server, &service, &doomed);
    assert_ne!(
        in_files(sandbox.home(), &doomed),
        [""; 0],
        "the search finds what is there"
    );

    let erasing = Instant::now();
    for user in &doomed {
        erase(&sandbox, &server, &service, *user);
    }
    println!("{} users erased in {:?}", doomed.len(), erasing.elapsed());
    assert_eq!(in_files(sandbox.home(), &doomed), [""; 0], "while it runs");
    assert_eq!(exports(&server, &service, &kept), before);
    server.kill();
    assert_eq!(in_files(sandbox.home(), &doomed), [""; 0], "when it is gone");

    let fresh = Server::start_logged(&sandbox);
    assert_eq!(exports(&fresh, &service, &kept), before);
    for user in &doomed {
        let name = format!("user{user}");
        let (status, list) = ask(&fresh, &service, &name, "GET /v1/memories", None);
        assert_eq!(status, 200);
        let list: Value = serde_json::from_slice(&list).unwrap();
        assert_eq!(list["memories"], json!([]));
    }
    let held = in_memory(fresh.id());
    let of = |users: &[usize]| users.iter().filter(|user| held.contains(&word(**user))).count();
    assert_eq!(of(&doomed), 0);
    assert_ne!(of(&kept), 0, "the search finds what is there");
}

/// Gives a user something of every kind that can be sent, all of it with the user's word.
fn move_in(server: &Server, service: &str, user: usize) {
    let (name, word) = (format!("user{user}"), word(user));
    let calls = [
        (
            "POST /v1/memories",
            json!({"content": format!("Likes {word}"), "key": "likes"}),
        ),
        (
            "PATCH /v1/memories/key:likes",
            json!({"content": format!("Loves {word}"), "source": word}),
        ),
        (
            "POST /v1/memories",
            json!({"content": format!("Met {word} today"), "tier": "daily"}),
        ),
        (
            "POST /v1/entities",
            json!({"id": word, "kind": "place", "name": word, "notes": word}),
        ),
        ("PUT /v1/profile/profile", json!({"icp_definition": word})),
        ("PUT /v1/working-memory", json!({"now": word})),
        (
            "POST /v1/conversations",
            json!({"id": format!("c-{word}"), "title": word}),
        ),
        (
            "POST /v1/interactions",
            json!({"type": "save", "text": word, "data": {"of": word}}),
        ),
    ];
    for (call, body) in calls {
        let (status, answer) = ask(server, service, &name, call, Some(body));
        assert!(
            (200..300).contains(&status),
            "{call}: {status} {}",
            String::from_utf8_lossy(&answer)
        );
    }
    let said = json!({"role": "assistant", "content": format!("{word}, indeed")});
    let call = format!("POST /v1/conversations/c-{word}/messages");
    assert_eq!(ask(server, service, &name, &call, Some(said)).0, 201);
    if is_doomed(user) {
        // Recalls are counted and kept later: those of whom stays would change what they have.
        let asked = json!({ "query": word });
        assert_eq!(ask(server, service, &name, "POST /v1/search", Some(asked)).0, 200);
    }
}

/// Every second one is erased by the command.
fn erase(sandbox: &Sandbox, server: &Server, service: &str, user: usize) {
    let name = format!("user{user}");
    if user % 20 == 3 {
        let erased = sandbox.run(&["erase", "--user", &name, "--yes", "--json"]);
        assert_eq!(erased.code, Some(0), "{erased:?}");
        return;
    }
    let (status, receipt) = ask(server, service, &name, "DELETE /v1/me", None);
    let receipt = String::from_utf8_lossy(&receipt).into_owned();
    assert_eq!(status, 200, "{receipt}");
    assert!(
        !receipt.contains(&word(user)) && !receipt.contains(&name),
        "{receipt}"
    );
}

fn exports(server: &Server, service: &str, users: &[usize]) -> BTreeMap<usize, Vec<u8>> {
    let all = std::sync::Mutex::new(BTreeMap::new());
    each(users, |user| {
        let name = format!("user{user}");
        let (status, archive) = ask(server, service, &name, "GET /v1/export", None);
        assert!(status == 200 && archive.starts_with(b"PK"), "{status}");
        all.lock().unwrap().insert(user, archive);
    });
    all.into_inner().unwrap()
}

/// Does something for each user, several at a time.
fn each(users: &[usize], work: impl Fn(usize) + Sync) {
    let share = users.len().div_ceil(SENDERS).max(1);
    std::thread::scope(|scope| {
        for part in users.chunks(share) {
            scope.spawn(|| part.iter().for_each(|user| work(*user)));
        }
    });
}

fn ask(server: &Server, key: &str, user: &str, call: &str, body: Option<Value>) -> (u16, Vec<u8>) {
    let body = body.map(|body| body.to_string()).unwrap_or_default();
    let mut stream = TcpStream::connect(server.address()).unwrap();
    // A once-key per request, so that its answer is kept as well.
    let once = format!("{user} {call} {}", body.len());
    write!(
        stream,
        "{call} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nauthorization: Bearer {key}\r\nrecalld-user: {user}\r\n\
         idempotency-key: {once}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let end = answer
        .windows(4)
        .position(|window| window == b"\r\n\r\n")
        .unwrap();
    let head = String::from_utf8_lossy(&answer[..end]).to_lowercase();
    let status = head[9..12].parse().unwrap();
    let body = &answer[end + 4..];
    match head.contains("transfer-encoding: chunked") {
        true => (status, joined(body)),
        false => (status, body.to_vec()),
    }
}

/// Puts the chunks of a body together.
fn joined(mut chunks: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    while let Some(end) = chunks.windows(2).position(|window| window == b"\r\n") {
        let size = usize::from_str_radix(std::str::from_utf8(&chunks[..end]).unwrap(), 16).unwrap();
        whole.extend(&chunks[end + 2..end + 2 + size]);
        chunks = &chunks[end + 4 + size..];
    }
    whole
}

/// Finds words of these users in every file below a folder: the database, its log, what the server
/// logged, temporary files.
fn in_files(folder: &Path, users: &[usize]) -> Vec<String> {
    let words: HashSet<String> = users.iter().map(|user| word(*user)).collect();
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let there = words_in(&fs::read(&path).unwrap_or_default());
            let there = there.intersection(&words);
            found.extend(there.map(|word| format!("{word} in {}", path.display())));
        }
    }
    found
}

/// Finds all words in what a process can write to.
fn in_memory(process: u32) -> HashSet<String> {
    let mut found = HashSet::new();
    regions(process, |bytes| found.extend(words_in(bytes)));
    found
}

fn words_in(bytes: &[u8]) -> HashSet<String> {
    let length = word(0).len();
    let starts = bytes
        .windows(6)
        .enumerate()
        .filter(|(_, window)| *window == b"canary");
    starts
        .filter_map(|(at, _)| bytes.get(at..at + length))
        .map(|word| String::from_utf8_lossy(word).into_owned())
        .collect()
}
