//! What connecting a client changes, as texts before and after. Nothing is written here.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::client::{Client, Directories, Format, resolved};
use super::launch::Launch;
use super::{json_file, rules, text_file, toml_file};
use crate::failure::Failure;

/// The name of the entry in every client.
const NAME: &str = "recalld";

/// What to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// The entry of the server.
    Server,
    /// The text that tells an agent when to use memory.
    Rules,
    /// The commands that the client runs at the turns of a session.
    Hooks,
}

impl Wanted {
    pub(crate) const ALL: [Wanted; 3] = [Wanted::Server, Wanted::Rules, Wanted::Hooks];
}

/// A file before and after. `None`: there is no file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileChange {
    pub(crate) path: PathBuf,
    pub(crate) before: Option<String>,
    pub(crate) after: Option<String>,
}

impl FileChange {
    /// Whether nothing changes.
    pub(crate) fn is_empty(&self) -> bool {
        self.before == self.after
    }
}

/// Returns the change that adds what is wanted; `None` if the client has no file for it. What is
/// planned already for the same file is part of it.
pub(crate) fn adding(
    client: &Client,
    directories: &Directories,
    wanted: Wanted,
    launch: &Launch,
    planned: &[FileChange],
) -> Result<Option<FileChange>, Failure> {
    let Some(path) = path(client, directories, wanted) else {
        return Ok(None);
    };
    let before = text_file::read(&path)?;
    let now = as_planned(planned, &path, before.as_deref());
    let text = now.unwrap_or_default();
    let after = match (wanted, client.format) {
        (Wanted::Server, Format::Json { table, entry }) => {
            json_file::with_entry(text, table, NAME, &entry(launch))
        }
        (Wanted::Server, Format::Toml { table }) => toml_file::with_entry(text, table, NAME, launch),
        (Wanted::Rules, _) => match (client.rules)(directories) {
            Some(file) => Ok(rules::added_to(now, &file)),
            None => return Ok(None),
        },
        (Wanted::Hooks, _) => match client.hooks {
            Some(hooks) => hooks.form.added_to(text, launch),
            None => return Ok(None),
        },
    };
    let after = after.map_err(|problem| unreadable(&path, &problem))?;
    Ok(Some(FileChange {
        path,
        before,
        after: Some(after),
    }))
}

/// Returns the change that takes out what [`adding`] adds, and leaves the rest. What is planned
/// already for the same file is part of it.
pub(crate) fn removing(
    client: &Client,
    directories: &Directories,
    wanted: Wanted,
    planned: &[FileChange],
) -> Result<Option<FileChange>, Failure> {
    let Some(path) = path(client, directories, wanted) else {
        return Ok(None);
    };
    let Some(before) = text_file::read(&path)? else {
        return Ok(None);
    };
    let Some(now) = as_planned(planned, &path, Some(&before)) else {
        return Ok(None);
    };
    let after = match (wanted, client.format) {
        _ if wanted == Wanted::Server && entry_in(client, now).is_none() => Ok(Some(now.to_owned())),
        (Wanted::Server, Format::Json { table, .. }) => json_file::without_entry(now, table, NAME).map(Some),
        (Wanted::Server, Format::Toml { table }) => toml_file::without_entry(now, table, NAME).map(Some),
        (Wanted::Rules, _) => match (client.rules)(directories) {
            Some(file) => Ok(rules::removed_from(now, &file)),
            None => return Ok(None),
        },
        (Wanted::Hooks, _) => match client.hooks.filter(|hooks| hooks.form.are_in(now)) {
            Some(hooks) => hooks.form.removed_from(now),
            None => Ok(Some(now.to_owned())),
        },
    };
    let after = after.map_err(|problem| unreadable(&path, &problem))?;
    Ok(Some(FileChange {
        path,
        before: Some(before),
        after,
    }))
}

/// The text of a file as it will be, or else as it is.
fn as_planned<'a>(planned: &'a [FileChange], path: &Path, before: Option<&'a str>) -> Option<&'a str> {
    let planned = planned.iter().find(|change| change.path == path);
    planned.map_or(before, |change| change.after.as_deref())
}

/// Adds a change to those that are planned: of each file there is one.
pub(crate) fn plan(planned: &mut Vec<FileChange>, change: Option<FileChange>) {
    if let Some(change) = change {
        planned.retain(|other| other.path != change.path);
        planned.push(change);
    }
}

/// Reads the command of the entry back from a client's file.
pub(crate) fn configured(client: &Client, directories: &Directories) -> Result<Option<Launch>, Failure> {
    let text = text_file::read(&client.path(directories))?;
    Ok(text.and_then(|text| command(&entry_in(client, &text)?)))
}

fn entry_in(client: &Client, text: &str) -> Option<Value> {
    match client.format {
        Format::Json { table, .. } => json_file::entry(text, table, NAME),
        Format::Toml { table } => toml_file::entry(text, table, NAME),
    }
}

/// Reads a command from an entry of any client: a list, or a program with arguments.
fn command(entry: &Value) -> Option<Launch> {
    let words = |value: &Value| -> Option<Vec<String>> {
        let words = value.as_array()?.iter();
        words.map(|word| word.as_str().map(str::to_owned)).collect()
    };
    let command = entry.get("command")?;
    if let Some(program) = command.as_str() {
        return Some(Launch {
            program: program.to_owned(),
            arguments: words(entry.get("args")?)?,
        });
    }
    let mut words = words(command)?.into_iter();
    Some(Launch {
        program: words.next()?,
        arguments: words.collect(),
    })
}

fn path(client: &Client, directories: &Directories, wanted: Wanted) -> Option<PathBuf> {
    match wanted {
        Wanted::Server => Some(client.path(directories)),
        Wanted::Rules => (client.rules)(directories).map(|file| resolved(file.path)),
        Wanted::Hooks => client.hooks.map(|hooks| resolved((hooks.file)(directories))),
    }
}

fn unreadable(path: &Path, problem: &str) -> Failure {
    Failure::failed(
        "configuration",
        format!("cannot edit {}: {problem}", path.display()),
    )
    .hint("nothing was changed; correct the file, or add the entry by hand (`recalld connect --print`)")
}
