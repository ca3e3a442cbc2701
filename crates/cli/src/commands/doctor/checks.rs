//! What `doctor` looks at, in the order of what depends on what.

use std::path::{Path, PathBuf};
use std::time::Duration;

use recalld_memory::id::UserId;
use recalld_memory::ports::{Administration, TextRole};

use super::{Check, State};
use crate::arguments::quoted;
use crate::carry::running;
use crate::config::Config;
use crate::engine::{self, Engine};
use crate::failure::{Failure, RESTORE};
use crate::models;
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
    let sent = session.sender().map(|sender| &*sender.unknown_variables);
    let mut checks = vec![configuration(config, sent)];
    if config.values.database.url.is_some() {
        match session.read() {
            Ok(engine) => checks.extend(examined(&engine, "mend it, or serve from another database").await),
            Err(failure) => checks.push(Check::failed("database", failure)),
        }
        return checks;
    }
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
        Ok(engine) => {
            checks.extend(store(session, &engine, directory).await);
            checks.push(model(config, &*engine.administration).await);
        }
        Err(failure) => checks.push(Check::failed("store", failure)),
    }
    checks
}

/// How long the model may take for one short text.
const MODEL_PATIENCE: Duration = Duration::from_secs(10);

/// Asks the model for a vector, and tells how far it has come. Search goes on by words without it,
/// so nothing here is a problem.
async fn model(config: &Config, administration: &dyn Administration) -> Check {
    const HINT: &str =
        "memories are stored and found by their words; vectors are made when the model answers again";
    let embedder = match models::embedder(config) {
        Ok(Some(embedder)) => embedder,
        Ok(None) => return Check::new("search", State::Ok, "by words, without a model"),
        Err(failure) => return Check::new("search", State::Warning, failure.message).hint(HINT),
    };
    let name = embedder.model().name.clone();
    let probe = embedder.embed(&["a word"], TextRole::Query);
    let fault = match tokio::time::timeout(MODEL_PATIENCE, probe).await {
        Ok(Ok(_)) => None,
        Ok(Err(error)) => Some(error.to_string()),
        Err(_) => Some(format!(
            "the model {name} gave no answer within {} s",
            MODEL_PATIENCE.as_secs()
        )),
    };
    if let Some(fault) = fault {
        return Check::new("search", State::Warning, fault).hint(HINT);
    }
    if embedder.answers_at_once() {
        return Check::new("search", State::Ok, format!("by words and meaning ({name})"));
    }
    let detail = match administration.embedded(embedder.model()).await {
        Ok(embedded) if embedded.kept < embedded.wanted => {
            let (kept, wanted) = (embedded.kept, embedded.wanted);
            let detail = format!("by words and meaning ({name}); {kept} of {wanted} texts have a vector");
            return Check::new("search", State::Warning, detail)
                .hint("`recalld reindex` makes the rest now, `recalld serve` in the background");
        }
        Ok(embedded) => format!(
            "by words and meaning ({name}); all {} texts have a vector",
            embedded.wanted
        ),
        Err(error) => return Check::failed("search", error.into()),
    };
    Check::new("search", State::Ok, detail)
}

/// Looks at the configuration in force, which is the server's when one runs; `sent` are then the
/// unknown variables of whoever asks, who is the one that can mend them.
fn configuration(config: &Config, sent: Option<&[String]>) -> Check {
    let from = match &config.file {
        Some(path) => format!("read from {}", path.display()),
        None => "no file, which is fine".to_owned(),
    };
    let (here, at_server) = match sent {
        Some(sent) => (sent, &*config.unknown_variables),
        None => (&*config.unknown_variables, [].as_slice()),
    };
    let slips = [
        unknown(here, ""),
        unknown(at_server, " where the server was started"),
    ];
    let slips: Vec<String> = slips.into_iter().flatten().collect();
    if !slips.is_empty() {
        let detail = format!("{from}; {}", slips.join("; "));
        return Check::new("configuration", State::Warning, detail)
            .hint("`recalld config --json` names the variables");
    }
    match UserId::new(&config.values.user) {
        Ok(user) => Check::new("configuration", State::Ok, format!("{from}; the user is {user}")),
        Err(error) => Check::failed("configuration", error.into()),
    }
}

/// Complains of variables that look like settings and are none.
fn unknown(variables: &[String], place: &str) -> Option<String> {
    match variables {
        [] => None,
        [one] => Some(format!("{one} is set{place}, but there is no such setting")),
        [many @ .., last] => Some(format!(
            "{} and {last} are set{place}, but there are no such settings",
            many.join(", ")
        )),
    }
}

fn permissions(directory: &Path) -> Check {
    // A server may have been started elsewhere than where it is asked.
    let full = std::path::absolute(directory).unwrap_or_else(|_| directory.to_owned());
    let place = full.display();
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
            return Check::new("directory", State::Warning, detail)
                .hint(format!("chmod 700 {}", quoted(&place.to_string())));
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

async fn store(session: &Session, engine: &Engine, directory: &Path) -> Vec<Check> {
    if engine::is_empty(directory) {
        return vec![Check::new("store", State::Ok, "nothing is stored yet")];
    }
    let mut checks = vec![match session.sender() {
        Some(_) => held_here(directory),
        None => Check::new("lock", State::Ok, "no other process holds the data directory"),
    }];
    checks.extend(examined(engine, RESTORE).await);
    checks
}

/// Tells whoever asked that this process holds the directory.
fn held_here(directory: &Path) -> Check {
    let process = std::process::id();
    let detail = match running(directory).and_then(|running| running.address) {
        Some(address) => format!("process {process} holds the data directory and serves http://{address}"),
        None => format!("process {process} holds the data directory and serves MCP"),
    };
    Check::new("lock", State::Ok, detail).hint("commands go through it, and by its configuration")
}

/// What the store finds out about itself.
async fn examined(engine: &Engine, remedy: &str) -> Vec<Check> {
    let mut checks = Vec::new();
    match engine.administration.faults().await {
        Ok(faults) if faults.is_empty() => checks.push(Check::new("store", State::Ok, "sound")),
        Ok(faults) => checks.extend(
            faults
                .into_iter()
                .map(|fault| Check::new("store", State::Problem, fault).hint(remedy)),
        ),
        Err(error) => checks.push(Check::failed("store", error.into())),
    }
    match engine.administration.figures().await {
        Ok(figures) => {
            let figures: Vec<String> = figures
                .iter()
                .map(|(name, value)| format!("{name} {value}"))
                .collect();
            checks.push(Check::list("figures", figures));
        }
        Err(error) => checks.push(Check::failed("figures", error.into())),
    }
    checks
}
