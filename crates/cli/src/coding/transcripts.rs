//! What the user said to coding agents before recalld was there, as the agents have kept it.

mod claude_code;
mod codex;
mod cursor;
mod git;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use jiff::Timestamp;
use serde_json::Value;

/// Where it was kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum From {
    /// Sessions of Claude Code (`~/.claude/projects`)
    ClaudeCode,
    /// Sessions of Codex (`~/.codex/sessions`)
    Codex,
    /// Sessions of Cursor's agent (`~/.cursor/projects`)
    Cursor,
    /// Your own commit messages in this repository
    Git,
}

/// Something the user said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) text: String,
    /// Where the work took place.
    pub(crate) folder: PathBuf,
    pub(crate) at: Option<Timestamp>,
}

/// The most characters of something typed. What is longer is pasted.
const CHARS_MAX: usize = 4_000;

/// The most bytes of a line that is read. Longer ones hold files.
const LINE_BYTES_MAX: usize = 1024 * 1024;

/// How deep the folders of transcripts are.
const DEPTH_MAX: usize = 6;

impl From {
    /// Gives its name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            From::ClaudeCode => "claude-code",
            From::Codex => "codex",
            From::Cursor => "cursor",
            From::Git => "git",
        }
    }

    /// Lists the files to read, the oldest name first.
    pub(crate) fn files(self, home: &Path) -> Vec<PathBuf> {
        let folder = match self {
            From::ClaudeCode => home.join(".claude/projects"),
            From::Codex => home.join(".codex/sessions"),
            From::Cursor => home.join(".cursor/projects"),
            From::Git => return Vec::new(),
        };
        let mut files = Vec::new();
        collect(&folder, 0, &mut files);
        files.sort();
        files
    }

    /// Reads what the user said in a file.
    pub(crate) fn read(self, file: &Path) -> Vec<Said> {
        let lines = json_lines(file);
        let said = match self {
            From::ClaudeCode => claude_code::said(&lines),
            From::Codex => codex::said(&lines),
            From::Cursor => cursor::said(&lines, file),
            From::Git => Vec::new(),
        };
        said.into_iter().filter(is_typed).collect()
    }
}

pub(crate) use git::said as said_in_git;

fn collect(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && depth < DEPTH_MAX => collect(&path, depth + 1, files),
            Ok(kind) if kind.is_file() && path.extension().is_some_and(|end| end == "jsonl") => {
                files.push(path);
            }
            _ => {}
        }
    }
}

/// Reads the lines of a file that are JSON.
fn json_lines(file: &Path) -> Vec<Value> {
    let Ok(opened) = fs::File::open(file) else {
        return Vec::new();
    };
    let lines = BufReader::new(opened).split(b'\n').map_while(Result::ok);
    lines
        .filter(|line| line.len() <= LINE_BYTES_MAX)
        .filter_map(|line| serde_json::from_slice(&line).ok())
        .collect()
}

/// Whether a person may have typed it: agents put their own notes between tags.
fn is_typed(said: &Said) -> bool {
    let text = said.text.trim();
    let is_note = text.starts_with('<') || text.starts_with('/') || text.starts_with("Caveat:");
    !text.is_empty() && !is_note && text.chars().count() <= CHARS_MAX && said.folder.is_absolute()
}

/// The text of a message: a text, or the texts of its parts.
fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts = parts.iter().filter_map(|part| part["text"].as_str());
            texts.collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

fn time_of(value: &Value) -> Option<Timestamp> {
    value.as_str().and_then(|at| at.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(from: From, name: &str, lines: &[&str]) -> Vec<Said> {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, lines.join("\n")).unwrap();
        from.read(&file)
    }

    #[test]
    fn only_what_the_user_typed_is_read() {
        let claude = [
            r#"{"type":"user","cwd":"/w/app","timestamp":"2026-01-02T03:04:05Z","message":{"role":"user","content":"Use tabs"}}"#,
            r#"{"type":"user","isMeta":true,"cwd":"/w/app","message":{"role":"user","content":"meta"}}"#,
            r#"{"type":"user","cwd":"/w/app","message":{"role":"user","content":[{"type":"tool_result","content":"x"}]}}"#,
            r#"{"type":"user","cwd":"/w/app","message":{"role":"user","content":"<command-name>/clear</command-name>"}}"#,
            r#"{"type":"assistant","cwd":"/w/app","message":{"role":"assistant","content":"I will"}}"#,
            "not json",
        ];
        let said = read(From::ClaudeCode, "a.jsonl", &claude);
        assert_eq!(said.len(), 1, "{said:?}");
        assert_eq!(
            (said[0].text.as_str(), said[0].folder.as_path()),
            ("Use tabs", Path::new("/w/app"))
        );
        assert!(said[0].at.is_some());

        let codex = [
            r#"{"timestamp":"2026-01-02T03:04:05Z","type":"session_meta","payload":{"id":"1","cwd":"/w/app"}}"#,
            r#"{"timestamp":"2026-01-02T03:04:06Z","type":"event_msg","payload":{"type":"user_message","message":"Use tabs"}}"#,
            r#"{"timestamp":"2026-01-02T03:04:07Z","type":"event_msg","payload":{"type":"agent_message","message":"I will"}}"#,
        ];
        let said = read(From::Codex, "rollout-1.jsonl", &codex);
        assert_eq!(said.len(), 1, "{said:?}");
        assert_eq!(
            (said[0].text.as_str(), said[0].folder.as_path()),
            ("Use tabs", Path::new("/w/app"))
        );
    }
}
