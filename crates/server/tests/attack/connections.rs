//! Silent connections cost their attacker nothing: they must not use up what others need.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use recalld_server::{Limits, raise_open_files_limit};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::stage::Stage;

/// Set in the process that serves with few descriptors.
const CHILD: &str = "RECALLD_TEST_FEW_DESCRIPTORS";
const DESCRIPTORS: u64 = 1_024;
const SILENT: usize = 1_300;

/// Sends a request and gives the first line of the answer; none if the connection was closed.
fn get(address: SocketAddr, path: &str) -> Option<String> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    )
    .ok()?;
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    answer.lines().next().map(str::to_owned)
}

/// Serves with few descriptors until standard input is closed. It is run by the test below in a
/// process of its own; anywhere else it only shows that the variable is not set.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn serving_with_few_descriptors() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let few = Rlimit {
        current: Some(DESCRIPTORS / 2),
        maximum: Some(DESCRIPTORS),
    };
    setrlimit(Resource::Nofile, few).unwrap();
    raise_open_files_limit();
    assert_eq!(getrlimit(Resource::Nofile).current, Some(DESCRIPTORS));
    let stage = Stage::new(Limits::default()).await;
    println!("listening on {}", stage.listen().await);
    let wait = || std::io::stdin().read_to_end(&mut Vec::new());
    tokio::task::spawn_blocking(wait).await.unwrap().unwrap();
}

fn serving() -> (Child, SocketAddr) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "connections::serving_with_few_descriptors",
            "--nocapture",
        ])
        .env(CHILD, "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let out = child.stdout.as_mut().unwrap();
    let mut said = String::new();
    while !said.ends_with('\n') || !said.contains("listening on ") {
        let mut byte = [0];
        assert_eq!(out.read(&mut byte).unwrap(), 1, "it serves: {said}");
        said.push(char::from(byte[0]));
    }
    let address = said
        .rsplit("listening on ")
        .next()
        .unwrap()
        .trim()
        .parse()
        .unwrap();
    (child, address)
}

#[test]
fn silent_connections_beyond_the_descriptors_do_not_keep_others_out() {
    raise_open_files_limit();
    let (mut child, address) = serving();
    let mut silent = Vec::new();
    for number in 0..SILENT {
        silent.push(TcpStream::connect(address).unwrap());
        if number % 100 == 99 {
            let answer = get(address, "/health/live");
            assert_eq!(answer.as_deref(), Some("HTTP/1.1 200 OK"), "after {number}");
        }
    }
    for _ in 0..20 {
        assert_eq!(get(address, "/metrics").as_deref(), Some("HTTP/1.1 200 OK"));
        let refused = get(address, "/v1/memories");
        assert_eq!(refused.as_deref(), Some("HTTP/1.1 401 Unauthorized"));
    }
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
}

/// Reads until the server closes the connection.
fn closed(mut stream: TcpStream) -> bool {
    stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let mut rest = Vec::new();
    match stream.read_to_end(&mut rest) {
        Ok(_) => true,
        Err(error) => error.kind() == std::io::ErrorKind::ConnectionReset,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn silence_before_within_and_after_a_request_ends_a_connection() {
    let limits = Limits {
        head_timeout: Duration::from_millis(100),
        idle_timeout: Duration::from_millis(100),
        ..Limits::default()
    };
    let stage = Stage::new(limits).await;
    let address = stage.listen().await;
    let one_request = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n";
    for sent in ["", "P", "PRI * HT", "GET /health", one_request] {
        let all_closed = tokio::task::spawn_blocking(move || {
            let mut stream = TcpStream::connect(address).unwrap();
            stream.write_all(sent.as_bytes()).unwrap();
            closed(stream)
        });
        assert!(all_closed.await.unwrap(), "after {sent:?}");
    }
    // Whoever does not pause is served again and again.
    let served = tokio::task::spawn_blocking(move || {
        let mut stream = TcpStream::connect(address).unwrap();
        for _ in 0..3 {
            stream.write_all(one_request.as_bytes()).unwrap();
            let mut answer = [0; 15];
            stream.read_exact(&mut answer).unwrap();
            assert_eq!(&answer, b"HTTP/1.1 200 OK");
            let mut rest = [0; 4096];
            let _ = stream.read(&mut rest).unwrap();
        }
    });
    served.await.unwrap();
}
