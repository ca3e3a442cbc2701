//! What a person is told who gives commands while another process holds the data directory.

use serde_json::Value;

use crate::sandbox::{Run, Sandbox, finish};
use crate::server_process::{Client, Server};

fn check<'c>(doctor: &'c Value, name: &str) -> &'c Value {
    let checks = doctor["checks"].as_array().unwrap();
    checks.iter().find(|check| check["name"] == name).unwrap()
}

fn detail(sandbox: &Sandbox, name: &str) -> String {
    let doctor = sandbox.run(&["doctor", "--json"]).json();
    check(&doctor, name)["detail"].as_str().unwrap().to_owned()
}

#[test]
fn a_quiet_doctor_says_only_what_is_wrong() {
    let sandbox = Sandbox::new();
    sandbox.run(&["add", "I prefer window seats"]);
    let wrong = sandbox.run(&["doctor", "-q"]).out;
    // The disk of this machine may be full.
    assert!(wrong.lines().all(|line| line.starts_with("disk: ")), "{wrong}");
}

#[test]
fn doctor_says_which_process_holds_the_directory() {
    let sandbox = Sandbox::new();
    sandbox.run(&["add", "likes tea"]);
    assert_eq!(
        detail(&sandbox, "lock"),
        "no other process holds the data directory"
    );
    let server = Server::start(&sandbox);
    let (process, url) = (server.id(), &server.url);
    assert_eq!(
        detail(&sandbox, "lock"),
        format!("process {process} holds the data directory and serves {url}")
    );
    server.kill();
    let mut client = Client::start(&sandbox, &["mcp"]);
    client.open();
    let held = detail(&sandbox, "lock");
    assert!(
        held.ends_with("holds the data directory and serves MCP"),
        "{held}"
    );
    assert!(client.leave());
}

#[test]
fn doctor_names_every_variable_that_is_no_setting() {
    let sandbox = Sandbox::new();
    sandbox.run(&["add", "likes tea"]);
    let asked = |sandbox: &Sandbox| -> Run {
        let mut command = sandbox.command(&["doctor", "--json"]);
        command.env("RECALLD_FOO", "1").env("RECALLD_BAR", "2");
        finish(command)
    };
    let told = "no file; RECALLD_BAR and RECALLD_FOO are set, but are not settings";
    let alone = asked(&sandbox).json();
    assert_eq!(check(&alone, "configuration")["detail"], told);
    let _server = Server::start(&sandbox);
    let beside = asked(&sandbox).json();
    assert_eq!(check(&beside, "configuration")["detail"], told);
    assert_eq!(check(&beside, "configuration")["state"], "warning");
}

#[test]
fn doctor_writes_lines_that_can_be_read() {
    let sandbox = Sandbox::new();
    sandbox.run(&["add", "likes tea"]);
    let doctor = sandbox.run(&["doctor"]);
    let figures = doctor.out.lines().skip_while(|line| !line.contains(" figures "));
    let figures: Vec<&str> = figures.take_while(|line| !line.contains(" search ")).collect();
    assert!(3 < figures.len(), "{doctor:?}");
    // A path is not cut.
    let lines = figures.iter().filter(|line| !line.contains('/'));
    for line in lines {
        assert!(line.chars().count() <= 96, "{line}");
    }
    let in_one = detail(&sandbox, "figures");
    let pieces = figures.iter().map(|line| line.split_at(24).1);
    assert_eq!(pieces.collect::<Vec<&str>>().join(", "), in_one);
}

#[test]
fn an_option_that_a_server_does_not_take_up_is_warned_of() {
    let sandbox = Sandbox::new();
    sandbox.run(&["add", "likes tea"]);
    let search = ["search", "tea", "-o", "model=nope", "-o", "reranker=none"];
    let alone = sandbox.run(&search);
    assert!(!alone.err.contains("no effect"), "{alone:?}");
    let server = Server::start(&sandbox);
    let beside = sandbox.run(&search);
    assert_eq!(
        (beside.code, beside.err),
        (
            Some(0),
            format!(
                "warning: -o has no effect on model, reranker: the server that holds the data directory \
                 (process {}) uses its own configuration\n",
                server.id()
            )
        )
    );
    let unknown = sandbox.run(&["search", "tea", "-o", "modl=nope"]);
    assert_eq!(unknown.code, Some(2), "{unknown:?}");
    let whose = sandbox.run(&["list", "-o", "user=ana", "-o", "log=warn"]);
    assert_eq!((whose.out.as_str(), whose.err.as_str()), ("No memories.\n", ""));
}
