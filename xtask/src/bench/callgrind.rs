//! Counts instructions with valgrind.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::scene::{Program, Scene};
use crate::toolchain::check;

/// So many requests are made before counting: the first pay for what is made once.
const BEFORE: usize = 3;
/// So many are counted: enough that the start, which is not quite the same each time, tells little.
const COUNTED: usize = 50;

/// Tells whether valgrind is there.
pub fn is_installed() -> bool {
    Command::new("valgrind")
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Installs valgrind where it is missing and that is possible. Tells whether it is there.
pub fn install() -> bool {
    if is_installed() {
        return true;
    }
    println!("   installing valgrind");
    let _ = check(Command::new("apt-get").args(["update", "-qq"]));
    let _ = check(Command::new("apt-get").args(["install", "-y", "-qq", "valgrind"]));
    is_installed()
}

/// Counts the instructions of one request.
pub fn each(program: &Program, scene: &Scene, work: &str) -> Result<u64> {
    let before = total(program, scene, work, BEFORE)?;
    let after = total(program, scene, work, BEFORE + COUNTED)?;
    Ok(after.saturating_sub(before) / COUNTED as u64)
}

/// Counts the instructions of the first request after a start.
pub fn first(program: &Program, scene: &Scene, work: &str) -> Result<u64> {
    let before = total(program, scene, work, 0)?;
    Ok(total(program, scene, work, 1)?.saturating_sub(before))
}

fn total(program: &Program, scene: &Scene, work: &str, times: usize) -> Result<u64> {
    let data = scene.copy()?;
    let report = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program.path())
        .arg(work)
        .arg(data.path())
        .args(["--times", &times.to_string(), "--encoder", scene.encoder.as_str()])
        .stdout(Stdio::null())
        .output()
        .context("cannot start valgrind")?;
    let told = String::from_utf8_lossy(&report.stderr);
    ensure!(report.status.success(), "{work} failed under valgrind:\n{told}");
    collected(&told).with_context(|| format!("valgrind gave no count for {}:\n{told}", show(program.path())))
}

fn show(path: &Path) -> String {
    path.display().to_string()
}

/// Reads the sum from the end of valgrind's report: `==1== Collected : 123`.
fn collected(report: &str) -> Option<u64> {
    let line = report.lines().rev().find(|line| line.contains("Collected :"))?;
    line.rsplit(':').next()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_is_read_from_the_report() {
        let report = "==7== Events    : Ir\n==7== Collected : 1290\n==7== \n";
        assert_eq!(collected(report), Some(1290));
        assert_eq!(collected("==7== nothing\n"), None);
    }
}
