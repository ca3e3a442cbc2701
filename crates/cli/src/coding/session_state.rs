//! What was injected in a session of a coding agent, so that nothing is said twice.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::private_file;

/// A session that was not heard of for so long is over.
const FORGOTTEN: Duration = Duration::from_secs(7 * 24 * 3600);

/// One session. It holds ids and counts, and nothing that anybody said.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub(crate) struct SessionState {
    /// The session, as the agent names it.
    pub(crate) session: String,
    /// The project in which it takes place.
    pub(crate) project: String,
    /// Whether the user wants nothing injected or captured in it.
    pub(crate) paused: bool,
    /// The memories that were injected and that the agent still knows.
    pub(crate) injected: Vec<String>,
    /// Why memories were injected, in their order.
    pub(crate) reasons: Vec<Reason>,
    /// The tokens of all injections.
    pub(crate) tokens: usize,
    /// How many prompts were captured.
    pub(crate) captured: usize,
}

/// Why a memory was injected.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Reason {
    pub(crate) memory: String,
    /// How well it fits the prompt; none for what a session starts with.
    pub(crate) score: Option<f32>,
}

/// The most reasons that are kept.
const REASONS_MAX: usize = 200;

fn directory(data: &Path) -> PathBuf {
    data.join("hooks/sessions")
}

fn path(data: &Path, session: &str) -> PathBuf {
    // The id comes from another program: it names no path.
    let name = HEXLOWER.encode(&Sha256::digest(session.as_bytes())[..12]);
    directory(data).join(format!("{name}.json"))
}

impl SessionState {
    /// Reads a session; one that is unknown or unreadable is new.
    pub(crate) fn read(data: &Path, session: &str) -> SessionState {
        let text = fs::read(path(data, session)).ok();
        text.and_then(|text| serde_json::from_slice(&text).ok())
            .unwrap_or_default()
    }

    /// Writes a session. If that fails, something may be said twice.
    pub(crate) fn write(&self, data: &Path, session: &str) {
        let path = path(data, session);
        if fs::create_dir_all(directory(data)).is_ok() {
            let text = serde_json::to_string(self).expect("a session is plain data");
            let _ = private_file::write(&path, &text);
        }
    }

    /// Notes why memories were injected.
    pub(crate) fn explain(&mut self, reasons: impl IntoIterator<Item = Reason>) {
        self.reasons.extend(reasons);
        let surplus = self.reasons.len().saturating_sub(REASONS_MAX);
        self.reasons.drain(..surplus);
    }

    /// Finds the last session of a project, or the one that is named.
    pub(crate) fn last(data: &Path, project: &str, named: Option<&str>) -> Option<SessionState> {
        if let Some(session) = named {
            let state = SessionState::read(data, session);
            return (state.session == session).then_some(state);
        }
        let entries = fs::read_dir(directory(data)).ok()?.flatten();
        let read = |entry: fs::DirEntry| -> Option<(SystemTime, SessionState)> {
            let changed = entry.metadata().and_then(|about| about.modified()).ok()?;
            let state: SessionState = serde_json::from_slice(&fs::read(entry.path()).ok()?).ok()?;
            (state.project == project).then_some((changed, state))
        };
        let found = entries.filter_map(read).max_by_key(|(changed, _)| *changed);
        found.map(|(_, state)| state)
    }

    /// Describes it in one line.
    pub(crate) fn line(&self) -> String {
        format!(
            "recalld: loaded {}, heard {}, {} tokens",
            self.injected.len(),
            self.captured,
            self.tokens
        )
    }
}

/// Removes sessions that are over.
pub(crate) fn remove_forgotten(data: &Path) {
    let Ok(entries) = fs::read_dir(directory(data)) else {
        return;
    };
    let limit = SystemTime::now().checked_sub(FORGOTTEN);
    for entry in entries.flatten() {
        let changed = entry.metadata().and_then(|about| about.modified()).ok();
        if changed.is_some_and(|changed| limit.is_some_and(|limit| changed < limit)) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether the user has paused hooks.
pub(crate) fn is_paused(data: &Path) -> bool {
    data.join("hooks/paused").exists()
}

/// Pauses hooks, or lets them go on.
pub(crate) fn set_paused(data: &Path, paused: bool) -> std::io::Result<()> {
    let path = data.join("hooks/paused");
    match paused {
        true => {
            fs::create_dir_all(data.join("hooks"))?;
            fs::write(path, "")
        }
        false => match fs::remove_file(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            removed => removed,
        },
    }
}
