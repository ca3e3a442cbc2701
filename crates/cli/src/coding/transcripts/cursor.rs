//! Cursor's agent keeps JSON lines below a folder that is named after that of the work, with dashes
//! for slashes. Lines do not say where they were typed.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{Said, text_of, time_of};

pub(super) fn said(lines: &[Value], file: &Path) -> Vec<Said> {
    let Some(folder) = folder_of(file) else {
        return Vec::new();
    };
    let by_user = lines.iter().filter(|line| line["role"] == "user");
    by_user
        .map(|line| {
            let text = text_of(match line["message"]["content"].is_null() {
                true => &line["content"],
                false => &line["message"]["content"],
            });
            Said {
                text: typed(&text).to_owned(),
                folder: folder.clone(),
                at: time_of(&line["timestamp"]),
            }
        })
        .collect()
}

/// What stands between the tags with which Cursor marks what the user typed, if it does.
fn typed(text: &str) -> &str {
    let inside = text
        .split_once("<user_query>")
        .and_then(|(_, rest)| rest.split_once("</user_query>"));
    inside.map_or(text, |(inside, _)| inside).trim()
}

/// Finds the folder whose path the name stands for. A name may stand for several: only one that
/// exists counts.
fn folder_of(file: &Path) -> Option<PathBuf> {
    let mut names = file.components().map(|part| part.as_os_str().to_string_lossy());
    names.find(|name| name == "projects")?;
    let name = names.next()?.into_owned();
    let mut found = PathBuf::from("/");
    let mut part = String::new();
    for word in name.split('-') {
        part = match part.is_empty() {
            true => word.to_owned(),
            false => format!("{part}-{word}"),
        };
        if found.join(&part).is_dir() {
            found.push(std::mem::take(&mut part));
        }
    }
    part.is_empty().then_some(found)
}
