//! Reads and writes the files of one user's folder. Follows no links, and overwrites nothing that
//! it has not read.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use recalld_portability::files::{FileContent, FileName};

use crate::failure::Failure;

/// The most bytes of a file.
const BYTES_MAX: u64 = 32 * 1024 * 1024;

/// The subfolder of daily notes.
const NOTES: &str = "memory";

/// A folder that can be used.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
}

/// The files that were in the folder.
#[derive(Debug, Default)]
pub(super) struct Content {
    files: BTreeMap<FileName, Result<Vec<u8>, String>>,
}

/// The result of writing.
#[derive(Debug, Default)]
pub(super) struct Written {
    /// Files that have the wanted content.
    pub(super) agreed: BTreeSet<FileName>,
    pub(super) changed: usize,
    /// Files that changed meanwhile, and were not overwritten.
    pub(super) skipped: Vec<String>,
}

impl Content {
    /// Returns the texts.
    pub(super) fn found(&self) -> BTreeMap<FileName, FileContent> {
        let found = |read: &Result<Vec<u8>, String>| match read {
            Ok(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => FileContent::Text(text.to_owned()),
                Err(_) => FileContent::Unreadable("not valid UTF-8".to_owned()),
            },
            Err(reason) => FileContent::Unreadable(reason.clone()),
        };
        self.files
            .iter()
            .map(|(name, read)| (*name, found(read)))
            .collect()
    }
}

impl Folder {
    /// Creates the folder if it does not exist. Links inside it are refused.
    pub(super) fn open(path: &Path) -> Result<Folder, Failure> {
        fs::create_dir_all(path).map_err(|error| unusable(path, &error))?;
        let notes = path.join(NOTES);
        match fs::symlink_metadata(&notes) {
            Ok(metadata) if !metadata.is_dir() => {
                let error = io::Error::new(ErrorKind::NotADirectory, "a link or a file");
                Err(unusable(&notes, &error))
            }
            _ => Ok(Folder {
                path: path.to_owned(),
            }),
        }
    }

    /// Opens a folder below `root`, no part of which may be a link.
    pub(super) fn inside(root: &Path, own: &str) -> Result<Folder, Failure> {
        let mut path = root.to_owned();
        for part in own.split('/') {
            path.push(part);
            if fs::symlink_metadata(&path).is_ok_and(|metadata| !metadata.is_dir()) {
                let error = io::Error::new(ErrorKind::NotADirectory, "a link or a file");
                return Err(unusable(&path, &error));
            }
        }
        Folder::open(&path)
    }

    /// Returns a name that is unique on this machine.
    pub(super) fn name(&self) -> Result<String, Failure> {
        let path = fs::canonicalize(&self.path).map_err(|error| unusable(&self.path, &error))?;
        Ok(path.to_string_lossy().into_owned())
    }

    /// Reads the files whose names belong to memories.
    pub(super) fn read(&self) -> Result<Content, Failure> {
        let mut names = vec![FileName::Memory];
        match fs::read_dir(self.path.join(NOTES)) {
            Ok(entries) => {
                for entry in entries {
                    let entry = entry.map_err(|error| unusable(&self.path, &error))?;
                    let path = format!("{NOTES}/{}", entry.file_name().to_string_lossy());
                    names.extend(FileName::parse(&path));
                }
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(unusable(&self.path, &error)),
        }
        let mut content = Content::default();
        for name in names {
            match read_file(&self.path.join(name.path())) {
                Ok(Some(bytes)) => drop(content.files.insert(name, Ok(bytes))),
                Ok(None) => {}
                Err(reason) => drop(content.files.insert(name, Err(reason))),
            }
        }
        Ok(content)
    }

    /// Writes the wanted texts, each completely or not at all.
    pub(super) fn write(
        &self,
        before: &Content,
        texts: &BTreeMap<FileName, Option<String>>,
    ) -> Result<Written, Failure> {
        let mut written = Written::default();
        for (name, text) in texts {
            let path = self.path.join(name.path());
            let had = before.files.get(name).and_then(|read| read.as_ref().ok());
            if had.map(Vec::as_slice) == text.as_ref().map(String::as_bytes) {
                written.agreed.insert(*name);
                continue;
            }
            // The user may be editing it right now.
            let now = read_file(&path);
            if now.as_ref().ok().map(Option::as_ref) != Some(had) {
                written.skipped.push(name.path());
                continue;
            }
            let done = match text {
                Some(text) => put(&path, text),
                None => fs::remove_file(&path),
            };
            done.map_err(|error| unusable(&path, &error))?;
            written.changed += 1;
            written.agreed.insert(*name);
        }
        Ok(written)
    }
}

/// Lists the folders below `root` that may belong to users, as paths relative to it.
pub(super) fn users_in(root: &Path) -> Result<Vec<String>, Failure> {
    let folders = |path: &Path| -> Result<Vec<String>, Failure> {
        let entries = match fs::read_dir(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(|error| unusable(path, &error))?,
        };
        let folder = |entry: io::Result<fs::DirEntry>| {
            let entry = entry.ok()?;
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            is_folder.then(|| entry.file_name().into_string().ok()).flatten()
        };
        Ok(entries.filter_map(folder).collect())
    };
    let mut all = Vec::new();
    for name in folders(root)? {
        match name.starts_with('@') {
            true => {
                let within = folders(&root.join(&name))?;
                all.extend(within.into_iter().map(|user| format!("{name}/{user}")));
            }
            false => all.push(name),
        }
    }
    Ok(all)
}

/// Reads a file; `None` if it does not exist. Only regular files are read.
fn read_file(path: &Path) -> Result<Option<Vec<u8>>, String> {
    let metadata = match fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    if !metadata.is_file() {
        return Err("a link or a folder, not a file".to_owned());
    }
    if BYTES_MAX < metadata.len() {
        return Err(format!("over the limit of {BYTES_MAX} bytes"));
    }
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(BYTES_MAX).read_to_end(&mut bytes));
    read.map(|_| Some(bytes)).map_err(|error| error.to_string())
}

/// Writes a draft, and renames it when it is complete.
fn put(path: &Path, text: &str) -> io::Result<()> {
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(io::Error::from(ErrorKind::InvalidInput));
    };
    fs::create_dir_all(parent)?;
    let draft = parent.join(format!(".{}.recalld", name.to_string_lossy()));
    // A draft that was left behind, or a link that somebody has put there.
    match fs::remove_file(&draft) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = OpenOptions::new().write(true).create_new(true).open(&draft)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&draft, path)
}

fn unusable(path: &Path, error: &io::Error) -> Failure {
    Failure::failed("folder", format!("cannot use {}: {error}", path.display()))
}
