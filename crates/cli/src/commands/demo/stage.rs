//! A temporary directory in which the demo runs this program, as a user would.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use data_encoding::HEXLOWER;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::Command;

use crate::failure::Failure;
use crate::output::{FAINT, NAME, Output, STRONG, escaped, painted};

/// How long one command may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// A directory of its own, removed in the end.
pub(super) struct Stage {
    directory: PathBuf,
    program: PathBuf,
}

/// What a command showed.
pub(super) struct Run {
    pub(super) shown: String,
    pub(super) is_success: bool,
}

impl Stage {
    pub(super) fn new() -> Result<Stage, Failure> {
        let failed = |error: &dyn std::fmt::Display| {
            Failure::failed("demo", format!("cannot create a temporary directory: {error}"))
        };
        let mut name = [0; 8];
        getrandom::fill(&mut name).map_err(|error| failed(&error))?;
        let name = format!("recalld-demo-{}", HEXLOWER.encode(&name));
        let directory = std::env::temp_dir().join(name);
        let mut builder = std::fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&directory).map_err(|error| failed(&error))?;
        // An empty file of settings hides the user's own.
        std::fs::write(directory.join("config.toml"), "").map_err(|error| failed(&error))?;
        Ok(Stage {
            program: std::env::current_exe().map_err(|error| failed(&error))?,
            directory,
        })
    }

    /// Removes the directory and everything in it.
    pub(super) fn remove(&self) -> Result<(), Failure> {
        std::fs::remove_dir_all(&self.directory).map_err(|error| {
            let message = format!("cannot remove {}: {error}", self.directory.display());
            Failure::failed("demo", message).hint("remove the directory yourself")
        })
    }

    /// Prepares a command on the memories of the demo, without the user's settings.
    fn command(&self, words: &[String]) -> Command {
        let mut command = Command::new(&self.program);
        let ours =
            |name: &str| name.starts_with("RECALLD_") || name.ends_with("_URL") || name.ends_with("_API_KEY");
        for (name, _) in std::env::vars_os() {
            if name.to_str().is_some_and(ours) {
                command.env_remove(&name);
            }
        }
        command
            .arg("--data")
            .arg(self.directory.join("data"))
            .arg("--config")
            .arg(self.directory.join("config.toml"))
            .args(words)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        command
    }

    /// Runs a command and returns what it showed. Suggested commands are shortened to what a user
    /// would type.
    pub(super) async fn run(&self, line: &str) -> Result<Run, Failure> {
        let output = tokio::time::timeout(PATIENCE, self.command(&words(line)).output()).await;
        let output = output
            .map_err(|_| Failure::failed("demo", format!("`recalld {line}` did not end")))?
            .map_err(|error| Failure::failed("demo", format!("cannot run `recalld {line}`: {error}")))?;
        let shown = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        let prefix = format!(
            " --config {0}/config.toml --data {0}/data",
            self.directory.display()
        );
        Ok(Run {
            shown: shown.replace(&prefix, ""),
            is_success: output.status.success(),
        })
    }

    /// Opens the console until the user presses Enter; without a terminal, only until it answers.
    pub(super) async fn console(&self, output: &Output) -> Result<(), Failure> {
        let failed = |problem: &str| Failure::failed("demo", format!("the console did not start: {problem}"));
        let words = words("serve --json --listen 127.0.0.1:0");
        let mut server = self
            .command(&words)
            .spawn()
            .map_err(|error| failed(&error.to_string()))?;
        let stdout = server.stdout.take().ok_or_else(|| failed("it has no output"))?;
        let mut reader = BufReader::new(stdout);
        let mut banner = String::new();
        let link = tokio::time::timeout(PATIENCE, async {
            while reader.read_line(&mut banner).await.is_ok_and(|read| 0 < read) {
                if let Ok(banner) = serde_json::from_str::<Value>(&banner) {
                    return banner["console"].as_str().map(str::to_owned);
                }
            }
            None
        });
        let link = link.await.ok().flatten();
        let link = link.ok_or_else(|| failed(banner.trim()))?;
        if output.is_text() {
            let title = painted(STRONG, "8. The console shows all of it in a browser");
            output.styled(&format!("\n{title}\n{}\n", painted(NAME, &escaped(&link))))?;
            if std::io::stdin().is_terminal() {
                output.styled(&painted(FAINT, "Press Enter to end the demo.\n"))?;
                let mut line = [0; 1];
                let _ = tokio::io::stdin().read(&mut line).await;
            }
        }
        let _ = server.kill().await;
        Ok(())
    }
}

/// Splits a line at spaces; words in double quotes are one.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (at, part) in line.split('"').enumerate() {
        match at % 2 {
            1 => words.push(part.to_owned()),
            _ => words.extend(part.split_whitespace().map(str::to_owned)),
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_words_are_one() {
        assert_eq!(words("add \"a b\" --key c"), ["add", "a b", "--key", "c"]);
    }
}
