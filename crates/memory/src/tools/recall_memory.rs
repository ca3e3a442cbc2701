//! `recall_memory`: finds memories of the user, and global ones.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::arguments::{read, said, schema_of};
use super::{Answer, Hints, Tool, ToolError, ToolSet, listing};
use crate::memory::Memory;
use crate::ports::Ports;
use crate::recall::{self, Question, Reach};
use crate::scope::Scope;
use crate::text::plain::shorten;

pub(super) const TOOL: Tool = Tool {
    name: "recall_memory",
    title: "Recall memories",
    set: ToolSet::Semantic,
    description: include_str!("recall_memory.md"),
    hints: Hints::READS,
    schema: |_| schema_of::<Args>(),
    run: |ports, scope, arguments| Box::pin(async move { run(ports, scope, read(arguments)?).await }),
};

/// How many memories are recalled at once.
const MEMORIES_MAX: usize = 8;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// What you want to know, such as "how does the user like to travel?"
    query: String,
}

async fn run(ports: &Ports, scope: &Scope, args: Args) -> Result<Answer, ToolError> {
    said("query", &args.query)?;
    let question = Question::new(args.query, MEMORIES_MAX);
    let found = recall::recall_with_global(ports, scope, &question).await?;
    let own = found.iter().filter(|(_, reach)| *reach == Reach::Own);
    ports.recalls.note(scope, own.map(|(found, _)| found.memory.id));
    let text = match found.is_empty() {
        true => format!("Nothing is remembered about {:?}.", shorten(&question.text, 80)),
        false => {
            let lines = found
                .iter()
                .map(|(found, reach)| line(&found.memory, *reach))
                .collect();
            listing::lines(
                "Remembered, the best match first:",
                lines,
                ports.settings.tool_tokens_max,
            )
        }
    };
    let results: Vec<Value> = found
        .iter()
        .map(|(found, reach)| {
            let mut data = listing::data(&found.memory);
            data["score"] = json!(found.score);
            data["global"] = json!(*reach == Reach::Global);
            data
        })
        .collect();
    Ok(Answer::new("ok", text, json!({ "results": results })))
}

fn line(memory: &Memory, reach: Reach) -> String {
    let line = crate::render::memory_line(memory);
    match reach {
        Reach::Own => line,
        Reach::Global => format!("{} (for everybody)\n", line.trim_end()),
    }
}
