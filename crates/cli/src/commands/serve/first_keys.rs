//! The keys that the first start creates, in a file that only its owner can read.

use std::fs;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use recalld_memory::id::UserId;
use recalld_memory::ports::{KeyKind, Keyring};
use recalld_server::{adopt_key, create_key};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::private_file;

const FILE: &str = "keys.json";

/// The keys of the first start.
#[derive(Debug, Deserialize, Serialize)]
pub(in crate::commands) struct FirstKeys {
    pub(in crate::commands) admin: String,
    pub(super) local: String,
    #[serde(skip)]
    pub(super) path: PathBuf,
    #[serde(skip)]
    pub(super) are_new: bool,
}

/// Reads the first keys, or creates them if the store has no keys at all. `None` if the operator
/// has removed the file.
pub(super) async fn ensure(
    directory: &Path,
    keyring: &dyn Keyring,
    now: Timestamp,
) -> Result<Option<FirstKeys>, Failure> {
    let path = directory.join(FILE);
    if let Some(keys) = read(&path)? {
        return Ok(Some(keys));
    }
    if !keyring.keys().await?.is_empty() {
        return Ok(None);
    }
    let name = |name: &str| Some(format!("{name}, from the first start"));
    let local = UserId::new("local").expect("the word is a valid id");
    let admin = create_key(keyring, KeyKind::Admin, None, name("admin"), now).await?;
    let local = create_key(keyring, KeyKind::User { user: local }, None, name("local"), now).await?;
    let keys = FirstKeys {
        admin: admin.key,
        local: local.key,
        path,
        are_new: true,
    };
    let text = serde_json::to_string_pretty(&keys).expect("keys are plain data") + "\n";
    private_file::write(&keys.path, &text)?;
    Ok(Some(keys))
}

/// The file with keys of a server whose database cannot be reached, and that has no others.
const FALLBACK_FILE: &str = "fallback-keys.json";

/// Gives a store without keys those of the first start, so that callers can go on. If there are
/// none, makes some that hold as long as the store does.
pub(super) async fn adopt(
    directory: &Path,
    keyring: &dyn Keyring,
    now: Timestamp,
) -> Result<FirstKeys, Failure> {
    let local = UserId::new("local").expect("the word is a valid id");
    let name = |name: &str| Some(format!("{name}, from the first start"));
    let local_kind = KeyKind::User { user: local };
    if let Some(keys) = read(&directory.join(FILE))? {
        adopt_key(keyring, &keys.admin, KeyKind::Admin, name("admin"), now).await?;
        adopt_key(keyring, &keys.local, local_kind, name("local"), now).await?;
        return Ok(keys);
    }
    let admin = create_key(keyring, KeyKind::Admin, None, name("admin"), now).await?;
    let local = create_key(keyring, local_kind, None, name("local"), now).await?;
    let keys = FirstKeys {
        admin: admin.key,
        local: local.key,
        path: directory.join(FALLBACK_FILE),
        are_new: true,
    };
    let text = serde_json::to_string_pretty(&keys).expect("keys are plain data") + "\n";
    private_file::write(&keys.path, &text)?;
    Ok(keys)
}

/// Removes the file of keys that no longer hold.
pub(super) fn remove_fallback(directory: &Path) {
    let _ = fs::remove_file(directory.join(FALLBACK_FILE));
}

/// Reads the first keys of a server's directory, if the file exists.
pub(in crate::commands) fn read_in(directory: &Path) -> Result<Option<FirstKeys>, Failure> {
    read(&directory.join(FILE))
}

fn read(path: &Path) -> Result<Option<FirstKeys>, Failure> {
    match fs::read(path) {
        Ok(text) => {
            let keys: FirstKeys = serde_json::from_slice(&text).map_err(|error| {
                let message = format!("cannot read {}: {error}", path.display());
                Failure::failed("keys", message)
                    .hint("move the file away and create keys with `recalld keys create`")
            })?;
            Ok(Some(FirstKeys {
                path: path.to_owned(),
                ..keys
            }))
        }
        Err(_) => Ok(None),
    }
}
