//! `recalld serve` as a process: what it acknowledged survives, and other commands go through it.

use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::process::{Child, Command};

use serde_json::{Value, json};

use recalld_testing::chat_server::{Double, said};

use crate::sandbox::{Sandbox, finish};
use crate::server_process::Server;

/// Remembers something under a key for repetition.
fn remember(server: &Server, once: &str, content: &str) -> (u16, Value) {
    let body = json!({"content": content, "key": "home"}).to_string();
    let (status, answer) = server.ask("POST /v1/memories", &[("idempotency-key", once)], &body);
    (status, serde_json::from_str(&answer).unwrap())
}

#[test]
fn after_a_kill_a_repeated_request_gets_its_first_answer_once() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox);
    let first = remember(&server, "k1", "Ana lives in Lisbon");
    assert_eq!((first.0, &first.1["outcome"]), (201, &json!("stored")));
    server.kill();
    let server = Server::start(&sandbox);
    assert_eq!(remember(&server, "k1", "Ana lives in Lisbon"), first);
    assert_eq!(remember(&server, "k1", "Ana lives in Porto").0, 422);
    let (_, listed) = server.ask("GET /v1/memories?showing=all", &[], "");
    let listed: Value = serde_json::from_str(&listed).unwrap();
    assert_eq!(listed["memories"].as_array().unwrap().len(), 1, "{listed}");
    server.kill();
    let server = Server::start(&sandbox);
    assert_eq!(remember(&server, "k1", "Ana lives in Lisbon"), first);
}

#[test]
fn erasing_asks_the_same_with_a_server_and_without() {
    let sandbox = Sandbox::new();
    sandbox.run(&["add", "Ana lives in Lisbon", "--key", "home"]);
    let without = sandbox.run(&["forget", "home", "--erase"]);
    let server = Server::start(&sandbox);
    let with = sandbox.run(&["forget", "home", "--erase"]);
    assert_eq!((with.code, &with.err), (without.code, &without.err));
    assert!(with.err.contains("--yes"), "{with:?}");
    let erased = sandbox.run(&["forget", "home", "--erase", "--yes"]);
    assert_eq!(erased.code, Some(0), "{erased:?}");
    let (status, _) = server.ask("GET /v1/memories/key:home", &[], "");
    assert_eq!(status, 404);
}

/// A server whose banner is read; it is killed in the end.
struct Started(Child);

impl Started {
    fn new(mut command: Command) -> Started {
        Started(command.spawn().unwrap())
    }

    /// Reads what it says until a line satisfies `last`.
    fn read_until(&mut self, last: impl Fn(&str) -> bool) -> String {
        let mut out = BufReader::new(self.0.stdout.take().unwrap());
        let mut text = String::new();
        loop {
            let mut line = String::new();
            assert_ne!(out.read_line(&mut line).unwrap(), 0, "it ended: {text}");
            text += &line;
            if last(&line) {
                return text;
            }
        }
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn the_line_to_try_works_in_any_folder() {
    let sandbox = Sandbox::new();
    let mut server = Started::new(sandbox.command(&["serve", "--listen", "127.0.0.1:0", "--data", "my px"]));
    let banner = server.read_until(|line| line.contains("window seats"));
    let keys = sandbox.home().join("my px/keys.json").canonicalize().unwrap();
    let found: Vec<&str> = banner.lines().filter(|line| line.contains("keys.json")).collect();
    assert_eq!(found.len(), 2, "{banner}");
    assert!(
        found[0].contains(&format!("{} (created just now)", keys.display())),
        "{banner}"
    );
    assert!(found[1].contains(&format!("'{}')", keys.display())), "{banner}");
}

#[test]
fn the_console_of_a_running_server_signs_in_once() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox);
    let link = finish(sandbox.command(&["console", "--no-open", "-q"]));
    assert_eq!(link.code, Some(0), "{link:?}");
    let (address, code) = link.out.trim().split_once("/#signin=").unwrap();
    assert_eq!(address, format!("http://{}", server.address()));
    let body = format!("{{\"code\": \"{code}\"}}");
    let (status, answer) = server.ask_as("", "POST /v1/sign-in", &[], &body);
    assert_eq!(status, 200, "{answer}");
    assert!(answer.contains("rk_"), "{answer}");
    let (status, answer) = server.ask_as("", "POST /v1/sign-in", &[], &body);
    assert_eq!(status, 401, "{answer}");
}

#[test]
fn a_quiet_server_says_only_where_it_is() {
    let sandbox = Sandbox::new();
    let mut server = Started::new(sandbox.command(&["serve", "--listen", "127.0.0.1:0", "-q"]));
    let mut out = BufReader::new(server.0.stdout.take().unwrap());
    let mut banner = String::new();
    out.read_line(&mut banner).unwrap();
    // What else it may have said was said by then: the banner is written in one piece.
    drop(server);
    out.read_to_string(&mut banner).unwrap();
    assert!(banner.starts_with("http://127.0.0.1:"), "{banner}");
    assert_eq!(banner.lines().count(), 1, "{banner}");
}

#[test]
fn a_start_that_is_refused_leaves_nothing_behind() {
    let sandbox = Sandbox::new();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let refused = finish(sandbox.command(&["serve", "--listen", &address]));
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(
        refused.err.contains("another program listens on") && refused.err.contains("`recalld serve --listen"),
        "{refused:?}"
    );
    assert!(!sandbox.data().exists(), "a directory was made");
    drop(taken);
    let server = Server::start_on(&sandbox, &address, &[]);
    let second = finish(sandbox.command(&["serve", "--listen", &address]));
    let told = format!(
        "process {} already serves this data directory at http://{address}",
        server.id()
    );
    assert!(second.err.contains(&told), "{second:?}");
    // Another port makes no difference.
    let third = finish(sandbox.command(&["serve", "--listen", "0"]));
    assert!(third.err.contains(&told), "{third:?}");
}

#[test]
fn the_chat_model_is_asked_for_and_named_and_a_local_ollama_is_only_named() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let double = runtime.block_on(Double::playing([said("Hello")]));
    let host = double.url.trim_end_matches("/v1").to_owned();
    for (variable, value, told) in [
        ("OPENAI_BASE_URL", double.url.clone(), "chat uses double"),
        (
            "OLLAMA_HOST",
            host,
            "Ollama runs here with nomic-embed-text, double, other",
        ),
    ] {
        let sandbox = Sandbox::new();
        let mut command = sandbox.command(&["serve", "--listen", "0"]);
        command.env(variable, value);
        let mut server = Started::new(command);
        let mut err = BufReader::new(server.0.stderr.take().unwrap());
        let mut line = String::new();
        err.read_line(&mut line).unwrap();
        assert!(line.contains(told), "{line}");
    }
    assert!(double.asked().is_empty(), "nothing was said to a model");
}
