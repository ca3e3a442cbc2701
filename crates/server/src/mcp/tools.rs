//! The tools as MCP shows and calls them.
//!
//! An answer is text. There is no structured content beside it: some clients show the model that in
//! place of the text, whose length is bounded. What a program may want of an answer (outcome, ids,
//! counts) is in `_meta`, which no model reads.

use recalld_agent::tools::{self, Format, ToolAnswer, ToolSet};
use recalld_memory::id::MemoryId;
use recalld_memory::scope::Scope;
use recalld_memory::settings::Settings;
use recalld_memory::wiring::Ports;
use rmcp::ErrorData;
use rmcp::model::{CallToolResult, ContentBlock, JsonObject, MetaObject, Tool};
use serde_json::{Map, Value, json};

/// Where `_meta` has what a program may want of an answer.
const RESULT: &str = "recalld/result";

/// How many ids it has at the most.
const IDS_MAX: usize = 50;

/// The tools that a deployment shows.
#[derive(Debug)]
pub(super) struct ShownTools {
    sets: Vec<ToolSet>,
    list: Vec<Tool>,
}

impl ShownTools {
    /// Shows the tools of `sets`; those of every day, when none is named.
    pub(super) fn new(sets: &[ToolSet], settings: &Settings) -> ShownTools {
        let sets = match sets {
            [] => ToolSet::EVERYDAY.to_vec(),
            named => named.to_vec(),
        };
        let list = serde_json::from_value(tools::export(Format::Mcp, &sets, settings));
        ShownTools {
            sets,
            list: list.expect("tools are exported in the shape of MCP"),
        }
    }

    /// Lists them, with schemas and hints.
    pub(super) fn list(&self) -> Vec<Tool> {
        self.list.clone()
    }

    /// Tells whether a tool is shown.
    pub(super) fn has(&self, name: &str) -> bool {
        self.list.iter().any(|tool| tool.name == name)
    }

    /// Calls the tool `name`. What the model can mend is an answer that it reads; an unknown tool
    /// is an error of the client, which has the list.
    pub(super) async fn call(
        &self,
        ports: &Ports,
        scope: &Scope,
        name: &str,
        arguments: Option<JsonObject>,
    ) -> Result<CallToolResult, ErrorData> {
        let Some(tool) = tools::of_sets(&self.sets).find(|tool| tool.name == name) else {
            return Err(ErrorData::invalid_params(
                "unknown tool; tools/list has those there are",
                None,
            ));
        };
        let arguments = Value::Object(arguments.unwrap_or_default());
        Ok(match tool.call(ports, scope, arguments).await {
            Ok(answer) => {
                let meta = MetaObject(Map::from_iter([(RESULT.to_owned(), digest(&answer))]));
                let mut result = CallToolResult::success(vec![ContentBlock::text(answer.text)]);
                result.meta = Some(meta);
                result
            }
            Err(error) => CallToolResult::error(vec![ContentBlock::text(error.for_model())]),
        })
    }
}

/// The outcome of an answer, the ids of the memories in it, and how many there are of what.
fn digest(answer: &ToolAnswer) -> Value {
    let mut ids = Vec::new();
    collect_ids(&answer.data, &mut ids);
    let mut counts = Map::new();
    for (name, value) in answer.data.as_object().into_iter().flatten() {
        match value {
            Value::Array(items) => counts.insert(name.clone(), json!(items.len())),
            Value::Number(_) => counts.insert(name.clone(), value.clone()),
            _ => None,
        };
    }
    json!({ "outcome": answer.data["outcome"], "ids": ids, "counts": counts })
}

fn collect_ids(value: &Value, ids: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            let id = fields.get("id").and_then(Value::as_str);
            let id = id
                .and_then(|id| MemoryId::parse(id).ok())
                .map(|id| id.to_string());
            ids.extend(id.filter(|id| ids.len() < IDS_MAX && !ids.contains(id)));
            fields.values().for_each(|value| collect_ids(value, ids));
        }
        Value::Array(items) => items.iter().for_each(|item| collect_ids(item, ids)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use recalld_index::text::tokens::TokenCount;

    use super::*;

    fn names(sets: &[ToolSet]) -> Vec<String> {
        let shown = ShownTools::new(sets, &Settings::default());
        shown.list.iter().map(|tool| tool.name.to_string()).collect()
    }

    #[test]
    fn every_tool_is_shown_with_its_schema_and_hints() {
        let shown = ShownTools::new(&ToolSet::ALL, &Settings::default());
        assert_eq!(shown.list.len(), tools::all().len());
        for tool in &shown.list {
            let hints = tool.annotations.as_ref().unwrap();
            assert!(
                hints.read_only_hint.is_some() && hints.destructive_hint.is_some(),
                "{}",
                tool.name
            );
            assert!(tool.output_schema.is_none(), "{}", tool.name);
            assert!(tool.input_schema.contains_key("properties"), "{}", tool.name);
        }
    }

    #[test]
    fn what_is_shown_by_default_is_short() {
        let shown = ShownTools::new(&[], &Settings::default());
        assert_eq!(shown.list.len(), 7);
        let told: Vec<Value> = shown
            .list
            .iter()
            .map(|tool| json!({"name": tool.name, "description": tool.description, "input_schema": tool.input_schema}))
            .collect();
        let tokens = TokenCount::of(&json!(told).to_string()).o200k;
        assert!(tokens <= 1_100, "{tokens} tokens");
    }

    #[test]
    fn a_deployment_shows_the_sets_it_names_and_each_can_correct_and_forget() {
        assert_eq!(
            names(&[ToolSet::Semantic]),
            ["update_memory", "delete_memory", "store_memory", "recall_memory"]
        );
        for set in [ToolSet::Context, ToolSet::Semantic, ToolSet::Storage] {
            let names = names(&[set]);
            assert!(names.contains(&"update_memory".to_owned()), "{set:?}");
            assert!(names.contains(&"delete_memory".to_owned()), "{set:?}");
        }
        assert_eq!(names(&[ToolSet::Document]), ["manage_user_memory"]);
    }

    #[test]
    fn a_digest_has_no_texts() {
        let id = "019a0000-0000-7000-8000-000000000001";
        let memory = json!({"id": id, "value": "Likes tea"});
        let answer = ToolAnswer {
            text: "…".to_owned(),
            data: json!({"outcome": "ok", "results": [memory, memory], "left_out": 2, "text": "Likes tea"}),
        };
        assert_eq!(
            digest(&answer),
            json!({"outcome": "ok", "ids": [id], "counts": {"results": 2, "left_out": 2}})
        );
    }
}
