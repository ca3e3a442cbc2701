//! A command that the program suggests works when it is pasted into the same shell.

use crate::sandbox::{Run, Sandbox, words};
use crate::server_process::Server;

/// Where each of these commands works: on memories that are not those of the default user in the
/// default place.
const ELSEWHERE: [&str; 4] = ["--user", "ana b", "--data", "other place"];

fn run(sandbox: &Sandbox, arguments: &[&str]) -> Run {
    sandbox.run(&[arguments, &ELSEWHERE].concat())
}

/// Finds the command that starts with `start`, and ends with the line or a backtick, in what was
/// printed.
fn suggested<'r>(run: &'r Run, word: &str) -> &'r str {
    for text in [&run.out, &run.err] {
        for line in text.lines() {
            let command = line.split_once("recalld ").map(|(_, rest)| rest);
            if let Some(command) = command.filter(|command| command.contains(word)) {
                return command.split('`').next().unwrap();
            }
        }
    }
    panic!("no command with {word} is suggested: {run:?}")
}

/// Pastes what was suggested, and expects that it does what it is for.
fn paste(sandbox: &Sandbox, command: &str) -> Run {
    let run = sandbox.run(&words(command));
    assert_eq!(run.code, Some(0), "{command}: {run:?}");
    run
}

/// Follows one suggestion after the other.
fn follow(sandbox: &Sandbox) {
    run(sandbox, &["add", "likes tea", "--key", "hot drink"]);
    let forgotten = run(sandbox, &["forget", "hot drink"]);
    let hidden = run(sandbox, &["update", "hot drink", "likes coffee"]);
    let shown = run(sandbox, &["show", "hot drink"]);
    for told in [&forgotten, &hidden, &shown] {
        paste(sandbox, suggested(told, "restore"));
        run(sandbox, &["forget", "hot drink"]);
    }
    paste(sandbox, suggested(&forgotten, "restore"));
    let duplicate = run(sandbox, &["add", "something else", "--key", "hot drink"]);
    paste(sandbox, suggested(&duplicate, "update"));
    let stale = run(sandbox, &["forget", "hot drink", "--if-version", "1"]);
    paste(sandbox, suggested(&stale, "show"));
    let missing = run(sandbox, &["show", "nowhere"]);
    let listed = paste(sandbox, suggested(&missing, "list"));
    assert!(listed.out.contains("hot drink"), "{listed:?}");
    let absent = run(sandbox, &["restore", "hot drink", "--version", "99"]);
    paste(sandbox, suggested(&absent, "history"));
    let slip = run(sandbox, &["add", "likes walks", "--category", "prefrence"]);
    paste(sandbox, suggested(&slip, "update"));
    run(
        sandbox,
        &["add", "Bo drinks two cups of coffee", "--confidence", "0.4"],
    );
    run(sandbox, &["add", "Bo drinks two cups of coffee daily"]);
    let audited = run(sandbox, &["audit"]);
    paste(sandbox, suggested(&audited, "forget"));
}

#[test]
fn a_suggested_command_means_the_same_memories() {
    follow(&Sandbox::new());
}

#[test]
fn a_suggested_command_means_the_same_memories_beside_a_server() {
    let sandbox = Sandbox::new();
    run(&sandbox, &["add", "has a cat"]);
    // The server is looked for where the data is, so it must be told the same place.
    let _server = Server::start_on(&sandbox, "127.0.0.1:0", &["--data", "other place"]);
    follow(&sandbox);
}
