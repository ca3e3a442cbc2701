//! Serves from memory while the database cannot be reached, and stores what was written when it
//! can.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use recalld_memory::change::Actor;
use recalld_memory::scope::Scope;
use recalld_portability::archive::{self, Limits, Mode, Signer};
use recalld_portability::import;
use recalld_server::{Persistence, Switch};

use super::assembly::Assembly;
use super::first_keys;
use crate::config::{Config, Fallback};
use crate::engine::{Access, Engine};
use crate::failure::{Failure, chain};
use crate::jobs::RunningJobs;
use crate::tombstones::NoTombstones;

/// The pause between two attempts to reach the database.
const TRY_EVERY: Duration = Duration::from_secs(2);

/// Where archives go that could not be stored, in the server's directory.
const ASIDE: &str = "not-stored";

/// Opens the memories, or keeps them in this process if the database cannot be reached and the
/// configuration says so.
pub(super) async fn open(config: &Config) -> Result<(Engine, Persistence), Failure> {
    let failure = match Engine::open(config, Access::Write).await {
        Ok(engine) if config.values.is_in_memory => return Ok((engine, Persistence::Volatile)),
        Ok(engine) => return Ok((engine, Persistence::Stored)),
        Err(failure) => failure,
    };
    let falls_back = config.values.database.fallback == Fallback::Memory && failure.code == "unavailable";
    if !falls_back {
        return Err(failure);
    }
    tracing::error!(
        reason = failure.message,
        "the database cannot be reached; serving without persistence until it can (database.fallback)"
    );
    let engine = Engine::in_memory(config, Arc::new(NoTombstones))?;
    Ok((engine, Persistence::Fallback))
}

/// What is replaced when the database is back.
pub(super) struct Standing {
    pub(super) switch: Switch,
    pub(super) engine: Engine,
    pub(super) jobs: RunningJobs,
}

/// Waits for the database, stores in it what was written meanwhile, and lets it serve.
pub(super) async fn return_to_database(assembly: &Assembly, directory: &Path, standing: &mut Standing) {
    let engine = loop {
        tokio::time::sleep(TRY_EVERY).await;
        match Engine::open(&assembly.config, Access::Write).await {
            Ok(engine) => break engine,
            Err(failure) => tracing::debug!(reason = failure.message, "the database still cannot be reached"),
        }
    };
    standing.switch.pause().await;
    if let Err(failure) = first_keys::ensure(directory, &*engine.keyring, engine.ports.clock.now()).await {
        tracing::warn!(reason = failure.message, "cannot create the first keys");
    }
    first_keys::remove_fallback(directory);
    replay(&standing.engine, &engine, directory).await;
    let (app, jobs) = assembly.start(&engine, Persistence::Stored);
    standing.switch.to(app);
    let former = std::mem::replace(&mut standing.jobs, jobs);
    standing.engine = engine;
    former.stop().await;
    tracing::warn!("the database is back; memories are stored again");
}

/// Puts everything aside that was written without a database, since the process ends.
pub(super) async fn put_aside(engine: &Engine, directory: &Path) {
    for space in spaces(engine).await {
        if let Some((scope, packed, _)) = packed(engine, &space).await {
            keep(directory, scope.user().as_str(), &packed);
        }
    }
}

/// Stores in `to` what was written to `from`, one user after the other.
async fn replay(from: &Engine, to: &Engine, directory: &Path) {
    for space in spaces(from).await {
        let Some((scope, packed, signer)) = packed(from, &space).await else {
            continue;
        };
        match stored(to, &scope, &packed, &signer).await {
            Ok(added) => tracing::info!(added, "stored what a user wrote while the database was away"),
            Err(reason) => {
                tracing::error!(
                    reason,
                    "some of what a user wrote while the database was away is not stored"
                );
                keep(directory, scope.user().as_str(), &packed);
            }
        }
    }
}

async fn spaces(engine: &Engine) -> Vec<recalld_memory::id::SpaceId> {
    const PAGE: usize = 500;
    let mut all = Vec::new();
    loop {
        match engine.administration.spaces(all.last(), PAGE).await {
            Ok(page) if page.is_empty() => return all,
            Ok(page) => all.extend(page),
            Err(error) => {
                tracing::error!(error = chain(&error), "cannot list what was written");
                return all;
            }
        }
    }
}

/// Packs what a user wrote. What belongs to no user is only listed: nobody but administrators
/// writes it.
async fn packed(engine: &Engine, space: &recalld_memory::id::SpaceId) -> Option<(Scope, Vec<u8>, Signer)> {
    let now = engine.ports.clock.now();
    let Some(scope) = Scope::of_job(space.clone(), Actor::new("fallback"), now) else {
        tracing::error!(%space, "what was written there without a database is lost: write it again");
        return None;
    };
    let mut secret = [0; 32];
    getrandom::fill(&mut secret).expect("the operating system provides randomness");
    let signer = Signer::new(&secret);
    let mut packed = Vec::new();
    match archive::export(&engine.ports, &scope, Some(&signer), &mut packed).await {
        Ok(()) => Some((scope, packed, signer)),
        Err(error) => {
            tracing::error!(
                error = chain(&error),
                "the writes of a user without a database cannot be read"
            );
            None
        }
    }
}

/// Imports an archive. The error says what of it could not be stored.
async fn stored(to: &Engine, scope: &Scope, packed: &[u8], signer: &Signer) -> Result<u64, String> {
    let now = to.ports.clock.now();
    let (name, limits) = ("fallback.zip", Limits::default());
    let staged = import::open(Cursor::new(packed), name, None, now, &limits, Some(signer))
        .map_err(|error| chain(&error))?;
    let imported = archive::import(&to.ports, scope, staged, Mode::Write, Arc::new(()))
        .await
        .map_err(|error| chain(&error))?;
    match imported.refused() {
        0 => Ok(imported.added()),
        refused => Err(format!("{refused} items were refused")),
    }
}

/// Writes an archive where an operator finds it, to be imported with `recalld import`.
fn keep(directory: &Path, user: &str, packed: &[u8]) {
    let aside = directory.join(ASIDE);
    let name: String = user
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .take(80)
        .collect();
    let written = crate::private_file::create_directory(&aside).map_err(|failure| failure.message);
    let path = free_path(&aside, &name);
    match written.and_then(|()| fs::write(&path, packed).map_err(|error| error.to_string())) {
        Ok(()) => tracing::error!(
            path = %path.display(),
            user,
            "put aside; import it with `recalld import`"
        ),
        Err(reason) => tracing::error!(reason, user, "writes made without a database were lost"),
    }
}

fn free_path(directory: &Path, name: &str) -> PathBuf {
    let numbered = |number: usize| directory.join(format!("{name}-{number}.zip"));
    (1..)
        .map(numbered)
        .find(|path| !path.exists())
        .unwrap_or_else(|| numbered(0))
}
