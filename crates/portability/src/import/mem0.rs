//! mem0: the answer of `get_all`, with or without its envelope.

use serde_json::Value;

use super::draft::{Draft, Foreign, time};

pub(super) fn read(value: &Value, draft: &mut Draft) -> Result<(), &'static str> {
    let list = value["results"].as_array().or(value["memories"].as_array());
    let items = list.or(value.as_array()).ok_or("it holds no list of memories")?;
    for (number, item) in items.iter().enumerate() {
        let place = format!("memory {}", number + 1);
        let Some(content) = item["memory"].as_str().or(item["text"].as_str()) else {
            draft.fault(place, "it has no field memory");
            continue;
        };
        let category = item["categories"][0]
            .as_str()
            .or(item["metadata"]["category"].as_str());
        draft.statement(&Foreign {
            place,
            id: item["id"].as_str().unwrap_or_default(),
            content,
            category,
            at: time(&item["created_at"]),
            ..Foreign::default()
        });
    }
    Ok(())
}
