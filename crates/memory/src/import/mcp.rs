//! The file of the MCP memory server: one entity or relation a line.

use serde_json::Value;

use super::draft::{Draft, Foreign};

/// The entity that stands for the user.
const USER: [&str; 3] = ["default_user", "user", "me"];

pub(super) fn read(text: &str, draft: &mut Draft) -> Result<(), &'static str> {
    for (line, number) in text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty()) {
        let place = format!("line {number}");
        let Ok(value) = serde_json::from_str::<Value>(line) else {
            draft.fault(place, "it is not JSON");
            continue;
        };
        match value["type"].as_str() {
            Some("entity") => entity(&value, &place, draft),
            Some("relation") => {
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
            _ => draft.fault(place, "it is neither an entity nor a relation"),
        }
    }
    Ok(())
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
