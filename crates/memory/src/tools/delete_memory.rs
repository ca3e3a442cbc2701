//! `delete_memory`: hides a memory. A model cannot erase.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::arguments::{read, schema_of};
use super::{Answer, Hints, Tool, ToolError, ToolSet, listing};
use crate::ports::Ports;
use crate::retire::{self, Retired};
use crate::scope::Scope;
use crate::target::Target;

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
    /// The key of the memory, or its id
    key: String,
}

async fn run(ports: &Ports, scope: &Scope, args: Args) -> Result<Answer, ToolError> {
    Ok(
        match retire::retire(ports, scope, Target::parse(&args.key), None).await? {
            Retired::Hidden(memory) => Answer::new(
                "deleted",
                format!("Forgotten: {}", crate::render::memory_line(&memory)),
                json!({ "memory": listing::data(&memory) }),
            ),
            Retired::NotFound | Retired::Stale(_) => Answer::not_found(&args.key),
        },
    )
}
