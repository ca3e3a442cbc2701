//! Finds the files at and below the given paths, and the names of their documents.

use std::fs;
use std::path::{Component, Path, PathBuf};

use recalld_memory::ingest::Format;

/// The files at a path.
#[derive(Debug, Default)]
pub(super) struct GatheredFiles {
    pub(super) files: Vec<PathBuf>,
    /// Folders that could not be read, and why.
    pub(super) closed: Vec<(PathBuf, String)>,
}

/// Finds the files at and below a path. Hidden files and links are skipped.
pub(super) fn gather(path: &Path, found: &mut GatheredFiles) {
    if !path.is_dir() {
        found.files.push(path.to_owned());
        return;
    }
    let entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) => {
            found.closed.push((path.to_owned(), error.to_string()));
            return;
        }
    };
    let mut below: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    below.sort();
    for entry in below {
        let hidden = entry
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with('.'));
        let known = entry.is_dir() || Format::of_source(&entry.display().to_string()).is_some();
        if !hidden && !entry.is_symlink() && known {
            gather(&entry, found);
        }
    }
}

/// Whether nothing exists at the path. In a folder that cannot be entered, this is not known.
pub(super) fn is_missing(path: &Path) -> bool {
    matches!(path.try_exists(), Ok(false))
}

/// Returns the name of a file's document, which is the same wherever the command runs.
pub(super) fn source_of(file: &Path) -> String {
    let full = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    full.display().to_string()
}

/// Returns the name of the document of a file that no longer exists, or the prefix of the documents
/// of such a folder. `None` for an invalid path, and for `..` after a folder that does not exist: a
/// typo there would refer to everything above.
pub(super) fn former_source_of(path: &Path) -> Option<String> {
    let absolute = std::path::absolute(path).ok()?;
    let there = absolute
        .ancestors()
        .find_map(|above| Some((above, fs::canonicalize(above).ok()?)));
    let (above, mut full) = there?;
    for component in absolute.strip_prefix(above).ok()?.components() {
        match component {
            Component::Normal(name) => full.push(name),
            Component::CurDir => {}
            _ => return None,
        }
    }
    Some(full.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_file_has_the_name_it_had() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("docs");
        fs::create_dir(&folder).unwrap();
        let file = folder.join("a.md");
        fs::write(&file, "a").unwrap();
        let (name, folder_name) = (source_of(&file), source_of(&folder));
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(former_source_of(&file), Some(name.clone()));
        assert_eq!(former_source_of(&folder.join("./a.md")), Some(name));
        let with_slash = PathBuf::from(format!("{}/", folder.display()));
        assert_eq!(former_source_of(&with_slash), Some(folder_name));
        assert!(is_missing(&file));
    }

    #[test]
    fn a_typo_is_not_the_prefix_of_everything() {
        for typo in ["", "nowhere/..", "nowhere/../nothing", "nowhere/../../.."] {
            assert_eq!(former_source_of(Path::new(typo)), None, "{typo}");
        }
    }
}
