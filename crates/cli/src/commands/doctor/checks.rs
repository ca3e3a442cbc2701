//! What `doctor` looks at, in the order of what depends on what.

use std::path::{Path, PathBuf};

use recalld_memory::id::UserId;

use super::{Check, State};
use crate::config::Config;
use crate::engine::{self, Engine};
use crate::failure::Failure;
use crate::session::Session;

/// Below this a write may soon find no room.
const FREE_BYTES_LOW: u64 = 1 << 30;

/// Below this it will.
const FREE_BYTES_MIN: u64 = 64 << 20;

/// Looks at everything that can be looked at.
pub(super) async fn all(session: &Session) -> Vec<Check> {
    let config = match session.config() {
        Ok(config) => config,
        Err(failure) => return vec![Check::failed("configuration", failure)],
    };
    let mut checks = vec![configuration(config)];
    let directory = match config.data() {
        Ok(directory) => directory,
        Err(failure) => {
            checks.push(Check::failed("directory", failure));
            return checks;
        }
    };
    checks.push(permissions(directory));
    checks.extend(disk(directory));
    match session.read() {
        Ok(engine) => checks.extend(store(&engine, directory).await),
        Err(failure) => checks.push(Check::failed("store", failure)),
    }
    checks.push(Check::new(
        "search",
        State::Ok,
        "by words, no model is configured",
    ));
    checks
}

fn configuration(config: &Config) -> Check {
    let from = match &config.file {
        Some(path) => format!("read from {}", path.display()),
        None => "no file, which is fine".to_owned(),
    };
    if let Some(variable) = config.unknown_variables.first() {
        let detail = format!("{from}; {variable} is set, but there is no such setting");
        return Check::new("configuration", State::Warning, detail)
            .hint("`recalld config --json` names the variables");
    }
    match UserId::new(&config.values.user) {
        Ok(user) => Check::new("configuration", State::Ok, format!("{from}; the user is {user}")),
        Err(error) => Check::failed("configuration", error.into()),
    }
}

fn permissions(directory: &Path) -> Check {
    let place = directory.display();
    let Ok(found) = directory.metadata() else {
        return Check::new(
            "directory",
            State::Ok,
            format!("{place} will be made by the first memory"),
        );
    };
    if !found.is_dir() {
        let failure = Failure::failed("data_directory", format!("{place} is not a directory"));
        return Check::failed("directory", failure.hint("name a directory with --data DIR"));
    }
    #[cfg(unix)]
    {
        let mode = std::os::unix::fs::PermissionsExt::mode(&found.permissions()) & 0o777;
        if mode & 0o077 != 0 {
            let detail = format!("{place} can be entered by others (mode {mode:o})");
            return Check::new("directory", State::Warning, detail).hint(format!("chmod 700 {place}"));
        }
    }
    Check::new("directory", State::Ok, place.to_string())
}

#[cfg(unix)]
fn disk(directory: &Path) -> Option<Check> {
    let existing: PathBuf = directory.ancestors().find(|path| path.exists())?.to_owned();
    let figures = rustix::fs::statvfs(&existing).ok()?;
    let free = figures.f_bavail.saturating_mul(figures.f_frsize);
    let detail = format!("{} MiB are free", free >> 20);
    Some(match free {
        0..FREE_BYTES_MIN => {
            Check::new("disk", State::Problem, detail).hint("make room before the next write")
        }
        FREE_BYTES_MIN..FREE_BYTES_LOW => Check::new("disk", State::Warning, detail).hint("make room soon"),
        _ => Check::new("disk", State::Ok, detail),
    })
}

#[cfg(not(unix))]
fn disk(_: &Path) -> Option<Check> {
    None
}

async fn store(engine: &Engine, directory: &Path) -> Vec<Check> {
    if engine::is_empty(directory) {
        return vec![Check::new("store", State::Ok, "nothing is stored yet")];
    }
    let mut checks = vec![Check::new(
        "lock",
        State::Ok,
        "no other process holds the data directory",
    )];
    match engine.administration.faults().await {
        Ok(faults) if faults.is_empty() => checks.push(Check::new("store", State::Ok, "sound")),
        Ok(faults) => checks.extend(faults.into_iter().map(|fault| {
            Check::new("store", State::Problem, fault)
                .hint("restore the newest backup into an empty directory")
        })),
        Err(error) => checks.push(Check::failed("store", error.into())),
    }
    match engine.administration.figures().await {
        Ok(figures) => {
            let figures: Vec<String> = figures
                .iter()
                .map(|(name, value)| format!("{name} {value}"))
                .collect();
            checks.push(Check::new("figures", State::Ok, figures.join(", ")));
        }
        Err(error) => checks.push(Check::failed("figures", error.into())),
    }
    checks
}
