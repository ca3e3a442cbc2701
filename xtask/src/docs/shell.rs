//! Runs the blocks of a page in one shell.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::page::{Block, Running};

/// The most time for one page.
const SECONDS_MAX: u32 = 240;

/// Waits until the server that a block started answers.
const WAIT: &str = "for _ in $(seq 1 300); do \
    if curl -s -o /dev/null http://127.0.0.1:7077/health/live; then break; fi; sleep 0.1; done\n";

/// Runs the blocks in order. The error names the block that failed and what was printed last.
pub fn run(binary: &Path, blocks: &[Block]) -> Result<()> {
    let home = tempfile::tempdir()?;
    let programs = home.path().join(".bin");
    fs::create_dir(&programs)?;
    fs::hard_link(binary, programs.join("recalld"))
        .or_else(|_| fs::copy(binary, programs.join("recalld")).map(drop))?;
    let script = home.path().join(".blocks.sh");
    fs::write(&script, of(blocks))?;
    let folder = home.path().join("work");
    fs::create_dir(&folder)?;
    let path = format!("{}:/usr/local/bin:/usr/bin:/bin", programs.display());
    let mut command = isolated();
    let output = command
        .args(["timeout", "--kill-after=5"])
        .arg(SECONDS_MAX.to_string())
        .arg("bash")
        .arg(&script)
        .current_dir(&folder)
        .env_clear()
        .env("HOME", home.path())
        .env("PATH", path)
        .env("LANG", "C.UTF-8")
        .stdin(Stdio::null())
        .output()
        .context("cannot start a shell")?;
    if output.status.success() {
        return Ok(());
    }
    let printed = String::from_utf8_lossy(&output.stdout);
    let last: Vec<&str> = printed.lines().collect();
    let from = last.len().saturating_sub(25);
    bail!("ended with {}\n{}", output.status, last[from..].join("\n"))
}

/// Gives the pages ports of their own, so that two runs do not meet, and takes the network away.
/// This needs rights that not everybody has: without them the pages run as they are.
fn isolated() -> Command {
    let probe = ["--net", "--map-root-user", "sh", "-c", "ip link set lo up"];
    let can = Command::new("unshare")
        .args(probe)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    let mut command = Command::new(if can { "unshare" } else { "env" });
    if can {
        command.args([
            "--net",
            "--map-root-user",
            "--pid",
            "--fork",
            "--kill-child",
            "sh",
            "-c",
            "ip link set lo up; exec \"$@\"",
            "sh",
        ]);
    }
    command
}

/// Writes one script of all blocks. It stops at the first command that fails, and ends what it
/// started.
fn of(blocks: &[Block]) -> String {
    let mut script =
        String::from("exec 2>&1\nset -eo pipefail\ntrap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n");
    for block in blocks {
        let Block { line, commands, .. } = block;
        let announced = format!("echo '--- the block at line {line}:'\n");
        match block.running {
            Running::ToItsEnd => script += &format!("{announced}{commands}"),
            Running::InBackground => script += &format!("{announced}{{\n{commands}}} &\n{WAIT}"),
            Running::Not { .. } => {}
        }
    }
    script
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(blocks: &[(&str, Running)]) -> Result<()> {
        let block = |(at, (commands, running)): (usize, &(&str, Running))| Block {
            line: at + 1,
            commands: (*commands).to_owned(),
            running: match running {
                Running::ToItsEnd => Running::ToItsEnd,
                Running::InBackground => Running::InBackground,
                Running::Not { reason } => Running::Not {
                    reason: reason.clone(),
                },
            },
        };
        let blocks: Vec<Block> = blocks.iter().enumerate().map(block).collect();
        run(Path::new("/bin/true"), &blocks)
    }

    #[test]
    fn variables_last_for_the_page_and_a_failure_names_its_block() {
        check(&[
            ("KEY=1\n", Running::ToItsEnd),
            ("test \"$KEY\" = 1 && recalld\n", Running::ToItsEnd),
        ])
        .unwrap();
        let failed = check(&[
            ("true\n", Running::ToItsEnd),
            ("echo seen\nfalse\necho unseen\n", Running::ToItsEnd),
        ]);
        let told = failed.unwrap_err().to_string();
        assert!(
            told.contains("line 2") && told.contains("seen") && !told.contains("unseen"),
            "{told}"
        );
        let left_out = Running::Not {
            reason: String::new(),
        };
        check(&[("false\n", left_out)]).unwrap();
    }
}
