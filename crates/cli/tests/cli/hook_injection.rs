//! First prompts, half of them with something relevant in memory: the right memory is said, and
//! nothing else is.

use serde_json::{Value, json};

use crate::sandbox::Sandbox;
use crate::server_process::Server;

/// Sets of twenty memories with a prompt each, and twenty prompts on which none of them bears.
const SETS: &str = include_str!("first_prompts.json");

/// Stores the memories of a set, runs the hook on each prompt as the first of a session, and
/// returns the relevant prompts that missed their memory, and the others that were told anything.
fn play(name: &str) -> (Vec<String>, Vec<String>) {
    let sets: Value = serde_json::from_str(SETS).unwrap();
    let set = &sets[name];
    let sandbox = Sandbox::new();
    let _server = Server::start(&sandbox);
    let folder = sandbox.home().join("project");
    std::fs::create_dir(&folder).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let relevant = set["relevant"].as_array().unwrap().iter();
    let relevant: Vec<(String, String)> = relevant.map(|pair| (text(&pair[0]), text(&pair[1]))).collect();
    let unrelated: Vec<String> = set["unrelated"].as_array().unwrap().iter().map(text).collect();
    assert_eq!((relevant.len(), unrelated.len()), (20, 20));
    for (memory, _) in &relevant {
        assert_eq!(sandbox.run(&["add", memory, "-q"]).code, Some(0));
    }
    let said = |prompt: &str| {
        let input = json!({"session_id": prompt, "cwd": folder, "prompt": prompt});
        let arguments = ["hook", "prompt", "-", "-o", "hooks.answer_ms_max=10000"];
        let run = sandbox.run_with(&arguments, input.to_string().as_bytes());
        let said = serde_json::from_str::<Value>(&run.out).unwrap_or_default();
        let said = &said["hookSpecificOutput"]["additionalContext"];
        said.as_str().unwrap_or_default().to_owned()
    };
    let missed = relevant
        .iter()
        .filter(|(memory, prompt)| !said(prompt).contains(memory));
    let missed = missed.map(|(_, prompt)| prompt.clone()).collect();
    let unasked = unrelated.into_iter().filter(|prompt| !said(prompt).is_empty());
    (missed, unasked.collect())
}

/// Plays a set, and lets it miss and say no more than that.
fn check(name: &str, missed_max: usize, unasked_max: usize) {
    let (missed, unasked) = play(name);
    println!("{name}: missed {missed:?}, said unasked {unasked:?}");
    assert!(missed.len() <= missed_max, "missed: {missed:?}");
    assert!(unasked.len() <= unasked_max, "said unasked: {unasked:?}");
}

#[test]
fn services() {
    check("services", 2, 1);
}

#[test]
fn platform() {
    check("platform", 2, 1);
}

/// Harder ones: of some memories neither a word nor a topic is in the prompt.
#[test]
fn devices_and_rules() {
    check("devices and rules", 6, 2);
}

#[test]
fn teams() {
    check("teams", 6, 1);
}

/// In other trades and languages. At first sight it was four and two; then topics were added.
#[test]
fn other_trades() {
    check("other trades", 2, 1);
}

/// Written after that: this is what the rules came to at first sight.
#[test]
fn more_trades() {
    check("more trades", 3, 3);
}
