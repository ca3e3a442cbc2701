//! Namespaces: paths of labels.

use std::collections::BTreeSet;

use recalld_memory::items::Item;
use serde_json::Value;

use super::super::json_body::{Fields, invalid};
use crate::error::{ApiError, Code};

/// The most labels of a namespace, and the most bytes of all together.
const LABELS_MAX: usize = 32;
const BYTES_MAX: usize = 2048;

/// Reads a namespace: a list of texts, or texts joined by dots.
pub(super) fn of(given: Option<Value>) -> Result<Vec<String>, ApiError> {
    let wrong = || invalid("a namespace must be a list of strings");
    let labels: Vec<String> = match given {
        None => Vec::new(),
        Some(Value::String(joined)) if joined.is_empty() => Vec::new(),
        Some(Value::String(joined)) => joined.split('.').map(str::to_owned).collect(),
        Some(Value::Array(labels)) => labels
            .into_iter()
            .map(|label| label.as_str().map(str::to_owned).ok_or_else(wrong))
            .collect::<Result<_, _>>()?,
        Some(_) => return Err(wrong()),
    };
    let bytes: usize = labels.iter().map(String::len).sum();
    match labels.len() <= LABELS_MAX && bytes <= BYTES_MAX {
        true => Ok(labels),
        false => Err(invalid(format!(
            "a namespace has at most {LABELS_MAX} labels of {BYTES_MAX} bytes together"
        ))),
    }
}

/// Refuses a namespace in which nothing can be stored.
pub(super) fn check_written(namespace: &[String]) -> Result<(), ApiError> {
    let refused = |why: &str| Err(ApiError::new(Code::Unprocessable, why.to_owned()));
    if namespace.is_empty() {
        return refused("the namespace is empty");
    }
    if namespace.iter().any(String::is_empty) {
        return refused("a label of the namespace is empty");
    }
    if namespace.iter().any(|label| label.contains(['.', '\0'])) {
        return refused("a label of the namespace holds a dot or NUL");
    }
    match namespace.first().is_some_and(|root| root == "langgraph") {
        true => refused("the namespace must not begin with \"langgraph\""),
        false => Ok(()),
    }
}

/// The namespace of an item.
pub(super) fn of_item(item: &Item) -> Vec<String> {
    let labels = item.path[0].as_array().into_iter().flatten();
    labels
        .filter_map(|label| label.as_str().map(str::to_owned))
        .collect()
}

/// Which namespaces are listed.
#[derive(Debug)]
pub(super) struct Wanted {
    prefix: Vec<String>,
    suffix: Vec<String>,
    depth_max: Option<usize>,
}

impl Wanted {
    pub(super) fn of(body: &mut Fields) -> Result<Wanted, ApiError> {
        Ok(Wanted {
            prefix: of(body.take("prefix"))?,
            suffix: of(body.take("suffix"))?,
            depth_max: match body.number("max_depth", 0, 1..=LABELS_MAX)? {
                0 => None,
                depth => Some(depth),
            },
        })
    }

    /// Gives those that are wanted, each once and in order.
    pub(super) fn among(&self, all: impl Iterator<Item = Vec<String>>) -> BTreeSet<Vec<String>> {
        let cut = |mut namespace: Vec<String>| {
            namespace.truncate(self.depth_max.unwrap_or(LABELS_MAX));
            namespace
        };
        all.filter(|namespace| self.wants(namespace)).map(cut).collect()
    }

    fn wants(&self, namespace: &[String]) -> bool {
        let begins = |namespace: &[String], pattern: &[String]| {
            pattern.len() <= namespace.len()
                && pattern
                    .iter()
                    .zip(namespace)
                    .all(|(wanted, label)| wanted == "*" || wanted == label)
        };
        let end = namespace.len().saturating_sub(self.suffix.len());
        begins(namespace, &self.prefix) && begins(&namespace[end..], &self.suffix)
    }
}
