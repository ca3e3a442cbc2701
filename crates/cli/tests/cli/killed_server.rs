//! A server that is killed leaves the file behind that says where it was. Whoever is there by now
//! is not taken for it.

use std::fs;
use std::io::Write;
use std::net::TcpListener;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::sandbox::{Run, Sandbox};
use crate::server_process::Server;

/// How long a command may take that waits for nobody.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs a command that must not wait for an answer that never comes.
fn run(sandbox: &Sandbox, arguments: &[&str]) -> Run {
    let mut command = sandbox.command(arguments);
    command.env("RECALLD_DATA_WAIT_MS", "0");
    let mut child = command.spawn().unwrap();
    let until = Instant::now() + PATIENCE;
    while child.try_wait().unwrap().is_none() {
        if until < Instant::now() {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("{arguments:?} waits for somebody");
        }
        thread::park_timeout(Duration::from_millis(10));
    }
    Run::of(child.wait_with_output().unwrap())
}

/// What the file says that a server left behind, with somebody else at its port.
fn file_of_killed(sandbox: &Sandbox, successor: &TcpListener) -> Value {
    let server = Server::start(sandbox);
    let file = sandbox.data().join("server.json");
    let mut said: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    server.kill();
    assert!(file.exists(), "a kill leaves no time to take it away");
    said["control"] = json!(successor.local_addr().unwrap());
    said
}

/// Commands of every kind do as if no server had ever been there.
fn nobody_asks(successor: &TcpListener) {
    let sandbox = Sandbox::new();
    let left = file_of_killed(&sandbox, successor).to_string();
    let file = sandbox.data().join("server.json");
    let alone = |arguments: &[&str]| {
        fs::write(&file, &left).unwrap();
        let run = run(&sandbox, arguments);
        assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{run:?}");
        assert!(!file.exists(), "{arguments:?} leaves it to be read again");
        run.out
    };
    let id = alone(&["add", "-q", "I prefer window seats"]);
    assert_eq!(alone(&["list", "-q"]), id);
    assert_eq!(alone(&["mcp"]), "", "its client left at once");
}

#[test]
fn somebody_silent_at_the_port_of_a_killed_server_is_not_waited_for() {
    // The system takes the connections, and nobody ever reads them.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    nobody_asks(&silent);
    silent.set_nonblocking(true).unwrap();
    assert!(silent.accept().is_err(), "nobody came");
}

#[test]
fn somebody_else_at_the_port_of_a_killed_server_is_not_believed() {
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let answering = other.try_clone().unwrap();
    // Ends with the program.
    thread::spawn(move || {
        for stream in answering.incoming() {
            let _ = stream.unwrap().write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        }
    });
    nobody_asks(&other);
}

#[test]
fn commands_go_on_after_their_server_was_killed() {
    let sandbox = Sandbox::new();
    let server = Server::start(&sandbox);
    let first = run(&sandbox, &["add", "-q", "I prefer window seats"]);
    assert_eq!(first.code, Some(0), "{first:?}");
    server.kill();
    let second = run(&sandbox, &["add", "-q", "I live in Lisbon"]);
    assert_eq!(second.code, Some(0), "{second:?}");
    let server = Server::start(&sandbox);
    let listed = run(&sandbox, &["list", "-q"]).out;
    assert!(
        listed.contains(&first.out) && listed.contains(&second.out),
        "{listed}"
    );
    server.kill();
}

#[test]
fn a_command_that_holds_the_directory_after_a_kill_is_not_taken_for_the_server() {
    let sandbox = Sandbox::new();
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let left = file_of_killed(&sandbox, &silent).to_string();
    fs::write(sandbox.data().join("server.json"), left).unwrap();
    let lock = sandbox.data().join("recalld.lock");
    let held = fs::File::options().write(true).open(&lock).unwrap();
    held.lock().unwrap();
    fs::write(&lock, "1\n").unwrap();
    let refused = run(&sandbox, &["list"]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert!(refused.err.contains("is in use by process 1"), "{refused:?}");
}
