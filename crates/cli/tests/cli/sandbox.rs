//! A data directory with a home around it, the binary, and transcripts that read the same on every
//! run.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use expect_test::Expect;
use regex::Regex;
use tempfile::TempDir;

/// How a run of the program ended.
#[derive(Debug)]
pub struct Run {
    pub out: String,
    pub err: String,
    pub code: Option<i32>,
}

impl Run {
    /// Reads standard output as JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Reads standard error as JSON.
    pub fn error(&self) -> serde_json::Value {
        serde_json::from_str(&self.err).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// A home with nothing in it yet.
#[derive(Debug)]
pub struct Sandbox {
    home: TempDir,
}

impl Sandbox {
    pub fn new() -> Sandbox {
        Sandbox {
            home: tempfile::tempdir().unwrap(),
        }
    }

    pub fn home(&self) -> &Path {
        self.home.path()
    }

    pub fn data(&self) -> PathBuf {
        self.home().join(".local/share/recalld")
    }

    /// Prepares a run in an environment that holds nothing else.
    pub fn command<A: AsRef<std::ffi::OsStr>>(&self, arguments: &[A]) -> Command {
        // Another build of the program may be looked at: one that is as fast as what users run.
        let built = std::env::var_os("RECALLD_TEST_BINARY");
        let mut command = Command::new(built.unwrap_or_else(|| env!("CARGO_BIN_EXE_recalld").into()));
        command
            .args(arguments)
            .env_clear()
            .env("HOME", self.home())
            .env("TZ", "UTC");
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command.current_dir(self.home());
        command
    }

    pub fn run<A: AsRef<std::ffi::OsStr>>(&self, arguments: &[A]) -> Run {
        finish(self.command(arguments))
    }

    /// Runs with `input` on standard input.
    pub fn run_with(&self, arguments: &[&str], input: &[u8]) -> Run {
        let mut child = self.command(arguments).stdin(Stdio::piped()).spawn().unwrap();
        // A program that has read enough closes its end.
        let _ = child.stdin.take().unwrap().write_all(input);
        Run::of(child.wait_with_output().unwrap())
    }

    /// Runs command lines one after the other and compares what a person would see.
    pub fn check(&self, lines: &[&str], expected: Expect) {
        let mut transcript = String::new();
        for line in lines {
            let run = self.run(&words(line));
            transcript += &format!("$ recalld {line}\n{}{}", run.out, run.err);
            if run.code != Some(0) {
                transcript += &format!("[{}]\n", run.code.unwrap_or(-1));
            }
        }
        expected.assert_eq(&self.normal(&transcript));
    }

    /// Writes ids, times and places as what they are.
    fn normal(&self, text: &str) -> String {
        let home = self.home().display().to_string();
        let patterns = [
            (r"\b[0-9a-f]{64}\b", "<hash>"),
            (r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "<id>"),
            (r"\b[0-9a-f]{8}\b", "<short>~"),
            (r"\d{4}-\d\d-\d\dT[0-9:.]+Z", "<time>"),
            (r"(</?memories) [0-9a-f]{16}>", "$1 <number>>"),
            (r"\d{4}-\d\d-\d\d \d\d:\d\d", "YYYY-MM-DD hh:mm"),
            (r"\d{4}-\d\d-\d\d", "YYYY-MM-DD"),
            // How full this machine is says nothing about the program.
            (
                r"(?:ok     |warning)  disk( +)\d+ MiB free(?:\n +free some disk space soon)?",
                "ok       disk${1}… MiB free",
            ),
            // A busy machine may take a minute, and a column grows with what is in it.
            (r"\b\d+ min ago\b", "just now"),
            (r"\bjust now {2,}", "just now  "),
            (r"process \d+", "process …"),
            (r"sqlite version +\S+", "sqlite version …"),
            // Ids are random, and so are their tokens.
            (r"\d+ of 10000", "… of 10000"),
            (r#""token_count": \d+"#, "\"token_count\": …"),
        ];
        let text = text.replace(&home, "~").replace('\u{202e}', "<RLO>");
        patterns.iter().fold(text, |text, (pattern, name)| {
            Regex::new(pattern)
                .unwrap()
                .replace_all(&text, *name)
                .into_owned()
        })
    }
}

impl Run {
    /// Takes what a run left.
    pub fn of(output: std::process::Output) -> Run {
        Run {
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
            code: output.status.code(),
        }
    }
}

pub fn finish(mut command: Command) -> Run {
    Run::of(command.output().unwrap())
}

/// Splits a line as a shell does, as far as the scenes need it.
pub fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}
