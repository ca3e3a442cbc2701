//! `delete_memory`: hides a memory. A model cannot erase.

use recalld_memory::retire::{self, Retired};
use recalld_memory::scope::Scope;
use recalld_memory::target::Target;
use recalld_memory::wiring::Ports;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::arguments::{read, schema_of};
use super::{Hints, Tool, ToolAnswer, ToolError, ToolSet, listing};

pub(super) const TOOL: Tool = Tool {
    name: "delete_memory",
    title: "Delete a memory",
    set: ToolSet::Storage,
    description: include_str!("delete_memory.md"),
    hints: Hints::CHANGES,
    schema: |_| schema_of::<Args>(),
    run: |ports, scope, arguments| Box::pin(async move { run(ports, scope, read(arguments)?).await }),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// Its key or id
    key: String,
}

async fn run(ports: &Ports, scope: &Scope, args: Args) -> Result<ToolAnswer, ToolError> {
    Ok(
        match retire::retire_by_tool(ports, scope, Target::parse(&args.key), TOOL.name).await? {
            Retired::Hidden(memory) => ToolAnswer::new(
                "deleted",
                format!("Forgotten: {}", recalld_memory::render::memory_line(&memory)),
                json!({ "memory": listing::data(&memory) }),
            ),
            Retired::NotFound | Retired::Stale(_) => ToolAnswer::not_found(&args.key),
        },
    )
}
