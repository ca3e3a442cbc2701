//! `get_memory_context`: text for a prompt, within a budget.

use recalld_memory::context::{self, TOKENS_DEFAULT};
use recalld_memory::scope::Scope;
use recalld_memory::whole_number;
use recalld_memory::wiring::Ports;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::arguments::{read, schema_of};
use super::{Hints, Tool, ToolAnswer, ToolError, ToolSet, listing};

pub(super) const TOOL: Tool = Tool {
    name: "get_memory_context",
    title: "Get memory context for a topic",
    set: ToolSet::Storage,
    description: include_str!("get_memory_context.md"),
    hints: Hints::READS,
    schema: |_| schema_of::<Args>(),
    run: |ports, scope, arguments| Box::pin(async move { run(ports, scope, read(arguments)?).await }),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// What it is about, such as "PostgreSQL 18"
    topic: String,
    /// Default: 1500
    #[schemars(range(min = 1, max = 1_000_000))]
    #[serde(default, deserialize_with = "whole_number::optional")]
    max_tokens: Option<u64>,
}

async fn run(ports: &Ports, scope: &Scope, args: Args) -> Result<ToolAnswer, ToolError> {
    let budget = args.max_tokens.map_or(TOKENS_DEFAULT, |given| {
        usize::try_from(given).unwrap_or(usize::MAX)
    });
    let context = context::gather(ports, scope, &args.topic, budget).await?;
    let memories: Vec<_> = context
        .memories
        .iter()
        .map(|memory| listing::data(memory))
        .collect();
    let data = json!({
        "tokens": { "cl100k_base": context.tokens.cl100k, "o200k_base": context.tokens.o200k },
        "memories": memories,
        "left_out": context.left_out,
    });
    Ok(ToolAnswer::new("ok", context.text, data))
}
