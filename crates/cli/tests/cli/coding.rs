//! What coding agents and those who use them do beside hooks: projects, evidence, explanations,
//! handoffs, and learning from what was there before.

use std::fs;

use serde_json::json;

use crate::hooks::{hook, project, told};
use crate::sandbox::{Run, Sandbox};

#[test]
fn projects_are_kept_apart_on_the_command_line() {
    let sandbox = Sandbox::new();
    project(&sandbox, "first");
    project(&sandbox, "other");
    let added = sandbox.run(&["add", "Tests need PostgreSQL", "--project", "./first"]);
    assert_eq!(added.code, Some(0), "{added:?}");
    sandbox.run(&["add", "Prefers tabs", "--category", "preference"]);
    let listed = |place: &str| sandbox.run(&["list", "--project", place]).out;
    assert!(listed("./first").contains("PostgreSQL") && listed("./first").contains("tabs"));
    assert!(!listed("./other").contains("PostgreSQL") && listed("./other").contains("tabs"));
    let found = sandbox.run(&["search", "what do tests need", "--project", "./other"]);
    assert!(!found.out.contains("PostgreSQL"), "{found:?}");
    assert!(sandbox.run(&["list"]).out.contains("PostgreSQL"));
    let nowhere = sandbox.run(&["list", "--project", "./nowhere"]);
    assert_eq!(nowhere.code, Some(2), "{nowhere:?}");
    let key = [
        "keys",
        "create",
        "--kind",
        "user",
        "--user",
        "ana",
        "--project",
        "shop",
    ];
    assert_eq!(sandbox.run(&key).code, Some(0));
    let keys = sandbox.run(&["keys", "list"]);
    assert!(keys.out.contains("read write project:shop"), "{keys:?}");
}

#[test]
fn a_memory_moves_between_projects() {
    let sandbox = Sandbox::new();
    project(&sandbox, "first");
    project(&sandbox, "other");
    let added = sandbox.run(&[
        "add",
        "Tests need PostgreSQL",
        "-k",
        "tests",
        "--project",
        "./first",
    ]);
    assert_eq!(added.code, Some(0), "{added:?}");
    let other = || sandbox.run(&["list", "--project", "./other"]).out;
    assert!(!other().contains("PostgreSQL"));
    let moved = sandbox.run(&["update", "tests", "--everywhere"]);
    assert!(moved.out.contains("project was: first-"), "{moved:?}");
    assert!(other().contains("PostgreSQL"));
    let moved = sandbox.run(&["update", "tests", "--in-project", "./first"]);
    assert!(moved.out.contains("project was: none"), "{moved:?}");
    assert!(!other().contains("PostgreSQL"));
    let both = sandbox.run(&["update", "tests", "--in-project", "x", "--everywhere"]);
    assert_eq!(both.code, Some(2), "{both:?}");
}

#[test]
fn a_memory_whose_code_has_changed_is_marked_and_listed() {
    let sandbox = Sandbox::new();
    let first = project(&sandbox, "first");
    let run = |arguments: &[&str]| {
        let mut command = sandbox.command(arguments);
        Run::of(command.current_dir(&first).output().unwrap())
    };
    fs::write(first.join("http.rs"), "fn retry() {\n    let times = 3;\n}\n").unwrap();
    let statement = "The retry loop of the uploader runs three times";
    let added = run(&["add", statement, "--project", ".", "--evidence", "http.rs#retry"]);
    assert_eq!(added.code, Some(0), "{added:?}");
    assert_eq!(run(&["check"]).code, Some(0));
    let asked = "how often does the retry loop of the uploader run?";
    assert!(told(&sandbox, "prompt", "s1", &first, asked).contains(statement));
    fs::write(first.join("http.rs"), "fn retry() {\n    let times = 5;\n}\n").unwrap();
    let checked = run(&["check", "--json"]);
    assert_eq!(checked.code, Some(1), "{checked:?}");
    assert_eq!(checked.json()["stale"][0]["freshness"], "changed");
    let review = run(&["review", "--json"]).json();
    assert_eq!(review["items"][0]["reason"], "stale_evidence", "{review}");
    let elsewhere = sandbox.run(&["review", "--json"]).json();
    assert_eq!(elsewhere["items"], serde_json::json!([]), "{elsewhere}");
    assert!(told(&sandbox, "prompt", "s2", &first, asked).contains("may be stale"));
    fs::remove_file(first.join("http.rs")).unwrap();
    assert_eq!(told(&sandbox, "prompt", "s3", &first, asked), "");
    let outside = run(&["add", "x y z", "--project", ".", "--evidence", "../secret"]);
    assert_eq!(outside.code, Some(2), "{outside:?}");
}

