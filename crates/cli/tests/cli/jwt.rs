//! Tokens of an issuer that publishes its keys, from the configuration to the answer.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

use crate::sandbox::Sandbox;
use crate::server_process::Server;

fn fixtures() -> Value {
    serde_json::from_str(include_str!("../../../server/tests/issuer/tokens.json")).unwrap()
}

/// Publishes a key set, and counts how often it is fetched.
fn publish(set: &Value) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/jwks.json", listener.local_addr().unwrap());
    let (body, fetched) = (set.to_string(), Arc::new(AtomicUsize::new(0)));
    let counted = Arc::clone(&fetched);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 2048]);
            counted.fetch_add(1, Ordering::SeqCst);
            let head = format!(
                "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {}",
                body.len()
            );
            let _ = write!(stream, "{head}\r\n\r\n{body}");
        }
    });
    (url, fetched)
}

fn serving(sandbox: &Sandbox, url: &str) -> Server {
    let url = format!("server.jwt_jwks_url={url}");
    let options = [
        "-o",
        &url,
        "-o",
        "server.jwt_issuer=https://issuer.example",
        "-o",
        "server.jwt_audience=recalld",
    ];
    Server::start_on(sandbox, "127.0.0.1:0", &options)
}

fn ask(server: &Server, token: &str) -> (u16, String) {
    let token = fixtures()["tokens"][token].as_str().unwrap().to_owned();
    server.ask_as(&token, "GET /v1/memories", &[], "")
}

#[test]
fn tokens_of_published_keys_are_accepted_and_no_others() {
    let sandbox = Sandbox::new();
    let (url, fetched) = publish(&fixtures()["sets"]["first"]);
    let server = serving(&sandbox, &url);
    for good in ["rs256", "es256"] {
        assert_eq!(ask(&server, good).0, 200, "{good}");
    }
    for bad in [
        "path_kid",
        "unknown_kid",
        "url_kid",
        "other_key",
        "signed_with_public_key",
        "expired",
    ] {
        let (status, body) = ask(&server, bad);
        assert_eq!(status, 401, "{bad}: {body}");
        assert!(!body.contains("passwd") && !body.contains("kid"), "{body}");
    }
    assert_eq!(fetched.load(Ordering::SeqCst), 1, "unknown keys make no storm");
    assert_eq!(
        server.ask("GET /v1/memories", &[], "").0,
        200,
        "keys work beside tokens"
    );
}

#[test]
fn an_issuer_out_of_reach_is_no_fault_of_the_caller() {
    let sandbox = Sandbox::new();
    let server = serving(&sandbox, "http://127.0.0.1:1/jwks.json");
    let (status, body) = ask(&server, "rs256");
    assert_eq!(status, 503, "{body}");
    assert_eq!(server.ask("GET /v1/memories", &[], "").0, 200);
}

#[test]
fn an_issuer_that_cannot_be_trusted_is_refused_at_the_start() {
    let sandbox = Sandbox::new();
    for options in [
        &["server.jwt_jwks_url=http://issuer.example/jwks"][..],
        &["server.jwt_jwks_url=https://issuer.example/jwks"],
        &["server.jwt_algorithms=HS256"],
        &[
            "server.jwt_jwks_url=https://i.example/j",
            "server.jwt_secret=0123456789abcdef0123456789abcdef",
        ],
    ] {
        let options = options.iter().flat_map(|option| ["-o", option]);
        let arguments: Vec<&str> = ["serve", "--listen", "127.0.0.1:0"]
            .into_iter()
            .chain(options)
            .collect();
        let run = sandbox.run(&arguments);
        assert_eq!(run.code, Some(2), "{run:?}");
    }
}
