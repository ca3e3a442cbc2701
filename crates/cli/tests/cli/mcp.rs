//! `recalld mcp`, on the data directory, through the server that holds it, and in front of a remote
//! one.

use serde_json::{Value, json};

use crate::sandbox::Sandbox;
use crate::server_process::{Client, Server};

/// The arguments that remember what Ana likes.
fn likes(word: &str) -> Value {
    json!({"key": word, "value": format!("Ana likes {word}"), "category": "preference", "durability": "durable"})
}

/// Remembers and finds something, in a session and without.
fn converse(client: &mut Client, word: &str) {
    assert_eq!(client.open()["result"]["serverInfo"]["name"], "recalld");
    let seen = client.call(1, "write_memory", likes(word));
    assert_eq!(
        (&seen["id"], &seen["result"]["isError"]),
        (&json!(1), &json!(false)),
        "{seen}"
    );
    let found = client.call(2, "search_memory", json!({"query": word}));
    assert!(found["result"].to_string().contains(word), "{found}");
}

#[test]
fn several_clients_and_commands_share_a_directory_that_one_holds() {
    let sandbox = Sandbox::new();
    let mut first = Client::start(&sandbox, &["mcp"]);
    converse(&mut first, "sardines");
    let mut second = Client::start(&sandbox, &["mcp"]);
    converse(&mut second, "figs");
    assert_eq!(sandbox.run(&["add", "Ana likes fado"]).code, Some(0));
    let listed = first.call(9, "search_memory", json!({"query": "what does Ana like"}));
    for word in ["sardines", "figs", "fado"] {
        assert!(listed.to_string().contains(word), "{listed}");
    }
    assert!(second.leave() && first.leave());
    assert!(!sandbox.data().join("server.json").exists());
    assert_eq!(sandbox.run(&["list", "-q"]).out.lines().count(), 3);
}

#[test]
fn no_verbosity_logs_what_clients_send() {
    let sandbox = Sandbox::new();
    std::fs::create_dir(sandbox.home().join("tmp")).unwrap();
    let server = Server::start_logged(&sandbox);
    let headers = [
        ("accept", "application/json, text/event-stream"),
        ("mcp-protocol-version", "2026-07-28"),
        ("mcp-method", "tools/call"),
    ];
    let secret = "sk-proj-canary4714canary4714canary4714canary4714";
    for (tool, arguments) in [
        ("write_memory", likes("canary-content")),
        ("write_memory", likes(secret)),
        (
            "search_memory",
            json!({"query": "canary-query", "unknown": "canary-argument"}),
        ),
    ] {
        let body = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
            "name": tool, "arguments": arguments, "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {}}}});
        let named = [&headers[..], &[("mcp-name", tool)]].concat();
        let (status, answer) = server.ask("POST /mcp", &named, &body.to_string());
        assert_eq!(status, 200, "{answer}");
    }
    server.kill();
    let log = std::fs::read_to_string(sandbox.home().join("server.log")).unwrap();
    assert!(log.contains("request served"), "{log}");
    let line = log.lines().find(|line| line.contains("canary"));
    assert_eq!(line, None);
}

#[test]
fn a_client_goes_through_the_server_that_holds_the_directory() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox);
    let mut client = Client::start(&sandbox, &["mcp", "--user", "ana"]);
    converse(&mut client, "sardines");
    assert!(client.leave());
    assert!(sandbox.run(&["list", "--user", "ana"]).out.contains("sardines"));
    assert!(!sandbox.run(&["list"]).out.contains("sardines"));
    let mut client = Client::start(&sandbox, &["mcp"]);
    client.open();
    server.kill();
    assert!(client.read().is_null(), "it ends with the server");
}

#[test]
fn a_client_reaches_a_remote_server() {
    let (here, there) = (Sandbox::new(), Sandbox::new());
    let server = Server::start(&there);
    let mut client = Client::start(&here, &["mcp", "--url", &server.url, "--key", &server.key]);
    converse(&mut client, "sardines");
    let alone = client.call_alone(3, "search_memory", json!({"query": "sardines"}));
    assert!(alone["result"].to_string().contains("sardines"), "{alone}");
    let unknown = client.call_alone(4, "größe", json!({}));
    assert_eq!(
        (&unknown["id"], &unknown["error"]["code"]),
        (&json!(4), &json!(-32602)),
        "{unknown}"
    );
    client.send(&json!([1]));
    assert_eq!(client.read()["error"]["code"], -32600);
    assert!(client.leave());
    assert!(there.run(&["list"]).out.contains("sardines"));
    assert!(!here.data().exists(), "nothing is kept here");
}

#[test]
fn a_remote_server_that_refuses_or_is_gone_is_told_of() {
    let (here, there) = (Sandbox::new(), Sandbox::new());
    let server = Server::start(&there);
    let guessed = format!("rk_{}", "0".repeat(64));
    let mut client = Client::start(&here, &["mcp", "--url", &server.url, "--key", &guessed]);
    let refused = client.open();
    let reason = refused["error"]["message"].as_str().unwrap();
    assert!(
        refused["id"] == 0 && reason.contains("401") && !reason.contains(&guessed),
        "{reason}"
    );
    let named = &[
        "mcp",
        "--url",
        &server.url,
        "--key",
        &server.admin,
        "--user",
        "ana",
    ];
    let mut service = Client::start(&here, named);
    converse(&mut service, "figs");
    let url = server.url.clone();
    server.kill();
    let gone = service.call(5, "search_memory", json!({"query": "figs"}));
    assert!(
        gone["id"] == 5
            && gone["error"]["message"]
                .as_str()
                .unwrap()
                .contains("cannot be reached"),
        "{gone}"
    );
    for bad in ["ftp://x", "nonsense", "http://u:p@127.0.0.1"] {
        let run = here.run(&["mcp", "--url", bad]);
        assert_eq!(run.code, Some(2), "{run:?}");
    }
    assert_eq!(
        here.run(&["mcp", "--key", &guessed]).code,
        Some(2),
        "a key alone is for nobody: {url}"
    );
}

#[test]
fn a_client_outlives_its_server() {
    let (here, there) = (Sandbox::new(), Sandbox::new());
    let server = Server::start(&there);
    let address = server.address().to_owned();
    let mut client = Client::start(&here, &["mcp", "--url", &server.url, "--key", &server.key]);
    converse(&mut client, "sardines");
    server.kill();
    let _server = Server::start_again(&there, &address);
    let found = client.call(7, "search_memory", json!({"query": "sardines"}));
    assert!(
        found["id"] == 7 && found["result"].to_string().contains("sardines"),
        "{found}"
    );
    assert!(client.leave());
}

/// Not even the most detailed log contains what a client says or gets to hear.
#[test]
fn no_log_level_shows_content() {
    let sandbox = Sandbox::new();
    let log = sandbox.home().join("mcp.log");
    let mut command = sandbox.command(&["mcp", "-vvv", "-o", "log=rmcp=trace"]);
    command.stderr(std::fs::File::create(&log).unwrap());
    let mut client = Client::of(command);
    client.open();
    let stored = client.call(1, "write_memory", likes("canaryword"));
    assert_eq!(stored["result"]["isError"], false, "{stored}");
    client.call(2, "search_memory", json!({ "query": "canaryword" }));
    client.call(3, "no_such_tool", json!({ "query": "canaryword" }));
    assert!(client.leave());
    let logged = std::fs::read_to_string(&log).unwrap();
    assert!(!logged.contains("canaryword"), "{logged}");
}