#[test]
fn a_session_is_explained_paused_and_handed_over() {
    let sandbox = Sandbox::new();
    let first = project(&sandbox, "first");
    let run = |arguments: &[&str]| {
        let mut command = sandbox.command(arguments);
        Run::of(command.current_dir(&first).output().unwrap())
    };
    assert_eq!(run(&["why"]).code, Some(3));
    run(&[
        "add",
        "The integration tests need a running PostgreSQL",
        "--project",
        ".",
    ]);
    let asked = "why do the integration tests fail without PostgreSQL?";
    assert!(told(&sandbox, "prompt", "s1", &first, asked).contains("PostgreSQL"));
    let why = run(&["why", "--json"]).json();
    assert!(why["told"][0]["content"].as_str().unwrap().contains("PostgreSQL"));
    assert!(why["told"][0]["score"].is_number() && why["heard"] == 1, "{why}");
    assert_eq!(run(&["pause", "--session"]).code, Some(0));
    assert!(hook(&sandbox, "status", "s1", &first, "").out.contains("paused"));
    assert!(
        hook(&sandbox, "status", "s2", &first, "")
            .out
            .contains("loaded 0")
    );
    let written = run(&[
        "handoff",
        "--goal",
        "Move billing to the new API",
        "--open",
        "refunds",
    ]);
    assert_eq!(written.code, Some(0), "{written:?}");
    assert!(run(&["handoff"]).out.contains("Move billing"));
    assert!(told(&sandbox, "session-start", "s4", &first, "").contains("Move billing"));
    let other = project(&sandbox, "other");
    assert!(!told(&sandbox, "session-start", "s5", &other, "").contains("Move billing"));
    assert_eq!(run(&["handoff", "--clear"]).code, Some(0));
    assert_eq!(run(&["handoff"]).code, Some(3));
}

#[test]
fn cursor_takes_in_something_at_the_start_only() {
    let sandbox = Sandbox::new();
    let first = project(&sandbox, "first");
    let root = first.display().to_string();
    sandbox.run(&[
        "add",
        "The integration tests need a running PostgreSQL",
        "--project",
        &root,
    ]);
    let input = json!({
        "conversation_id": "c1", "workspace_roots": [root], "hook_event_name": "sessionStart",
        "prompt": "why do the integration tests fail without PostgreSQL?",
    });
    let run = |event: &str| {
        let arguments = [
            "hook",
            event,
            "-",
            "--agent",
            "cursor",
            "-o",
            "hooks.answer_ms_max=10000",
        ];
        sandbox.run_with(&arguments, input.to_string().as_bytes())
    };
    assert_eq!(run("prompt").out, "");
    let start = run("session-start").json();
    assert!(
        start["additional_context"]
            .as_str()
            .unwrap()
            .contains("PostgreSQL")
    );
}

#[test]
fn day_one_learns_from_transcripts_and_can_be_undone() {
    let sandbox = Sandbox::new();
    let first = project(&sandbox, "first");
    let folder = sandbox.home().join(".claude/projects/x");
    fs::create_dir_all(&folder).unwrap();
    let line = |text: &str| {
        json!({"type": "user", "cwd": first, "timestamp": "2026-01-02T03:04:05Z",
            "message": {"role": "user", "content": text}})
        .to_string()
    };
    let lines = [
        line("Remember that the integration tests need a running PostgreSQL"),
        line("Remember that the password is hunter2-Xy81kk"),
    ];
    fs::write(folder.join("s.jsonl"), lines.join("\n")).unwrap();
    let refused = sandbox.run(&["learn", "--from", "claude-code"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    let shown = sandbox.run(&["learn", "--from", "claude-code", "--print"]);
    assert!(
        shown.out.contains("PostgreSQL") && !shown.out.contains("hunter2"),
        "{shown:?}"
    );
    let learned = sandbox
        .run(&["learn", "--from", "claude-code", "--yes", "--json"])
        .json();
    assert_eq!(learned["remembered"], 1, "{learned}");
    let again = sandbox
        .run(&["learn", "--from", "claude-code", "--yes", "--json"])
        .json();
    assert_eq!(
        (&again["read"], &again["found"]),
        (&json!(0), &json!(0)),
        "{again}"
    );
    let listed = sandbox.run(&["list", "--json"]).json();
    assert_eq!(listed["memories"][0]["origin"], "import");
    assert!(
        listed["memories"][0]["project"]
            .as_str()
            .unwrap()
            .starts_with("first-")
    );
    let conversation = learned["conversation"].as_str().unwrap();
    assert_eq!(
        sandbox.run(&["undo", "--conversation", conversation]).code,
        Some(0)
    );
    assert_eq!(sandbox.run(&["list", "--json"]).json()["total"], 0);
}
