//! Hooks of coding agents: what they say and learn, per project, and that nothing that is wrong
//! with the memories reaches the session.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Instant;

use serde_json::json;

use crate::sandbox::{Run, Sandbox};
use crate::server_process::Server;

/// Runs a hook as Claude Code does.
pub fn hook(sandbox: &Sandbox, event: &str, session: &str, folder: &Path, prompt: &str) -> Run {
    let input = json!({
        "session_id": session, "transcript_path": "/nowhere", "cwd": folder,
        "hook_event_name": "x", "prompt": prompt, "source": "startup",
    });
    let mut child = sandbox
        .command(&["hook", event, "-"])
        // The program under test is slow, and the machine busy.
        .env("RECALLD_HOOKS_ANSWER_MS_MAX", "10000")
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let _ = child
        .stdin
        .take()
        .unwrap()
        .write_all(input.to_string().as_bytes());
    Run::of(child.wait_with_output().unwrap())
}

/// What a hook tells the agent.
pub fn told(sandbox: &Sandbox, event: &str, session: &str, folder: &Path, prompt: &str) -> String {
    let run = hook(sandbox, event, session, folder, prompt);
    assert_eq!(run.code, Some(0), "{run:?}");
    match run.out.is_empty() {
        true => String::new(),
        false => run.json()["hookSpecificOutput"]["additionalContext"]
            .as_str()
            .unwrap()
            .to_owned(),
    }
}

pub fn project(sandbox: &Sandbox, name: &str) -> PathBuf {
    let root = sandbox.home().join(name);
    fs::create_dir_all(root.join(".git")).unwrap();
    root
}

/// Says something, and lets it be learned.
fn say(sandbox: &Sandbox, session: &str, folder: &Path, prompt: &str) {
    assert_eq!(told(sandbox, "prompt", session, folder, prompt), "");
    let status = hook(sandbox, "status", session, folder, "");
    assert!(status.out.contains("heard 1"), "{status:?}");
    let end = hook(sandbox, "session-end", session, folder, "");
    assert_eq!((end.code, end.out.as_str()), (Some(0), ""), "{end:?}");
}

#[test]
fn a_second_session_knows_and_another_project_does_not() {
    let sandbox = Sandbox::new();
    let (first, other) = (project(&sandbox, "first"), project(&sandbox, "other"));
    let tree = sandbox.home().join("tree");
    fs::create_dir_all(first.join(".git/worktrees/tree")).unwrap();
    fs::write(first.join(".git/worktrees/tree/commondir"), "../..\n").unwrap();
    fs::create_dir_all(&tree).unwrap();
    let own = first.join(".git/worktrees/tree");
    fs::write(tree.join(".git"), format!("gitdir: {}\n", own.display())).unwrap();

    say(
        &sandbox,
        "s1",
        &first,
        "Remember that the integration tests need a running PostgreSQL",
    );
    let asked = "why do the integration tests fail without PostgreSQL?";
    let second = told(&sandbox, "prompt", "s2", &first, asked);
    assert!(second.contains("need a running PostgreSQL"), "{second}");
    assert!(second.contains("not instructions"), "{second}");
    assert!(told(&sandbox, "session-start", "s5", &tree, "").contains("need a running PostgreSQL"));
    // Said once in a session, and never in another project.
    assert_eq!(told(&sandbox, "prompt", "s2", &first, asked), "");
    assert_eq!(told(&sandbox, "prompt", "s3", &other, asked), "");
    assert_eq!(told(&sandbox, "session-start", "s3", &other, ""), "");
}

#[test]
fn what_is_about_the_person_counts_everywhere_and_rules_are_not_repeated() {
    let sandbox = Sandbox::new();
    let (first, other) = (project(&sandbox, "first"), project(&sandbox, "other"));
    sandbox.run(&[
        "add",
        "I prefer tabs over spaces in Go code",
        "--category",
        "preference",
    ]);
    let asked = "tabs or spaces in this Go code?";
    assert!(told(&sandbox, "prompt", "s1", &first, asked).contains("tabs over spaces"));
    fs::write(
        other.join("CLAUDE.md"),
        "* I prefer tabs over spaces, in Go code!\n",
    )
    .unwrap();
    assert_eq!(hook(&sandbox, "prompt", "s2", &other, asked).out, "");
}

#[test]
fn pausing_and_a_file_in_the_project_turn_hooks_off() {
    let sandbox = Sandbox::new();
    let first = project(&sandbox, "first");
    sandbox.run(&[
        "add",
        "I prefer tabs over spaces in Go code",
        "--category",
        "preference",
    ]);
    let asked = "tabs or spaces in this Go code?";
    assert_eq!(sandbox.run(&["pause"]).code, Some(0));
    assert_eq!(hook(&sandbox, "prompt", "s1", &first, asked).out, "");
    assert_eq!(sandbox.run(&["pause", "--off"]).code, Some(0));
    assert!(told(&sandbox, "prompt", "s1", &first, asked).contains("tabs"));
    fs::write(first.join(".recalld-off"), "").unwrap();
    assert_eq!(hook(&sandbox, "prompt", "s2", &first, asked).out, "");
}

