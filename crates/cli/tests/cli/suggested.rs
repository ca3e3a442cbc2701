//! A command that the program suggests works when it is pasted into the same shell.

use crate::bench::{Bench, Run, words};
use crate::served::Server;

/// Where each of these commands works: on memories that are not those of the default user in the
/// default place.
const ELSEWHERE: [&str; 4] = ["--user", "ana b", "--data", "other place"];

fn run(bench: &Bench, arguments: &[&str]) -> Run {
    bench.run(&[arguments, &ELSEWHERE].concat())
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
fn paste(bench: &Bench, command: &str) -> Run {
    let run = bench.run(&words(command));
    assert_eq!(run.code, Some(0), "{command}: {run:?}");
    run
}

/// Follows one suggestion after the other.
fn follow(bench: &Bench) {
    run(bench, &["add", "likes tea", "--key", "hot drink"]);
    let forgotten = run(bench, &["forget", "hot drink"]);
    let hidden = run(bench, &["update", "hot drink", "likes coffee"]);
    let shown = run(bench, &["show", "hot drink"]);
    for told in [&forgotten, &hidden, &shown] {
        paste(bench, suggested(told, "restore"));
        run(bench, &["forget", "hot drink"]);
    }
    paste(bench, suggested(&forgotten, "restore"));
    let duplicate = run(bench, &["add", "something else", "--key", "hot drink"]);
    paste(bench, suggested(&duplicate, "update"));
    let stale = run(bench, &["forget", "hot drink", "--if-version", "1"]);
    paste(bench, suggested(&stale, "show"));
    let missing = run(bench, &["show", "nowhere"]);
    let listed = paste(bench, suggested(&missing, "list"));
    assert!(listed.out.contains("hot drink"), "{listed:?}");
    let absent = run(bench, &["restore", "hot drink", "--version", "99"]);
    paste(bench, suggested(&absent, "history"));
    let slip = run(bench, &["add", "likes walks", "--category", "prefrence"]);
    paste(bench, suggested(&slip, "update"));
    run(
        bench,
        &["add", "Bo drinks two cups of coffee", "--confidence", "0.4"],
    );
    run(bench, &["add", "Bo drinks two cups of coffee daily"]);
    let audited = run(bench, &["audit"]);
    paste(bench, suggested(&audited, "forget"));
}

#[test]
fn a_suggested_command_means_the_same_memories() {
    follow(&Bench::new());
}

#[test]
fn a_suggested_command_means_the_same_memories_beside_a_server() {
    let bench = Bench::new();
    run(&bench, &["add", "has a cat"]);
    // The server is looked for where the data is, so it must be told the same place.
    let _server = Server::start_on(&bench, "127.0.0.1:0", &["--data", "other place"]);
    follow(&bench);
}
