//! The file of the MCP memory server, one entity or relation a line; or the whole graph, as its
//! tool `read_graph` gives it.

use serde_json::Value;

use super::draft::{Draft, Foreign};

/// The entity that stands for the user.
const USER: [&str; 3] = ["default_user", "user", "me"];

pub(super) fn read(text: &str, draft: &mut Draft) -> Result<(), &'static str> {
    if let Ok(graph) = serde_json::from_str::<Value>(text)
        && graph["entities"].is_array()
    {
        for (field, what) in [("entities", "entity"), ("relations", "relation")] {
            let things = graph[field].as_array().into_iter().flatten();
            for (thing, number) in things.zip(1..) {
                let place = format!("{what} {number}");
                match what {
                    "entity" => entity(thing, &place, draft),
                    _ => relation(thing, place, draft),
                }
            }
        }
        return Ok(());
    }
    for (line, number) in text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty()) {
        let place = format!("line {number}");
        let Ok(value) = serde_json::from_str::<Value>(line) else {
            draft.fault(place, "it is not JSON");
            continue;
        };
        match value["type"].as_str() {
            Some("entity") => entity(&value, &place, draft),
            Some("relation") => relation(&value, place, draft),
            _ => draft.fault(place, "it is neither an entity nor a relation"),
        }
    }
    Ok(())
}

fn relation(value: &Value, place: String, draft: &mut Draft) {
    let part = |field: &str| value[field].as_str().unwrap_or_default();
    let (from, how, to) = (part("from"), part("relationType"), part("to"));
    let content = format!("{from} {} {to}", how.replace('_', " "));
    draft.statement(&Foreign {
        place,
        id: &format!("{from}\n{how}\n{to}"),
        content: &content,
        category: Some("relation"),
        ..Foreign::default()
    });
}

fn entity(value: &Value, place: &str, draft: &mut Draft) {
    let name = value["name"].as_str().unwrap_or_default();
    let is_user = USER.contains(&name.to_lowercase().as_str());
    let Some(observations) = value["observations"].as_array() else {
        return draft.fault(place.to_owned(), "it has no observations");
    };
    for (number, observation) in observations.iter().enumerate() {
        let place = format!("{place} observation {}", number + 1);
        let Some(text) = observation.as_str() else {
            draft.fault(place, "it is not a text");
            continue;
        };
        let content = match is_user {
            true => text.to_owned(),
            false => format!("{name}: {text}"),
        };
        draft.statement(&Foreign {
            place,
            id: name,
            content: &content,
            category: if is_user {
                None
            } else {
                value["entityType"].as_str()
            },
            ..Foreign::default()
        });
    }
}
