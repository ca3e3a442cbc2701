//! Files and directories by path.

use std::collections::BTreeMap;

use super::path::above;

/// What is at a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    Directory,
    File(String),
}

/// What becomes of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Put(String, Entry),
    Remove(String),
    Move { from: String, to: String },
}

/// All files and directories. The root is always there, and so is a directory above a file.
#[derive(Debug, Default)]
pub(super) struct Tree(BTreeMap<String, Entry>);

impl Tree {
    pub(super) fn new(entries: impl Iterator<Item = (String, Entry)>) -> Tree {
        let mut all: BTreeMap<String, Entry> = entries.collect();
        let paths: Vec<String> = all.keys().cloned().collect();
        for path in &paths {
            for directory in above(path) {
                all.entry(directory.to_owned()).or_insert(Entry::Directory);
            }
        }
        Tree(all)
    }

    pub(super) fn get(&self, path: &str) -> Option<&Entry> {
        match path {
            "" => Some(&Entry::Directory),
            path => self.0.get(path),
        }
    }

    /// Gives what is below a directory, with its path from there, in the order of paths.
    pub(super) fn below<'t>(&'t self, directory: &str) -> impl Iterator<Item = (&'t str, &'t Entry)> {
        let prefix = match directory {
            "" => String::new(),
            directory => format!("{directory}/"),
        };
        let all = self.0.iter();
        all.filter_map(move |(path, entry)| Some((path.strip_prefix(&prefix)?, entry)))
    }

    /// Makes the directories that are missing above `path` and, if `and_itself`, `path` itself.
    pub(super) fn make_directories(&self, directory: &str) -> Result<Vec<Change>, String> {
        let all = above(directory)
            .chain([directory])
            .filter(|path| !path.is_empty());
        let mut made = Vec::new();
        for path in all {
            match self.get(path) {
                Some(Entry::Directory) => {}
                Some(Entry::File(_)) => return Err(format!("Not a directory: /memories/{path}")),
                None => made.push(Change::Put(path.to_owned(), Entry::Directory)),
            }
        }
        Ok(made)
    }
}
