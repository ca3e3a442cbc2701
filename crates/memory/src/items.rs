//! Items: JSON values that programs keep under names of their own, exactly as they were given.
//!
//! The text of an item is a memory like any other: it is found, listed, corrected, forgotten and
//! undone as such. The item follows its memory: it is hidden while the memory is, and has the value
//! that belongs to what the memory says now.

mod change;
mod record;

use std::sync::Arc;

use jiff::Timestamp;
use recalld_index::text::plain;
use serde_json::Value;
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::id::MemoryId;
use crate::memory::{Content, Memory, Origin, Source};
use crate::record::{Record, RecordKind};
use crate::scope::Scope;
use crate::screening::secrets::Secret;
use crate::space::{SpaceError, SpaceView};
use crate::wiring::Ports;

pub use change::{ItemChange, update};

/// The most bytes of an item's value, written as JSON.
pub const VALUE_BYTES_MAX: usize = 300_000;

/// A value under a name, as it stands now.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// Which one of its collection, see [`name_of`].
    pub name: String,
    /// What the program calls it.
    pub path: Value,
    pub value: Value,
    /// The memory that holds its text, if it has any.
    pub memory: Option<Arc<Memory>>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// From when on it is hidden.
    pub expires_at: Option<Timestamp>,
    /// How long it lasts after it was last used.
    pub ttl_s: Option<i64>,
}

/// What an item becomes.
#[derive(Clone, Debug, PartialEq)]
pub struct NewItem {
    /// What the program calls it.
    pub path: Value,
    pub value: Value,
    pub text: Option<ItemText>,
    /// A memory that is there already and holds its text, when the item is new.
    pub rests_on: Option<MemoryId>,
    pub ttl_s: Option<i64>,
    pub origin: Origin,
    pub source: Option<Source>,
    /// An entry of its history, by its name; erased with the memory.
    pub version: Option<(String, Value)>,
}

/// The words of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemText {
    pub text: String,
    /// Where all of it stands in the value, as a JSON pointer; none if it was put together.
    pub pointer: Option<String>,
}

/// Why items could not be changed.
#[derive(Debug, Error)]
pub enum ItemError {
    #[error("the value is {bytes} bytes, over the limit of {VALUE_BYTES_MAX}")]
    TooLong { bytes: usize },
    #[error("the value looks like it holds a secret ({})", .0.as_str())]
    Secret(Secret),
    #[error(transparent)]
    Space(#[from] SpaceError),
}

/// Names an item by what its program calls it.
pub fn name_of(path: &Value) -> String {
    let digest = Sha256::digest(path.to_string());
    digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// The items of one collection in a view.
#[derive(Clone, Copy, Debug)]
pub struct Items<'v> {
    view: &'v SpaceView,
    collection: &'v str,
    now: Timestamp,
}

impl<'v> Items<'v> {
    /// Looks at a collection of a view.
    pub fn new(view: &'v SpaceView, collection: &'v str, now: Timestamp) -> Items<'v> {
        Items {
            view,
            collection,
            now,
        }
    }

    /// Finds an item that is shown.
    pub fn get(&self, name: &str) -> Option<Item> {
        let record = self.view.record(RecordKind::Item, &self.record_name(name))?;
        record::read(record, self.view, self.now)
    }

    /// Gives all that are shown.
    pub fn all(&self) -> Vec<Item> {
        let prefix = self.record_name("");
        let of_it = self
            .view
            .records(RecordKind::Item)
            .filter(|record| record.name.starts_with(&prefix));
        of_it
            .filter_map(|record| record::read(record, self.view, self.now))
            .collect()
    }

    /// Gives the entries of histories whose names begin with `prefix` and a slash, under those
    /// names.
    pub fn versions(&self, prefix: &str) -> Vec<Record> {
        let (collection, prefix) = (self.record_name(""), self.record_name(&format!("{prefix}/")));
        let of_it = self
            .view
            .records(RecordKind::ItemVersion)
            .filter(|record| record.name.starts_with(&prefix));
        let named = of_it.map(|record| Record {
            name: record.name[collection.len()..].to_owned(),
            ..Record::clone(record)
        });
        named.collect()
    }

    fn record_name(&self, name: &str) -> String {
        format!("{}/{name}", self.collection)
    }
}

/// Reads items of a collection.
pub async fn read<T>(
    ports: &Ports,
    scope: &Scope,
    collection: &str,
    look: impl FnOnce(Items<'_>) -> T,
) -> Result<T, SpaceError> {
    let look = |view: &SpaceView| look(Items::new(view, collection, scope.now));
    ports.spaces.read(scope.space(), look).await
}

/// Tells whether a text is written with composed characters (Unicode Normalization Form C).
pub fn is_composed(text: &str) -> bool {
    unicode_normalization::is_nfc(text)
}

/// Makes a text fit for a memory: without what hides from a reader, and not longer than one may be.
pub(crate) fn content(text: &str) -> Option<Content> {
    let visible = |c: char| !plain::is_bidi_control(c);
    let plain: String = text
        .chars()
        .filter(|c| visible(*c))
        .map(|c| match c.is_control() && !matches!(c, '\n' | '\t' | '\r') {
            true => ' ',
            false => c,
        })
        .collect();
    let end = plain.floor_char_boundary(Content::BYTES_MAX);
    Content::new(&plain[..end]).ok()
}
