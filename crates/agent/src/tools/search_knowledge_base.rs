//! `search_knowledge_base`: finds passages of the documents that all users may search.

use std::sync::Arc;

use recalld_index::text::plain::shorten;
use recalld_memory::knowledge::{Chunk, KnowledgeDocument};
use recalld_memory::recall::{self, Hit, Question};
use recalld_memory::wiring::Ports;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::arguments::{read, said, schema_of};
use super::{Hints, Tool, ToolAnswer, ToolError, ToolSet, listing};

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

async fn run(ports: &Ports, args: Args) -> Result<ToolAnswer, ToolError> {
    said("query", &args.query)?;
    let found = recall::search_knowledge(ports, &Question::new(&args.query, PASSAGES_MAX)).await?;
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
    Ok(ToolAnswer::new("ok", text, json!({ "results": results })))
}

type ChunkHit = Hit<(Arc<KnowledgeDocument>, Arc<Chunk>)>;

/// Quoted as JSON, so that a passage keeps its lines and cannot end its own quotation.
fn line(found: &ChunkHit) -> String {
    let (document, chunk) = &found.item;
    let source = Value::from(document.source.as_str());
    let heading = match &chunk.heading {
        Some(heading) => format!(", {}", Value::from(heading.as_str())),
        None => String::new(),
    };
    format!("- {source}{heading}: {}\n", Value::from(chunk.content.as_str()))
}

fn data(found: &ChunkHit) -> Value {
    let (document, chunk) = &found.item;
    json!({
        "document_id": document.id.as_str(),
        "source": document.source,
        "title": document.title,
        "heading": chunk.heading,
        "content": chunk.content,
        "ordinal": chunk.ordinal,
        "score": found.score,
    })
}
