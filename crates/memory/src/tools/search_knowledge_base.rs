//! `search_knowledge_base`: finds passages of the documents that all users may search.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::arguments::{read, said, schema_of};
use super::{Answer, Hints, Tool, ToolError, ToolSet, listing};
use crate::ports::Ports;
use crate::recall::{self, FoundChunk};
use crate::text::plain::shorten;

pub(super) const TOOL: Tool = Tool {
    name: "search_knowledge_base",
    title: "Search the knowledge base",
    set: ToolSet::Knowledge,
    description: include_str!("search_knowledge_base.md"),
    hints: Hints::READS,
    schema: |_| schema_of::<Args>(),
    run: |ports, _, arguments| Box::pin(async move { run(ports, read(arguments)?).await }),
};

/// How many passages are shown at once.
const PASSAGES_MAX: usize = 5;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// What to look for, such as "how long do refunds take?"
    query: String,
}

async fn run(ports: &Ports, args: Args) -> Result<Answer, ToolError> {
    said("query", &args.query)?;
    let found = recall::search_knowledge(ports, &args.query, PASSAGES_MAX).await?;
    let text = match found.is_empty() {
        true => format!(
            "The knowledge base has nothing about {:?}.",
            shorten(&args.query, 80)
        ),
        false => {
            let lines = found.iter().map(line).collect();
            listing::lines(
                "From the knowledge base, the best match first:",
                lines,
                ports.settings.tool_tokens_max,
            )
        }
    };
    let results: Vec<Value> = found.iter().map(data).collect();
    Ok(Answer::new("ok", text, json!({ "results": results })))
}

/// Quoted as JSON, so that a passage keeps its lines and cannot end its own quotation.
fn line(found: &FoundChunk) -> String {
    let source = Value::from(found.document.source.as_str());
    let heading = match &found.chunk.heading {
        Some(heading) => format!(", {}", Value::from(heading.as_str())),
        None => String::new(),
    };
    format!(
        "- {source}{heading}: {}\n",
        Value::from(found.chunk.content.as_str())
    )
}

fn data(found: &FoundChunk) -> Value {
    json!({
        "document_id": found.document.id.as_str(),
        "source": found.document.source,
        "title": found.document.title,
        "heading": found.chunk.heading,
        "content": found.chunk.content,
        "ordinal": found.chunk.ordinal,
        "score": found.score,
    })
}