#[test]
fn whatever_is_wrong_with_the_memories_the_session_goes_on() {
    type Break = fn(&Sandbox);
    let faults: [(&str, Break); 6] = [
        ("gone", |_| ()),
        ("a file in place of the directory", |sandbox| {
            fs::create_dir_all(sandbox.data().parent().unwrap()).unwrap();
            fs::write(sandbox.data(), "x").unwrap();
        }),
        ("damaged", |sandbox| {
            sandbox.run(&["add", "Something"]);
            let database = sandbox.data().join("recalld.db");
            assert!(database.exists());
            fs::write(database, vec![7; 100_000]).unwrap();
        }),
        ("newer", |sandbox| {
            sandbox.run(&["add", "Something"]);
            fs::write(sandbox.data().join("recalld.db"), b"SQLite format 3\0").unwrap();
        }),
        ("configuration", |sandbox| {
            fs::create_dir_all(sandbox.home().join(".config/recalld")).unwrap();
            fs::write(sandbox.home().join(".config/recalld/config.toml"), "nonsense = [").unwrap();
        }),
        ("locked", |sandbox| {
            sandbox.run(&["add", "Something"]);
            let lock = fs::File::open(sandbox.data().join("recalld.lock")).unwrap();
            lock.lock().unwrap();
            // Held until the test ends.
            std::mem::forget(lock);
        }),
    ];
    for (name, fault) in faults {
        let sandbox = Sandbox::new();
        let folder = project(&sandbox, "first");
        fault(&sandbox);
        for event in ["session-start", "prompt", "status"] {
            let begun = Instant::now();
            let run = hook(&sandbox, event, "s1", &folder, "what do you know?");
            assert_eq!(run.code, Some(0), "{name}, {event}: {run:?}");
            assert!(
                run.err.is_empty() && !run.out.contains("error"),
                "{name}, {event}: {run:?}"
            );
            assert!(begun.elapsed().as_secs() < 5, "{name}, {event}");
        }
    }
}

#[test]
fn nonsense_is_ignored_and_noted_for_the_doctor() {
    let sandbox = Sandbox::new();
    sandbox.run(&["add", "Something"]);
    for input in [
        "",
        "{",
        "[]",
        "{\"session_id\": 1}",
        "{\"session_id\": \"a\", \"cwd\": \"relative\"}",
    ] {
        let run = sandbox.run_with(
            &["hook", "prompt", "-", "-o", "hooks.answer_ms_max=10000"],
            input.as_bytes(),
        );
        assert_eq!(
            (run.code, run.out.as_str(), run.err.as_str()),
            (Some(0), "", ""),
            "{input}"
        );
    }
    let checked = sandbox.run(&["doctor"]);
    assert!(checked.out.contains("not described as expected"), "{checked:?}");
}

#[test]
fn hooks_work_beside_a_server() {
    let sandbox = Sandbox::new();
    let folder = project(&sandbox, "first");
    let _server = Server::start(&sandbox);
    sandbox.run(&[
        "add",
        "I prefer tabs over spaces in Go code",
        "--category",
        "preference",
    ]);
    let said = told(
        &sandbox,
        "prompt",
        "s1",
        &folder,
        "tabs or spaces in this Go code?",
    );
    assert!(said.contains("tabs over spaces"), "{said}");
}

#[test]
fn hooks_are_connected_and_disconnected_to_the_byte() {
    let sandbox = Sandbox::new();
    let settings = sandbox.home().join(".claude/settings.json");
    let before = "{\n  // mine\n  \"model\": \"x\"\n}\n";
    fs::create_dir_all(settings.parent().unwrap()).unwrap();
    fs::write(&settings, before).unwrap();
    let run = sandbox.run(&["connect", "claude-code", "--hooks", "--yes"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let with = fs::read_to_string(&settings).unwrap();
    assert!(
        with.contains("hook prompt - 2>/dev/null || true") && with.contains("// mine"),
        "{with}"
    );
    let removed = sandbox.run(&["connect", "claude-code", "--remove", "--yes"]);
    assert_eq!(removed.code, Some(0), "{removed:?}");
    assert_eq!(fs::read_to_string(&settings).unwrap(), before);
    assert!(!sandbox.home().join(".claude.json").exists());
    let other = sandbox.run(&["connect", "zed", "--hooks", "--yes"]);
    assert_eq!(other.code, Some(2), "{other:?}");
}
