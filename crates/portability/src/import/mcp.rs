//! The file of the MCP memory server, one entity or relation a line; or the whole graph, as its
//! tool `read_graph` gives it.

use serde_json::Value;

use super::draft::{Draft, Foreign};
use crate::archive::ArchiveError;

/// The entity that stands for the user.
const USER: [&str; 3] = ["default_user", "user", "me"];

/// The fields of a graph whose lists hold something.
pub(super) const LISTS: [&str; 2] = ["entities", "relations"];

/// Tells whether a line is one of the file.
pub(super) fn is_line(value: &Value) -> bool {
    ["entity", "relation"].iter().any(|kind| value["type"] == *kind)
}

/// Reads a line of the file.
pub(super) fn line(number: usize, value: &Value, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let place = format!("line {number}");
    match value["type"].as_str() {
        Some("entity") => entity(value, &place, draft),
        Some("relation") => relation(value, place, draft),
        _ => {
            draft.fault(&place, "it is neither an entity nor a relation");
            Ok(())
        }
    }
}

/// Reads an entry of a list of a graph.
pub(super) fn row(
    list: Option<&str>,
    number: usize,
    value: &Value,
    draft: &mut Draft<'_>,
) -> Result<(), ArchiveError> {
    match list {
        Some("relations") => relation(value, format!("relation {number}"), draft),
        _ => entity(value, &format!("entity {number}"), draft),
    }
}

fn relation(value: &Value, place: String, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let part = |field: &str| value[field].as_str().unwrap_or_default();
    let (from, how, to) = (part("from"), part("relationType"), part("to"));
    let content = format!("{from} {} {to}", how.replace('_', " "));
    draft.statement(&Foreign {
        place,
        id: &format!("{from}\n{how}\n{to}"),
        content: &content,
        category: Some("relation"),
        ..Foreign::default()
    })
}

fn entity(value: &Value, place: &str, draft: &mut Draft<'_>) -> Result<(), ArchiveError> {
    let name = value["name"].as_str().unwrap_or_default();
    let is_user = USER.contains(&name.to_lowercase().as_str());
    let Some(observations) = value["observations"].as_array() else {
        draft.fault(place, "it has no observations");
        return Ok(());
    };
    for (number, observation) in observations.iter().enumerate() {
        let place = format!("{place} observation {}", number + 1);
        let Some(text) = observation.as_str() else {
            draft.fault(&place, "it is not a text");
            continue;
        };
        let content = match is_user {
            true => text.to_owned(),
            false => format!("{name}: {text}"),
        };
        let category = value["entityType"].as_str().filter(|_| !is_user);
        draft.statement(&Foreign {
            place,
            id: name,
            content: &content,
            category,
            ..Foreign::default()
        })?;
    }
    Ok(())
}
