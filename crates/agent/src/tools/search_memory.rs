//! `search_memory`: finds memories on a subject.

use std::sync::Arc;

use recalld_index::text::plain::shorten;
use recalld_memory::memory::Memory;
use recalld_memory::recall::{self, Hit, Question};
use recalld_memory::scope::Scope;
use recalld_memory::whole_number;
use recalld_memory::wiring::Ports;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::arguments::{limit, read, schema_of};
use super::words::CategoryFilter;
use super::{Hints, Tool, ToolAnswer, ToolError, ToolSet, listing};

pub(super) const TOOL: Tool = Tool {
    name: "search_memory",
    title: "Search memories",
    set: ToolSet::Storage,
    description: include_str!("search_memory.md"),
    hints: Hints::READS,
    schema: |_| schema_of::<Args>(),
    run: |ports, scope, arguments| Box::pin(async move { run(ports, scope, read(arguments)?).await }),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// Such as "kubernetes" or "seat preference"
    query: String,
    /// Default: 5
    #[schemars(range(min = 1, max = 100))]
    #[serde(default, deserialize_with = "whole_number::optional")]
    limit: Option<u64>,
    /// Default: all
    category: Option<CategoryFilter>,
}

async fn run(ports: &Ports, scope: &Scope, args: Args) -> Result<ToolAnswer, ToolError> {
    if args.query.trim().is_empty() {
        return Err(ToolError::arguments("argument \"query\": is blank"));
    }
    let category = args.category.and_then(CategoryFilter::category);
    let question = Question {
        category,
        ..Question::new(args.query, limit(args.limit, 5, 100)?)
    };
    let found = recall::recall(ports, scope, &question).await?;
    let text = match found.is_empty() {
        true => format!("Nothing is remembered about {:?}.", shorten(&question.text, 80)),
        false => {
            let line = |found: &Hit<Arc<Memory>>| {
                let line = listing::line(&found.item);
                let replaced = found.validity.and_then(|validity| validity.replaces);
                let replaced = replaced.map(|older| format!(", replaces {}", older.short()));
                let replaced = replaced.unwrap_or_default();
                format!("{} (score: {:.2}{replaced})\n", line.trim_end(), found.score)
            };
            listing::lines(
                "Remembered, the best match first:",
                found.iter().map(line).collect(),
                ports.settings.tool_tokens_max,
            )
        }
    };
    let results: Vec<Value> = found.iter().map(result).collect();
    Ok(ToolAnswer::new("ok", text, json!({ "results": results })))
}

/// Gives one result: the memory and its score.
fn result(found: &Hit<Arc<Memory>>) -> Value {
    let mut data = listing::data(&found.item);
    data["score"] = json!(found.score);
    if let Some(older) = found.validity.and_then(|validity| validity.replaces) {
        data["replaces"] = json!(older.to_string());
    }
    data
}
