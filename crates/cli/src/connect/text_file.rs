//! Configuration files as text: what every format shares.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// The most bytes of a configuration file. Claude Code's own grows to some hundred kilobytes.
const BYTES_MAX: u64 = 64 * 1024 * 1024;

/// Reads a file; `None` if it does not exist.
pub(super) fn read(path: &Path) -> Result<Option<String>, Failure> {
    let unreadable = |error: &dyn std::fmt::Display| {
        Failure::failed(
            "configuration",
            format!("cannot read {}: {error}", path.display()),
        )
    };
    match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unreadable(&error)),
        Ok(about) if BYTES_MAX < about.len() => {
            return Err(unreadable(&format!("it is over the limit of {BYTES_MAX} bytes")));
        }
        Ok(_) => {}
    }
    fs::read_to_string(path)
        .map(Some)
        .map_err(|error| unreadable(&error))
}

/// Writes a file whole or not at all, with the permissions that it had. A new one is its owner's.
pub(super) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let failed = |error: std::io::Error| {
        Failure::failed(
            "configuration",
            format!("cannot write {}: {error}", path.display()),
        )
        .hint("nothing was changed in that file")
    };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    let draft = draft_of(path);
    let written = write_draft(&draft, path, text).and_then(|()| fs::rename(&draft, path));
    written.map_err(|error| {
        let _ = fs::remove_file(&draft);
        failed(error)
    })
}

fn write_draft(draft: &Path, path: &Path, text: &str) -> std::io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    let mut file = crate::private_file::restrict(&mut options).open(draft)?;
    file.write_all(text.as_bytes())?;
    if let Ok(about) = fs::metadata(path) {
        file.set_permissions(about.permissions())?;
    }
    file.sync_all()
}

fn draft_of(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".recalld-{}", std::process::id()));
    path.with_file_name(name)
}

/// Removes a file, if it exists.
pub(super) fn remove(path: &Path) -> Result<(), Failure> {
    match fs::remove_file(path) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(Failure::failed(
            "configuration",
            format!("cannot remove {}: {error}", path.display()),
        )),
    }
}

/// The line ends and the byte order mark of a file, which editing leaves as they are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conventions {
    has_mark: bool,
    has_carriage_returns: bool,
}

const MARK: char = '\u{feff}';

impl Conventions {
    /// Takes the conventions out of a text, so that it can be edited.
    pub(super) fn taken_from(text: &str) -> (Conventions, String) {
        let has_mark = text.starts_with(MARK);
        let text = text.strip_prefix(MARK).unwrap_or(text);
        let lines = text.matches('\n').count();
        let conventions = Conventions {
            has_mark,
            has_carriage_returns: 0 < lines && text.matches("\r\n").count() == lines,
        };
        let plain = match conventions.has_carriage_returns {
            true => text.replace("\r\n", "\n"),
            false => text.to_owned(),
        };
        (conventions, plain)
    }

    /// Puts them back.
    pub(super) fn applied_to(self, text: &str) -> String {
        let text = match self.has_carriage_returns {
            true => text.replace('\n', "\r\n"),
            false => text.to_owned(),
        };
        match self.has_mark {
            true => format!("{MARK}{text}"),
            false => text,
        }
    }
}
