//! With a database configured, no command uses a store in the data directory.
//!
//! The commands are those that `--help` lists, so a new command fails the test until it has a line
//! here.

use std::fs;
use std::io::{BufRead, BufReader};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use recalld_store::sqlite::DATABASE_FILE;
use recalld_testing::postgres_server::PostgresServer;

use crate::sandbox::{Sandbox, finish, words};

/// How long a command that runs until it is stopped may take to say something.
const WAIT_MAX: Duration = Duration::from_secs(5);

/// How to run each command, in each way in which it opens memories.
const LINES: &[(&str, &[&str])] = &[
    ("add", &["likes tea --key tea"]),
    ("search", &["tea"]),
    ("list", &["", "--at 2026-03-01"]),
    ("show", &["tea"]),
    ("update", &["tea 'likes green tea'"]),
    ("forget", &["tea", "tea --erase --yes"]),
    ("restore", &["tea", "./copy.db", "./copy.db --replace"]),
    ("history", &["tea"]),
    ("undo", &["", "--dry-run"]),
    ("review list", &[""]),
    ("review confirm", &["tea"]),
    ("review forget", &["tea"]),
    ("audit", &[""]),
    ("context", &["tea"]),
    ("prompt", &[""]),
    ("document", &[""]),
    ("entity add", &["cafe 'Café Central'"]),
    ("entity mention", &["cafe --conversation c1 --message m1"]),
    ("entity list", &[""]),
    ("entity confirm", &["cafe"]),
    ("entity forget", &["cafe"]),
    ("chat", &["", "hello"]),
    ("extract", &["", "--dry-run"]),
    ("runs", &[""]),
    ("files sync", &["notes", "notes --all", "notes --watch"]),
    ("export", &["tea.zip"]),
    (
        "import",
        &["facts.txt --from text", "facts.txt --from text --dry-run"],
    ),
    ("erase", &["--dry-run", "--yes", "--verify receipt.json"]),
    ("backup", &["copy.db"]),
    ("models list", &[""]),
    ("models pull", &["./missing"]),
    ("models use", &["builtin"]),
    ("serve", &["--listen 127.0.0.1:0"]),
    ("connect", &["cursor --print"]),
    ("hook", &["prompt -"]),
    ("pause", &["", "--off"]),
    ("why", &[""]),
    ("check", &["."]),
    ("handoff", &["", "--goal tea", "--clear"]),
    ("console", &["--no-open --listen 127.0.0.1:0"]),
    ("mcp", &[""]),
    ("channels", &[""]),
    ("ingest", &["facts.txt"]),
    ("keys create", &["--kind admin"]),
    ("keys list", &[""]),
    ("keys rotate", &["key_0"]),
    ("keys revoke", &["key_0"]),
    ("users", &[""]),
    ("learn", &["--explain tea"]),
    ("tools", &[""]),
    (
        "tool",
        &[
            "search_memory '{\"query\": \"tea\"}'",
            "store_memory '{\"content\": \"likes figs\"}'",
        ],
    ),
    ("stats", &[""]),
    ("migrate", &["--dry-run", ""]),
    ("config", &[""]),
    ("config check", &[""]),
    ("doctor", &[""]),
    ("demo", &["--no-console"]),
    ("reindex", &[""]),
    ("eval retrieval", &["./missing"]),
    ("eval learn", &["./missing"]),
    ("eval sts", &["./missing"]),
    ("completions", &["bash"]),
];

/// Returns the commands below `above` that have no subcommands, as `--help` lists them.
fn leaves(sandbox: &Sandbox, above: &[String]) -> Vec<String> {
    let arguments: Vec<&str> = above.iter().map(String::as_str).chain(["--help"]).collect();
    let help = sandbox.run(&arguments).out;
    let Some((_, listed)) = help.split_once("\nCommands:\n") else {
        return vec![above.join(" ")];
    };
    let listed = listed.lines().take_while(|line| !line.is_empty());
    // The descriptions of long lines continue further to the right.
    let names = listed.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    names
        .filter(|name| !name.is_empty() && *name != "help")
        .flat_map(|name| leaves(sandbox, &[above, &[name.to_owned()]].concat()))
        .collect()
}

/// Runs every command in every way, with the database at `url`.
fn walk(url: &str) {
    let sandbox = Sandbox::new();
    fs::write(sandbox.home().join("facts.txt"), "likes coffee\n").unwrap();
    fs::write(sandbox.home().join("copy.db"), "").unwrap();
    fs::write(sandbox.home().join("receipt.json"), "{}").unwrap();
    for command in leaves(&sandbox, &[]) {
        let Some((_, lines)) = LINES.iter().find(|(name, _)| *name == command) else {
            panic!("add a line for `recalld {command}` to this test");
        };
        for line in *lines {
            let line = format!("{command} {line}");
            // The source of the setting makes no difference to commands that are not run again.
            let sources: &[bool] = match line.contains("--watch") {
                true => &[true, false],
                false => &[true],
            };
            for &by_argument in sources {
                run(&sandbox, url, &line, by_argument);
                assert!(
                    !sandbox.data().join(DATABASE_FILE).exists(),
                    "`recalld {line}` made a store in the data directory"
                );
            }
        }
    }
}

fn run(sandbox: &Sandbox, url: &str, line: &str, by_argument: bool) {
    let mut arguments = words(line);
    if by_argument {
        arguments.extend(["--database-url".to_owned(), url.to_owned()]);
    }
    let mut command = sandbox.command(&arguments);
    if !by_argument {
        command.env("DATABASE_URL", url);
    }
    if !line.contains("--watch") && !line.starts_with("serve") && !line.starts_with("console") {
        finish(command);
        return;
    }
    // It runs until it is stopped: its first words show that it has opened the memories, or failed.
    // A watch that finds nothing to do says nothing, so the wait has an end.
    let (reader, writer) = std::io::pipe().unwrap();
    command.stdout(writer.try_clone().unwrap()).stderr(writer);
    let mut child = command.spawn().unwrap();
    drop(command);
    let (sender, first_words) = mpsc::channel();
    thread::spawn(move || {
        let mut said = String::new();
        let _ = BufReader::new(reader).read_line(&mut said);
        let _ = sender.send(said);
    });
    let said = first_words.recv_timeout(WAIT_MAX).unwrap_or_default();
    assert!(
        !said.is_empty() || line.contains("--watch"),
        "`recalld {line}` said nothing"
    );
    let _ = child.kill();
    child.wait().unwrap();
}

#[test]
fn no_command_makes_a_store_while_the_database_is_unreachable() {
    walk("postgres://nobody@127.0.0.1:1/memories");
}

#[test]
fn no_command_makes_a_store_beside_a_database() {
    let database = PostgresServer::start("");
    walk(&database.address());
}
