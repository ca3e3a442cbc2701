//! The checks of `recalld doctor`, each after those that it depends on.

use std::path::{Path, PathBuf};
use std::time::Duration;

use recalld_memory::id::UserId;
use recalld_memory::ports::{Administration, TextRole};

use super::{Check, State};
use crate::arguments::quoted;
use crate::coding::log;
use crate::config::Config;
use crate::engine::{self, Engine};
use crate::failure::{Failure, RESTORE_HINT};
use crate::forward::find_running_server;
use crate::models;
use crate::session::Session;

/// Below this, disk space is low.
const FREE_BYTES_LOW: u64 = 1 << 30;

/// Below this, writes are about to fail.
const FREE_BYTES_MIN: u64 = 64 << 20;

/// Runs all checks that are possible.
pub(super) async fn all(session: &Session) -> Vec<Check> {
    let config = match session.config() {
        Ok(config) => config,
        Err(failure) => return vec![Check::failed("configuration", failure)],
    };
    let sent = session.sender().map(|sender| &*sender.unknown_variables);
    let mut checks = vec![configuration(config, sent)];
    if config.values.database.url.is_some() {
        match session.examine().await {
            Ok(engine) => {
                checks.extend(examined(&engine, "repair the database, or restore a backup of it").await)
            }
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
    match session.examine().await {
        Ok(engine) => {
            checks.extend(store(session, &engine, directory).await);
            checks.push(model(config, &*engine.administration).await);
        }
        Err(failure) => checks.push(Check::failed("store", failure)),
    }
    checks.extend(hooks(directory));
    checks
}

/// Shows the last thing that went wrong in a hook of a coding agent, which itself says nothing.
fn hooks(directory: &Path) -> Option<Check> {
    let last = log::last(directory)?;
    let file = log::path(directory);
    let hint = format!("remove {} once it is settled", file.display());
    Some(Check::new("hooks", State::Warning, last).hint(hint))
}

/// How long the model may take for one short text.
const MODEL_TIMEOUT: Duration = Duration::from_secs(10);

/// Checks that the embedding model works, and how many texts are embedded. Keyword search works
/// without it, so nothing here is a problem.
async fn model(config: &Config, administration: &dyn Administration) -> Check {
    const HINT: &str = "keyword search still works; memories are embedded when the model is available again";
    let embedder = match models::embedder(config) {
        Ok(Some(embedder)) => embedder,
        Ok(None) => return Check::new("search", State::Ok, "keywords only, no embedding model"),
        Err(failure) => return Check::new("search", State::Warning, failure.message).hint(HINT),
    };
    let name = embedder.model().name.clone();
    let probe = embedder.embed(&["a word"], TextRole::Query);
    let fault = match tokio::time::timeout(MODEL_TIMEOUT, probe).await {
        Ok(Ok(_)) => None,
        Ok(Err(error)) => Some(error.to_string()),
        Err(_) => Some(format!(
            "the model {name} did not answer within {} s",
            MODEL_TIMEOUT.as_secs()
        )),
    };
    if let Some(fault) = fault {
        return Check::new("search", State::Warning, fault).hint(HINT);
    }
    if embedder.answers_at_once() {
        return Check::new("search", State::Ok, format!("keywords and meaning ({name})"));
    }
    let detail = match administration.embedded(embedder.model()).await {
        Ok(embedded) if embedded.kept < embedded.wanted => {
            let (kept, wanted) = (embedded.kept, embedded.wanted);
            let detail = format!("keywords and meaning ({name}); {kept} of {wanted} texts are embedded");
            // The model inside the binary answers for the rest meanwhile.
            if embedder.provisional("a word").is_some() {
                return Check::new("search", State::Ok, detail);
            }
            return Check::new("search", State::Warning, detail)
                .hint("`recalld reindex` embeds the rest now, `recalld serve` does so in the background");
        }
        Ok(embedded) => format!(
            "keywords and meaning ({name}); all {} texts are embedded",
            embedded.wanted
        ),
        Err(error) => return Check::failed("search", error.into()),
    };
    Check::new("search", State::Ok, detail)
}

/// Checks the effective configuration, which is that of the server if one runs. `sent` then lists
/// the unknown variables of the process that forwarded the command.
fn configuration(config: &Config, sent: Option<&[String]>) -> Check {
    let from = match &config.file {
        Some(path) => format!("read from {}", path.display()),
        None => "no file".to_owned(),
    };
    let (here, at_server) = match sent {
        Some(sent) => (sent, &*config.unknown_variables),
        None => (&*config.unknown_variables, [].as_slice()),
    };
    let unknown = [
        describe_unknown(here, ""),
        describe_unknown(at_server, " in the environment of the server"),
    ];
    let unknown: Vec<String> = unknown.into_iter().flatten().collect();
    if !unknown.is_empty() {
        let detail = format!("{from}; {}", unknown.join("; "));
        return Check::new("configuration", State::Warning, detail)
            .hint("`recalld config --json` lists the variables of all settings");
    }
    match UserId::new(&config.values.user) {
        Ok(user) => Check::new("configuration", State::Ok, format!("{from}; the user is {user}")),
        Err(error) => Check::failed("configuration", error.into()),
    }
}

/// Describes variables that start with `RECALLD_` but set nothing.
fn describe_unknown(variables: &[String], place: &str) -> Option<String> {
    match variables {
        [] => None,
        [one] => Some(format!("{one} is set{place}, but is not a setting")),
        [many @ .., last] => Some(format!(
            "{} and {last} are set{place}, but are not settings",
            many.join(", ")
        )),
    }
}

fn permissions(directory: &Path) -> Check {
    // The server may have been started in another directory.
    let full = std::path::absolute(directory).unwrap_or_else(|_| directory.to_owned());
    let place = full.display();
    let Ok(found) = directory.metadata() else {
        return Check::new(
            "directory",
            State::Ok,
            format!("{place} will be created with the first memory"),
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
            let detail = format!("other users can access {place} (mode {mode:o})");
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
    let detail = format!("{} MiB free", free >> 20);
    Some(match free {
        0..FREE_BYTES_MIN => {
            Check::new("disk", State::Problem, detail).hint("free some disk space before the next write")
        }
        FREE_BYTES_MIN..FREE_BYTES_LOW => {
            Check::new("disk", State::Warning, detail).hint("free some disk space soon")
        }
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
    checks.extend(examined(engine, RESTORE_HINT).await);
    checks
}

/// Reports that this process holds the directory.
fn held_here(directory: &Path) -> Check {
    let process = std::process::id();
    let detail = match find_running_server(directory).and_then(|server| server.address) {
        Some(address) => format!("process {process} holds the data directory and serves http://{address}"),
        None => format!("process {process} holds the data directory and serves MCP"),
    };
    Check::new("lock", State::Ok, detail).hint("commands are forwarded to it and use its configuration")
}

/// Reports what the store finds out about itself.
async fn examined(engine: &Engine, remedy: &str) -> Vec<Check> {
    let mut checks = Vec::new();
    match engine.administration.faults().await {
        Ok(faults) if faults.is_empty() => checks.push(Check::new("store", State::Ok, "no problems found")),
        Ok(faults) => checks.extend(
            faults
                .into_iter()
                .map(|fault| Check::new("store", State::Problem, fault).hint(remedy)),
        ),
        Err(error) => checks.push(Check::failed("store", error.into())),
    }
    match engine.administration.stats().await {
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
