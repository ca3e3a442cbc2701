//! The six commands.

use super::path::{parent, relative};
use super::shown;
use super::tree::{Change, Entry, Tree};

/// What a model asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    View {
        path: String,
        /// The first and the last line; a last line of -1 is the end.
        range: Option<(i64, i64)>,
    },
    Create {
        path: String,
        text: String,
    },
    StrReplace {
        path: String,
        old: String,
        new: String,
    },
    Insert {
        path: String,
        /// After which line.
        line: i64,
        text: String,
    },
    Delete {
        path: String,
    },
    Rename {
        from: String,
        to: String,
    },
}

/// What changes, and what the model is told; an error may have changed directories.
type Applied = (Vec<Change>, Result<String, String>);

/// The most lines of a file that is shown.
const LINES_MAX: usize = 999_999;

impl Command {
    /// Says what becomes of the files.
    pub(super) fn apply(&self, tree: &Tree) -> Applied {
        let applied = match self {
            Command::View { path, range } => view(tree, path, *range).map(|told| (Vec::new(), Ok(told))),
            Command::Create { path, text } => create(tree, path, text),
            Command::StrReplace { path, old, new } => replace(tree, path, old, new),
            Command::Insert { path, line, text } => insert(tree, path, *line, text),
            Command::Delete { path } => delete(tree, path),
            Command::Rename { from, to } => rename(tree, from, to),
        };
        applied.unwrap_or_else(|error| (Vec::new(), Err(error)))
    }
}

fn missing(path: &str) -> String {
    format!("The path {path} does not exist. Please provide a valid path.")
}

fn view(tree: &Tree, called: &str, range: Option<(i64, i64)>) -> Result<String, String> {
    let path = relative(called)?;
    let text = match tree.get(&path).ok_or_else(|| missing(called))? {
        Entry::Directory => return Ok(shown::directory(tree, &path, called)),
        Entry::File(text) => text,
    };
    let lines: Vec<&str> = text.split('\n').collect();
    if LINES_MAX < lines.len() {
        return Err(format!(
            "File {called} exceeds maximum line limit of 999,999 lines."
        ));
    }
    let (first, last) = match range {
        None => (0, lines.len()),
        Some((first, last)) => (first.max(1) as usize - 1, end(last, lines.len())),
    };
    let wanted = lines.get(first..last.max(first).min(lines.len())).unwrap_or(&[]);
    let numbered = shown::numbered(wanted, first + 1);
    Ok(format!(
        "Here's the content of {called} with line numbers:\n{numbered}"
    ))
}

/// The end of a range: -1 is the last line, and other negative numbers count from the end.
fn end(last: i64, lines: usize) -> usize {
    match last {
        -1 => lines,
        last if last < 0 => lines.saturating_sub(last.unsigned_abs() as usize),
        last => (last as usize).min(lines),
    }
}

fn create(tree: &Tree, called: &str, text: &str) -> Result<Applied, String> {
    let path = relative(called)?;
    if tree.get(&path).is_some() {
        return Err(format!("File {called} already exists"));
    }
    let mut changes = tree.make_directories(parent(&path))?;
    changes.push(Change::Put(path, Entry::File(text.to_owned())));
    Ok((changes, Ok(format!("File created successfully at: {called}"))))
}

/// Gives the path and the text of a file that is there.
fn file<'t>(tree: &'t Tree, called: &str) -> Result<(String, &'t str), String> {
    let path = relative(called)?;
    match tree.get(&path) {
        None => Err(missing(called)),
        Some(Entry::Directory) => Err(format!("The path {called} is not a file.")),
        Some(Entry::File(text)) => Ok((path, text)),
    }
}

