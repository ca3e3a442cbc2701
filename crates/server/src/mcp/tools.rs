//! The tools as MCP shows and calls them.

use recalld_agent::tools::{self, Format, ToolError, ToolSet};
use recalld_memory::scope::Scope;
use recalld_memory::screening::invisible::visible;
use recalld_memory::settings::Settings;
use recalld_memory::wiring::Ports;
use rmcp::ErrorData;
use rmcp::model::{CallToolResult, ContentBlock, JsonObject, Tool};
use serde_json::Value;

use super::failure::unavailable;

/// The tools that a deployment shows.
#[derive(Debug)]
pub(super) struct ShownTools {
    sets: Vec<ToolSet>,
    list: Vec<Tool>,
}

impl ShownTools {
    /// Shows the tools of `sets`; of all, when none is named.
    pub(super) fn new(sets: &[ToolSet], settings: &Settings) -> ShownTools {
        let list = serde_json::from_value(tools::export(Format::Mcp, sets, settings));
        ShownTools {
            sets: sets.to_vec(),
            list: list.expect("tools are exported in the shape of MCP"),
        }
    }

    /// Lists them, with schemas and hints.
    pub(super) fn list(&self) -> Vec<Tool> {
        self.list.clone()
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
        let shown = |tool: &&tools::Tool| self.sets.is_empty() || self.sets.contains(&tool.set);
        let Some(tool) = tools::find(name).filter(shown) else {
            return Err(ErrorData::invalid_params(
                "unknown tool; tools/list has those there are",
                None,
            ));
        };
        let arguments = Value::Object(arguments.unwrap_or_default());
        Ok(match tool.call(ports, scope, arguments).await {
            Ok(answer) => {
                let mut data = answer.to_json();
                remove_invisible(&mut data);
                let mut result = CallToolResult::structured(data);
                result.content = vec![ContentBlock::text(answer.text)];
                result
            }
            Err(ToolError::Arguments { message }) => refused(message),
            Err(ToolError::Space(error)) => refused(unavailable(&error)),
        })
    }
}

/// A call that did nothing, with the reason for the model.
fn refused(why: impl Into<String>) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(why)])
}

/// Removes what nobody sees from every text: clients show structured content to models too.
fn remove_invisible(value: &mut serde_json::Value) {
    use serde_json::Value;
    match value {
        Value::String(text) => *text = visible(text).into_owned(),
        Value::Array(items) => items.iter_mut().for_each(remove_invisible),
        Value::Object(fields) => fields.values_mut().for_each(remove_invisible),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_is_shown_with_its_schemas_and_hints() {
        let shown = ShownTools::new(&[], &Settings::default());
        assert_eq!(shown.list.len(), tools::all().len());
        for tool in &shown.list {
            let hints = tool.annotations.as_ref().unwrap();
            assert!(
                hints.read_only_hint.is_some() && hints.destructive_hint.is_some(),
                "{}",
                tool.name
            );
            assert!(
                tool.output_schema.is_some() && tool.input_schema.contains_key("properties"),
                "{}",
                tool.name
            );
        }
    }

    #[test]
    fn a_deployment_shows_the_sets_it_names() {
        let shown = ShownTools::new(&[ToolSet::Semantic], &Settings::default());
        let names: Vec<&str> = shown.list.iter().map(|tool| tool.name.as_ref()).collect();
        assert_eq!(names, ["store_memory", "recall_memory"]);
    }
}
