//! Items of a LangGraph store, as its search gives them.

use serde_json::Value;

use super::draft::{Draft, Foreign, time};

/// The fields of a value that hold what is remembered, the most likely first.
const TEXTS: [&str; 7] = ["content", "text", "memory", "data", "fact", "value", "statement"];

pub(super) fn read(value: &Value, draft: &mut Draft) -> Result<(), &'static str> {
    let items = value["items"]
        .as_array()
        .or(value.as_array())
        .ok_or("it holds no list of items")?;
    for (number, item) in items.iter().enumerate() {
        let place = format!("item {}", number + 1);
        let kept = &item["value"];
        if kept.is_null() {
            draft.fault(place, "it has no value");
            continue;
        }
        let found = TEXTS
            .iter()
            .find_map(|field| kept[*field].as_str())
            .or(kept.as_str());
        let content = found.map_or_else(|| kept.to_string(), str::to_owned);
        let names: Vec<&str> = item["namespace"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let key = item["key"].as_str();
        // Keys that are random ids are no names.
        let is_name = |key: &&str| uuid::Uuid::try_parse(key).is_err();
        draft.statement(&Foreign {
            place,
            id: &format!("{}\n{}", names.join("."), key.unwrap_or_default()),
            content: &content,
            key: key.filter(is_name),
            category: names.last().copied(),
            at: time(&item["created_at"]),
            ..Foreign::default()
        });
    }
    Ok(())
}
