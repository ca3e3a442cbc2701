//! `get_user_context`: structured context of the user by category.

use recalld_memory::catalogue::{ALL, Catalogue};
use recalld_memory::profile::{self, ProfileError, UserContext};
use recalld_memory::scope::Scope;
use recalld_memory::settings::Settings;
use recalld_memory::wiring::Ports;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::arguments::{invalid, read, schema_of};
use super::{Hints, Tool, ToolAnswer, ToolError, ToolSet, listing};

pub(super) const TOOL: Tool = Tool {
    name: "get_user_context",
    title: "Get user context",
    set: ToolSet::Context,
    description: include_str!("get_user_context.md"),
    hints: Hints::READS,
    schema,
    run: |ports, scope, arguments| Box::pin(async move { run(ports, scope, read(arguments)?).await }),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// Which context to get
    category: String,
    /// What you look for in it, such as "target titles"; without it, the whole category
    query: Option<String>,
}

/// The categories are those of the deployment.
fn schema(settings: &Settings) -> Value {
    let mut schema = schema_of::<Args>();
    if let Some(category) = schema.pointer_mut("/properties/category") {
        category["enum"] = json!(settings.profile.names());
        category["description"] = json!(describe(&settings.profile));
    }
    schema
}

fn describe(catalogue: &Catalogue) -> String {
    let mut text = "Which context to get.".to_owned();
    for category in catalogue.categories() {
        let names: Vec<&str> = category.names().collect();
        text.push_str(&format!(" {}: {};", names.join(" or "), category.description));
    }
    format!("{text} {ALL}: everything at once")
}

async fn run(ports: &Ports, scope: &Scope, args: Args) -> Result<ToolAnswer, ToolError> {
    let context = match profile::user_context(ports, scope, &args.category, args.query.as_deref()).await {
        Ok(context) => context,
        Err(ProfileError::Space(error)) => return Err(error.into()),
        Err(error) => return Err(invalid("category")(&error)),
    };
    let outcome = if context.found { "ok" } else { "not_found" };
    let text = text(&context, ports.settings.tool_tokens_max);
    Ok(ToolAnswer::new(outcome, text, context.to_json()))
}

fn text(context: &UserContext, max_tokens: usize) -> String {
    let category = &context.category;
    match (context.found, &context.query) {
        (true, _) => {}
        (false, None) => {
            return format!(
                "The category {category:?} is empty. What the user said may be among their memories: search those with \
                 search_memory or recall_memory before you say that nothing is known."
            );
        }
        (false, Some(_)) => {
            return format!(
                "Nothing in the category {category:?} answers that query. Without `query` you get all of it; what the \
                 user said may also be among their memories: search those with search_memory or recall_memory."
            );
        }
    }
    let mut lines = Vec::new();
    write("", &context.data, &mut lines);
    listing::lines(
        &format!("Saved about the user in {category:?}:"),
        lines,
        max_tokens,
    )
}

/// A line for each field and each row; what is null is not worth one.
fn write(name: &str, value: &Value, lines: &mut Vec<String>) {
    let is_row = |value: &Value| value.is_object();
    match value {
        Value::Null => {}
        Value::Array(rows) if rows.is_empty() => {}
        Value::Object(fields)
            if name.is_empty() || fields.values().any(|v| v.is_object() || v.is_array()) =>
        {
            for (field, value) in fields {
                let dot = if name.is_empty() { "" } else { "." };
                write(
                    &format!("{name}{dot}{}", recalld_memory::render::one_line(field)),
                    value,
                    lines,
                );
            }
        }
        Value::Array(rows) if rows.iter().any(is_row) => {
            let label = if name.is_empty() {
                String::new()
            } else {
                format!("{name}: ")
            };
            lines.extend(rows.iter().map(|row| format!("- {label}{row}\n")));
        }
        value if name.is_empty() => lines.push(format!("- {value}\n")),
        value => lines.push(format!("- {name}: {value}\n")),
    }
}
