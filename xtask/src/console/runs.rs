//! Runs test files side by side, and those that failed once more, alone.
//!
//! A browser on a loaded machine now and then does two things in an order that nobody has seen
//! before. Such a failure must not hold up a change that has nothing to do with it, and it must not
//! go unnoticed: what passes only alone is reported as flaky.

use std::collections::VecDeque;
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Context, Result, bail};

/// How many files run at the same time.
const WORKERS: usize = 2;

/// How a run of one file ended.
struct Ended {
    file: String,
    has_passed: bool,
    said: String,
}

/// Runs each file with the command that `command` makes for it. Gives the files that failed and
/// passed when they ran again, alone; fails when a file fails twice.
pub(super) fn run(files: &[String], command: &(dyn Fn(&str) -> Command + Sync)) -> Result<Vec<String>> {
    let failed: Vec<String> = side_by_side(files, command)?
        .into_iter()
        .filter(|ended| !ended.has_passed)
        .map(|ended| ended.file)
        .collect();
    let mut flaky = Vec::new();
    for file in failed {
        println!("   {file} failed; running it again, alone");
        let again = ended(&file, &mut command(&file))?;
        print!("{}", again.said);
        if !again.has_passed {
            bail!("{file} failed twice");
        }
        println!("   FLAKY: {file} failed beside others and passed alone. Please find out why.");
        flaky.push(file);
    }
    Ok(flaky)
}

fn side_by_side(files: &[String], command: &(dyn Fn(&str) -> Command + Sync)) -> Result<Vec<Ended>> {
    let waiting: Mutex<VecDeque<&String>> = Mutex::new(files.iter().collect());
    let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
    let work = || -> Result<Vec<Ended>> {
        let mut all = Vec::new();
        while let Some(file) = next() {
            let ended = ended(file, &mut command(file))?;
            print!("{}", ended.said);
            all.push(ended);
        }
        Ok(all)
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS).map(|_| scope.spawn(work)).collect();
        let mut all = Vec::new();
        for worker in workers {
            all.extend(worker.join().unwrap_or_else(|_| bail!("a worker panicked"))?);
        }
        Ok(all)
    })
}

/// Waits for a command and keeps what it says, so that two of them do not talk into each other.
fn ended(file: &str, command: &mut Command) -> Result<Ended> {
    let output = command
        .output()
        .with_context(|| format!("cannot start the tests in {file}"))?;
    Ok(Ended {
        file: file.to_owned(),
        has_passed: output.status.success(),
        said: format!(
            "{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A shell command; `$0` is the file it stands for.
    fn shell(script: &'static str) -> impl Fn(&str) -> Command + Sync {
        move |file| {
            let mut command = Command::new("sh");
            command.args(["-c", script, file]);
            command
        }
    }

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn files_that_pass_are_not_flaky() {
        assert_eq!(run(&names(&["a", "b", "c"]), &shell("true")).unwrap(), names(&[]));
    }

    #[test]
    fn a_file_that_passes_alone_is_flaky() {
        let folder = std::env::temp_dir().join(format!("recalld-xtask-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let once = |file: &str| {
            let mut command = Command::new("sh");
            let script = "test $0 = a || test -e seen || { touch seen; exit 1; }";
            command.args(["-c", script, file]).current_dir(&folder);
            command
        };
        assert_eq!(run(&names(&["a", "b"]), &once).unwrap(), names(&["b"]));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_file_that_fails_twice_fails() {
        let error = run(&names(&["a", "b"]), &shell("test $0 = a")).unwrap_err();
        assert_eq!(error.to_string(), "b failed twice");
    }
}
