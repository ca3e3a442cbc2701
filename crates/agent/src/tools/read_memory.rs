//! `read_memory`: lists the memories of one category.

use std::sync::Arc;

use recalld_memory::memory::Memory;
use recalld_memory::scope::Scope;
use recalld_memory::space::SpaceView;
use recalld_memory::whole_number;
use recalld_memory::wiring::Ports;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::arguments::{limit, read, schema_of};
use super::words::CategoryWord;
use super::{Answer, Hints, Tool, ToolError, ToolSet, listing};

pub(super) const TOOL: Tool = Tool {
    name: "read_memory",
    title: "Read memories of a category",
    set: ToolSet::Storage,
    description: include_str!("read_memory.md"),
    hints: Hints::READS,
    schema: |_| schema_of::<Args>(),
    run: |ports, scope, arguments| Box::pin(async move { run(ports, scope, read(arguments)?).await }),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    category: CategoryWord,
    /// The most entries to return. Default: 20
    #[schemars(range(min = 1, max = 200), extend("default" = 20))]
    #[serde(default, deserialize_with = "whole_number::optional")]
    limit: Option<u64>,
}

async fn run(ports: &Ports, scope: &Scope, args: Args) -> Result<Answer, ToolError> {
    let limit = limit(args.limit, 20, 200)?;
    let category = args.category.category();
    let look = |view: &SpaceView| {
        let of_it = view
            .current(scope.now)
            .rev()
            .filter(|memory| memory.category == category);
        of_it.take(limit).cloned().collect::<Vec<Arc<Memory>>>()
    };
    let memories = ports.spaces.read(scope.space(), look).await?;
    let text = match memories.is_empty() {
        true => format!("Nothing is remembered in {category}."),
        false => {
            let title = format!("Remembered in {category}, the newest first:");
            listing::text(
                &title,
                memories.iter().map(Arc::as_ref),
                ports.settings.tool_tokens_max,
            )
        }
    };
    let memories: Vec<_> = memories.iter().map(|memory| listing::data(memory)).collect();
    Ok(Answer::new(
        "ok",
        text,
        json!({ "category": category.as_str(), "memories": memories }),
    ))
}
