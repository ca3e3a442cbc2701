//! First prompts, half of them with something relevant in memory: the right memory is said, and
//! nothing else is.

use serde_json::{Value, json};

use crate::sandbox::Sandbox;
use crate::server_process::Server;

/// A memory, and a first prompt on which it bears.
const RELEVANT: [(&str, &str); 20] = [
    (
        "The worker reads its jobs from a Redis stream",
        "the worker does not pick up new jobs",
    ),
    (
        "All money amounts are integers in cents",
        "add a field for the amount of the discount",
    ),
    (
        "The frontend is built with SvelteKit",
        "add a page to the SvelteKit frontend",
    ),
    (
        "Dates are stored in UTC and shown in Europe/Lisbon",
        "the report shows the wrong time zone for dates",
    ),
    (
        "The public API must stay compatible with version 2",
        "remove the old field from the public API response",
    ),
    (
        "Use the logger in lib/log.ts instead of console.log",
        "add a log line with console.log when the upload fails",
    ),
    (
        "E-mails are sent through Postmark",
        "the confirmation e-mail is not sent",
    ),
    (
        "The linter runs with zero warnings allowed",
        "fix the linter warnings in this file",
    ),
    (
        "Images are resized by the thumbnails service",
        "uploaded images look blurry as thumbnails",
    ),
    (
        "The CSV export must use semicolons for Excel",
        "write the CSV export for the customer list",
    ),
    (
        "Passwords are hashed with argon2id",
        "implement the change of a password",
    ),
    ("The monorepo is managed with Nx", "add a package to the monorepo"),
    (
        "Benchmarks live in the benches folder and use criterion",
        "write a benchmark for the tokenizer",
    ),
    (
        "Translations are in locales and must exist in German and French",
        "add a German translation for the new button",
    ),
    (
        "The GraphQL schema is generated from the resolvers",
        "add a mutation to the GraphQL schema",
    ),
    (
        "Terraform state is kept in the infra bucket",
        "apply the Terraform change for the new bucket",
    ),
    (
        "The websocket reconnects with exponential backoff",
        "the websocket disconnects after a minute",
    ),
    (
        "Unit tests use vitest, not jest",
        "write unit tests for the parser with jest",
    ),
    (
        "The minimum supported Rust version is 1.75",
        "can I use a feature of the newest Rust version here?",
    ),
    (
        "Die Rechnungen werden am Monatsende verschickt",
        "wann werden die Rechnungen verschickt?",
    ),
];

/// First prompts on which no memory bears.
const UNRELATED: [&str; 20] = [
    "what is the difference between a stack and a heap?",
    "rename the function to parse_header",
    "draw a diagram of a binary tree",
    "explain monads to me",
    "why does my keyboard type double letters?",
    "who wrote Don Quixote?",
    "make the background green",
    "undo your previous edit",
    "summarise this article in two sentences",
    "what day is it in Tokyo?",
    "add a comment above the loop",
    "how tall is Mount Everest?",
    "simplify this boolean expression",
    "count the vowels in this word",
    "is quicksort stable?",
    "thanks, that is all for today",
    "continue",
    "split this function in two",
    "what does HTTP stand for?",
    "erzähl mir einen Witz",
];

#[test]
fn the_right_memory_is_said_and_mostly_nothing() {
    let sandbox = Sandbox::new();
    let _server = Server::start(&sandbox);
    for (memory, _) in RELEVANT {
        assert_eq!(sandbox.run(&["add", memory, "-q"]).code, Some(0));
    }
    let folder = sandbox.home().join("project");
    std::fs::create_dir(&folder).unwrap();
    let said = |number: usize, prompt: &str| {
        let input = json!({"session_id": format!("s{number}"), "cwd": folder, "prompt": prompt});
        let arguments = ["hook", "prompt", "-", "-o", "hooks.answer_ms_max=10000"];
        let run = sandbox.run_with(&arguments, input.to_string().as_bytes());
        serde_json::from_str::<Value>(&run.out).map_or_else(
            |_| String::new(),
            |said| {
                said["hookSpecificOutput"]["additionalContext"]
                    .as_str()
                    .unwrap()
                    .to_owned()
            },
        )
    };
    let wrong: Vec<&str> = RELEVANT
        .iter()
        .enumerate()
        .filter(|(number, (memory, prompt))| !said(*number, prompt).contains(memory))
        .map(|(_, (_, prompt))| *prompt)
        .collect();
    let unasked: Vec<&str> = UNRELATED
        .into_iter()
        .enumerate()
        .filter(|(number, prompt)| !said(100 + number, prompt).is_empty())
        .map(|(_, prompt)| prompt)
        .collect();
    println!("missed: {wrong:?}\nsaid unasked: {unasked:?}");
    assert!(wrong.len() <= 2, "missed: {wrong:?}");
    assert!(unasked.len() <= 1, "said unasked: {unasked:?}");
}