fn replace(tree: &Tree, called: &str, old: &str, new: &str) -> Result<Applied, String> {
    let (path, text) = file(tree, called)?;
    match text.matches(old).count() {
        0 => {
            return Err(format!(
                "No replacement was performed, old_str `{old}` did not appear verbatim in {called}."
            ));
        }
        1 => {}
        _ => {
            let lines = lines_with(text, old).join(", ");
            return Err(format!(
                "No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {lines}. Please \
                 ensure it is unique"
            ));
        }
    }
    let at = text.find(old).unwrap_or(0);
    let changed = text[..at].matches('\n').count();
    let text = text.replace(old, new);
    let lines: Vec<&str> = text.split('\n').collect();
    let first = changed.saturating_sub(2);
    let snippet = shown::numbered(&lines[first..(changed + 3).min(lines.len())], first + 1);
    let told = format!(
        "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n{snippet}"
    );
    Ok((vec![Change::Put(path, Entry::File(text.clone()))], Ok(told)))
}

/// Numbers the lines in which a text begins, also where one overlaps another.
fn lines_with(text: &str, old: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut start = 0;
    while let Some(found) = text.get(start..).and_then(|rest| rest.find(old)) {
        let at = start + found;
        lines.push((text[..at].matches('\n').count() + 1).to_string());
        match text[at..].chars().next() {
            Some(next) => start = at + next.len_utf8(),
            None => break,
        }
    }
    lines
}

fn insert(tree: &Tree, called: &str, line: i64, text: &str) -> Result<Applied, String> {
    let (path, known) = file(tree, called)?;
    let mut lines: Vec<&str> = known.split('\n').collect();
    if lines.last() == Some(&"") {
        lines.pop();
    }
    let place = usize::try_from(line).ok().filter(|place| *place <= lines.len());
    let Some(place) = place else {
        return Err(format!(
            "Invalid `insert_line` parameter: {line}. It should be within the range [0, {}].",
            lines.len()
        ));
    };
    lines.insert(place, text.trim_end_matches('\n'));
    let mut text = lines.join("\n");
    if !text.ends_with('\n') {
        text.push('\n');
    }
    let told = format!("The file {called} has been edited.");
    Ok((vec![Change::Put(path, Entry::File(text))], Ok(told)))
}

fn delete(tree: &Tree, called: &str) -> Result<Applied, String> {
    let path = relative(called)?;
    if path.is_empty() {
        return Err("Cannot delete the /memories directory itself".to_owned());
    }
    if tree.get(&path).is_none() {
        return Err(format!("The path {called} does not exist"));
    }
    let below = tree.below(&path).map(|(below, _)| format!("{path}/{below}"));
    let changes = below.chain([path.clone()]).map(Change::Remove).collect();
    Ok((changes, Ok(format!("Successfully deleted {called}"))))
}

fn rename(tree: &Tree, from: &str, to: &str) -> Result<Applied, String> {
    let (old, new) = (relative(from)?, relative(to)?);
    if old.is_empty() {
        return Err("Cannot rename the /memories directory itself".to_owned());
    }
    if tree.get(&new).is_some() {
        return Err(format!("The destination {to} already exists"));
    }
    let is_below_file = matches!(tree.get(parent(&new)), Some(Entry::File(_)));
    let mut changes = match is_below_file {
        true => Vec::new(),
        false => tree.make_directories(parent(&new))?,
    };
    if tree.get(&old).is_none() {
        return Ok((changes, Err(format!("The path {from} does not exist"))));
    }
    if is_below_file {
        return Err(format!("Not a directory: /memories/{}", parent(&new)));
    }
    if new.starts_with(&format!("{old}/")) {
        return Ok((changes, Err(format!("Cannot move {from} into itself"))));
    }
    let moved = tree.below(&old).map(|(below, _)| Change::Move {
        from: format!("{old}/{below}"),
        to: format!("{new}/{below}"),
    });
    changes.extend(moved);
    changes.push(Change::Move {
        from: old.clone(),
        to: new,
    });
    Ok((changes, Ok(format!("Successfully renamed {from} to {to}"))))
}
