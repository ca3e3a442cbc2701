//! What went wrong in hooks. They say nothing to the user; `recalld doctor` reads this.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use recalld_memory::ports::Clock;

use crate::clock::SystemClock;
use crate::private_file;

/// The log starts anew beyond this size.
const BYTES_MAX: u64 = 256 * 1024;

/// Returns the file, in the data directory.
pub(crate) fn path(data: &Path) -> PathBuf {
    data.join("hooks/log")
}

/// Adds a line. A log that cannot be written is no reason to fail.
pub(crate) fn add(data: &Path, line: &str) {
    let path = path(data);
    let Some(folder) = path.parent() else { return };
    // The directory of the memories is not created by a hook that failed to open it.
    if !data.is_dir() || fs::create_dir_all(folder).is_err() {
        return;
    }
    if fs::metadata(&path).is_ok_and(|about| BYTES_MAX < about.len()) {
        let _ = fs::remove_file(&path);
    }
    let mut options = fs::OpenOptions::new();
    options.append(true).create(true);
    if let Ok(mut file) = private_file::restrict(&mut options).open(&path) {
        let line = line.replace(['\n', '\r'], " ");
        let _ = file.write_all(format!("{} {line}\n", SystemClock.now()).as_bytes());
    }
}

/// Returns the last line.
pub(crate) fn last(data: &Path) -> Option<String> {
    let text = fs::read_to_string(path(data)).ok()?;
    text.lines().last().map(str::to_owned)
}
