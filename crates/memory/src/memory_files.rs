//! Files of notes that an agent keeps: the commands of Anthropic's memory tool, answered with the
//! words of its reference implementation.
//!
//! A file is an item, so that its text is a memory. Directories stay when their files are gone, as
//! in a file system.

mod command;
mod path;
mod shown;
mod tree;

use serde_json::json;

use crate::items::{self, Item, ItemChange, ItemError, ItemText, Items, NewItem, name_of};
use crate::memory::{Origin, Source};
use crate::scope::Scope;
use crate::wiring::Ports;

pub use command::Command;
use tree::{Change, Entry, Tree};

/// The items of files.
const COLLECTION: &str = "files";

/// What a command came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// What the model reads.
    pub content: String,
    pub is_error: bool,
}

/// Runs a command on the files of the user.
pub async fn run(ports: &Ports, scope: &Scope, command: Command) -> Result<Outcome, ItemError> {
    let decide = move |items: Items<'_>| {
        let tree = Tree::new(items.all().iter().filter_map(entry));
        let (changes, told) = command.apply(&tree);
        (changes.into_iter().map(item_change).collect(), told)
    };
    Ok(match items::update(ports, scope, COLLECTION, decide).await? {
        Ok(content) => Outcome {
            content,
            is_error: false,
        },
        Err(content) => Outcome {
            content,
            is_error: true,
        },
    })
}

fn entry(item: &Item) -> Option<(String, Entry)> {
    let path = item.path.as_str()?.to_owned();
    let entry = match item.value["file"].as_str() {
        Some(text) => Entry::File(text.to_owned()),
        None => Entry::Directory,
    };
    Some((path, entry))
}

fn item_change(change: Change) -> ItemChange {
    let name = |path: &str| name_of(&json!(path));
    match change {
        Change::Put(path, entry) => {
            let (value, text) = match entry {
                Entry::Directory => (json!({ "directory": true }), None),
                Entry::File(text) => {
                    let value = json!({ "file": text });
                    let pointer = Some("/file".to_owned());
                    (value, Some(ItemText { text, pointer }))
                }
            };
            let source = Source::new(&format!("memories/{path}")).ok();
            let new = NewItem {
                path: json!(path),
                value,
                text,
                rests_on: None,
                version: None,
                ttl_s: None,
                origin: Origin::Assistant,
                source,
            };
            ItemChange::put(name(&path), new)
        }
        Change::Remove(path) => ItemChange::Remove(name(&path)),
        Change::Move { from, to } => ItemChange::Move {
            from: name(&from),
            to: name(&to),
            path: json!(to),
        },
    }
}
