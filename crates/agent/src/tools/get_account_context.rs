//! `get_account_context`: what is remembered of a company.

use recalld_index::text::plain::shorten;
use recalld_memory::entities::{self, Account};
use recalld_memory::scope::Scope;
use recalld_memory::wiring::Ports;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::arguments::{read, schema_of};
use super::{Answer, Hints, Tool, ToolError, ToolSet, listing};

pub(super) const TOOL: Tool = Tool {
    name: "get_account_context",
    title: "Get account context",
    set: ToolSet::Context,
    description: include_str!("get_account_context.md"),
    hints: Hints::READS,
    schema: |_| schema_of::<Args>(),
    run: |ports, scope, arguments| Box::pin(async move { run(ports, scope, read(arguments)?).await }),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// The name of the company, such as "Gartner"
    company_name: String,
    /// What is wanted of it, such as "previous_research"; without it, everything
    r#type: Option<String>,
}

async fn run(ports: &Ports, scope: &Scope, args: Args) -> Result<Answer, ToolError> {
    let name = args.company_name.trim();
    if name.is_empty() {
        return Err(ToolError::arguments("argument \"company_name\": is blank"));
    }
    let about = args.r#type.as_deref().filter(|about| !about.trim().is_empty());
    let account = entities::account(ports, scope, name, about).await?;
    let text = text(name, &account, ports.settings.tool_tokens_max);
    let entity = account.entity.as_ref().map(|entity| {
        json!({
            "id": entity.id.as_str(),
            "name": entity.name.as_str(),
            "notes": entity.notes.as_ref().map(|notes| notes.as_str()),
            "conversations": entity.conversations(),
        })
    });
    let found = entity.is_some() || !account.memories.is_empty();
    let memories: Vec<_> = account
        .memories
        .iter()
        .map(|found| listing::data(&found.item))
        .collect();
    let data = json!({ "company_name": shorten(name, 256), "found": found, "account": entity, "memories": memories });
    Ok(Answer::new(if found { "ok" } else { "not_found" }, text, data))
}

fn text(name: &str, account: &Account, max_tokens: usize) -> String {
    let name = shorten(name, 80);
    let notes = account.entity.as_ref().map(|entity| {
        let notes = entity.notes.as_ref().map_or("no notes", |notes| notes.as_str());
        format!(
            "Account {:?}: {:?}\n",
            entity.name.as_str(),
            shorten(notes, 2_000)
        )
    });
    let memories = account.memories.iter().map(|found| found.item.as_ref());
    match (notes, account.memories.is_empty()) {
        (None, true) => format!("Nothing is remembered about {name:?}."),
        (Some(notes), true) => notes,
        (notes, false) => {
            let title = format!("{}Remembered about {name:?}:", notes.unwrap_or_default());
            listing::text(&title, memories, max_tokens)
        }
    }
}
