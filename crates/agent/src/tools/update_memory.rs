//! `update_memory`: changes what a memory says.

use recalld_memory::memory::{Content, Origin};
use recalld_memory::revise::{self, Edit, ReviseError, Revised};
use recalld_memory::scope::Scope;
use recalld_memory::target::Target;
use recalld_memory::wiring::Ports;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::arguments::{invalid, read, schema_of};
use super::code::refuse_code;
use super::words::CategoryWord;
use super::{Hints, Tool, ToolAnswer, ToolError, ToolSet, listing};

pub(super) const TOOL: Tool = Tool {
    name: "update_memory",
    title: "Update a memory",
    set: ToolSet::Storage,
    description: include_str!("update_memory.md"),
    hints: Hints::CHANGES,
    schema: |_| schema_of::<Args>(),
    run: |ports, scope, arguments| Box::pin(async move { run(ports, scope, read(arguments)?).await }),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// Its key or id
    key: String,
    /// What it should say
    value: String,
    /// Its new category
    category: Option<CategoryWord>,
}

async fn run(ports: &Ports, scope: &Scope, args: Args) -> Result<ToolAnswer, ToolError> {
    refuse_code("value", &args.value)?;
    let edit = Edit {
        content: Some(Content::new(&args.value).map_err(|e| invalid("value")(&e))?),
        category: args.category.map(CategoryWord::category),
        ..Edit::by(Origin::Assistant)
    };
    let revised = match revise::revise(ports, scope, Target::parse(&args.key), edit).await {
        Ok(revised) => revised,
        Err(ReviseError::Secret(secret)) => return Ok(ToolAnswer::refused(secret)),
        Err(error @ ReviseError::Period(_)) => return Err(ToolError::arguments(error.to_string())),
        Err(ReviseError::Space(error)) => return Err(error.into()),
    };
    Ok(match revised {
        Revised::Changed { memory, was, evicted } => ToolAnswer::new(
            "updated",
            format!(
                "Updated {}. It said before: {}",
                memory.short_name(),
                recalld_memory::render::memory_line(&was)
            ),
            json!({ "memory": listing::data(&memory), "was": listing::data(&was), "evicted": evicted }),
        ),
        Revised::Proposed { memory, of, evicted } => ToolAnswer::new(
            "proposed",
            format!(
                "Not replaced: {} is in the user's own words and stays as it is until the user confirms the \
                 change. Your version is stored beside it (id {}).\n{}",
                of.name(),
                memory.id,
                recalld_memory::render::memory_line(&of)
            ),
            json!({ "memory": listing::data(&memory), "amends": listing::data(&of), "evicted": evicted }),
        ),
        Revised::Unchanged(memory) => ToolAnswer::new(
            "unchanged",
            format!("{} said that already.", memory.short_name()),
            json!({ "memory": listing::data(&memory) }),
        ),
        Revised::Duplicate { of } => ToolAnswer::new(
            "duplicate",
            format!(
                "Nothing changed: another memory says that already.\n{}",
                recalld_memory::render::memory_line(&of)
            ),
            json!({ "duplicate_of": listing::data(&of) }),
        ),
        Revised::Stale(_) | Revised::NotFound => ToolAnswer::not_found(&args.key),
    })
}
