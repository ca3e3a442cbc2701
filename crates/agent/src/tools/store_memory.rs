//! `store_memory`: remembers one statement, without a key.

use recalld_memory::memory::{Content, Origin};
use recalld_memory::remember::{self, RememberError, Remembered, Statement};
use recalld_memory::scope::Scope;
use recalld_memory::wiring::Ports;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::arguments::{invalid, read, schema_of};
use super::{Hints, Tool, ToolAnswer, ToolError, ToolSet, listing};

pub(super) const TOOL: Tool = Tool {
    name: "store_memory",
    title: "Store a memory",
    set: ToolSet::Semantic,
    description: include_str!("store_memory.md"),
    hints: Hints::ADDS,
    schema: |_| schema_of::<Args>(),
    run: |ports, scope, arguments| Box::pin(async move { run(ports, scope, read(arguments)?).await }),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// The statement to remember, such as "Prefers window seats on long flights"
    content: String,
}

async fn run(ports: &Ports, scope: &Scope, args: Args) -> Result<ToolAnswer, ToolError> {
    let content = Content::new(&args.content).map_err(|e| invalid("content")(&e))?;
    let statement = Statement {
        origin: Origin::Assistant,
        ..Statement::plain(content)
    };
    match remember::remember(ports, scope, statement).await {
        Ok(Remembered::Stored { memory, evicted, .. }) => Ok(ToolAnswer::new(
            "stored",
            format!("Remembered ({}).", memory.short_name()),
            json!({ "memory": listing::data(&memory), "evicted": evicted }),
        )),
        Ok(Remembered::Duplicate { of, .. }) => Ok(ToolAnswer::new(
            "duplicate",
            format!(
                "That is remembered already: {}",
                recalld_memory::render::memory_line(&of)
            ),
            json!({ "duplicate_of": listing::data(&of) }),
        )),
        Err(RememberError::Secret(secret)) => Ok(ToolAnswer::refused(secret)),
        Err(RememberError::Space(error)) => Err(error.into()),
    }
}
