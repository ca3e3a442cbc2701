//! What users typed to coding agents in sessions without a server. A prompt has no time for opening
//! the memories to write: it is put into a file, and the end of a session learns from it.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::private_file;

/// A file that is larger takes no more: nobody types so much.
const BYTES_MAX: u64 = 1024 * 1024;

/// A prompt.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct Said {
    pub(crate) user: String,
    pub(crate) project: String,
    pub(crate) session: String,
    pub(crate) at: Timestamp,
    pub(crate) prompt: String,
}

fn directory(data: &Path) -> PathBuf {
    data.join("hooks/said")
}

/// Adds a prompt. What was added before stays whatever happens.
pub(crate) fn add(data: &Path, said: &Said) -> io::Result<()> {
    let failed = |error: crate::failure::Failure| io::Error::other(error.message);
    private_file::create_directory(data).map_err(failed)?;
    private_file::create_directory(&directory(data)).map_err(failed)?;
    let name = format!("{}\n{}", said.user, said.session);
    let name = HEXLOWER.encode(&Sha256::digest(name.as_bytes())[..12]);
    let path = directory(data).join(format!("{name}.jsonl"));
    if fs::metadata(&path).is_ok_and(|about| BYTES_MAX < about.len()) {
        return Ok(());
    }
    let mut options = fs::OpenOptions::new();
    options.append(true).create(true);
    let mut file = private_file::restrict(&mut options).open(path)?;
    // One write: two hooks of a session do not mix their lines.
    file.write_all(format!("{}\n", serde_json::to_string(said)?).as_bytes())
}

/// Reads what a user said, by file. A line that was cut off is left out.
pub(crate) fn of_user(data: &Path, user: &str) -> Vec<(PathBuf, Vec<Said>)> {
    let is_theirs = |(_, said): &(PathBuf, Vec<Said>)| said.iter().any(|said| said.user == user);
    all(data).into_iter().filter(is_theirs).collect()
}

fn all(data: &Path) -> Vec<(PathBuf, Vec<Said>)> {
    let Ok(entries) = fs::read_dir(directory(data)) else {
        return Vec::new();
    };
    let read = |entry: fs::DirEntry| {
        let text = fs::read_to_string(entry.path()).ok()?;
        let lines = text.lines().filter_map(|line| serde_json::from_str(line).ok());
        Some((entry.path(), lines.collect()))
    };
    entries.flatten().filter_map(read).collect()
}

/// Removes what was learned from. What was said meanwhile is learned from again, under the same
/// ids.
pub(crate) fn remove(path: &Path, said: &[Said]) {
    let now = fs::read_to_string(path).map_or(0, |text| text.lines().count());
    if now <= said.len() {
        let _ = fs::remove_file(path);
    }
}

/// Removes all that a user said whom `is_erased` knows.
pub(crate) fn erase(data: &Path, is_erased: impl Fn(&str) -> bool) -> io::Result<()> {
    // One file is of one user.
    let theirs = |said: &[Said]| said.first().is_some_and(|said| is_erased(&said.user));
    let mut files = all(data).into_iter().filter(|(_, said)| theirs(said));
    files.try_for_each(|(path, _)| fs::remove_file(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_said_is_read_once_and_by_its_user_alone() {
        let data = tempfile::tempdir().unwrap();
        let said = |user: &str, prompt: &str| Said {
            user: user.to_owned(),
            project: "p".to_owned(),
            session: "s".to_owned(),
            at: Timestamp::UNIX_EPOCH,
            prompt: prompt.to_owned(),
        };
        let (one, two) = (said("ana", "one\nline"), said("ana", "two"));
        add(data.path(), &one).unwrap();
        add(data.path(), &two).unwrap();
        add(data.path(), &said("bob", "three")).unwrap();
        let all = of_user(data.path(), "ana");
        assert_eq!(all.len(), 1);
        assert_eq!(all[0].1, [one.clone(), two]);
        // Something more was said meanwhile: the file stays.
        remove(&all[0].0, &[one]);
        assert_eq!(of_user(data.path(), "ana").len(), 1);
        remove(&all[0].0, &all[0].1);
        assert_eq!(of_user(data.path(), "ana").len(), 0);
        erase(data.path(), |user| user == "bob").unwrap();
        assert_eq!(of_user(data.path(), "bob").len(), 0);
    }
}
