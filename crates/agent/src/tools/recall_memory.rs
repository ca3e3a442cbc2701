//! `recall_memory`: finds memories of the user, and global ones.

use std::sync::Arc;

use recalld_index::text::plain::shorten;
use recalld_memory::id::MemoryId;
use recalld_memory::memory::Memory;
use recalld_memory::recall::{self, Item, ItemKind, Question, Reach};
use recalld_memory::scope::Scope;
use recalld_memory::space::{SpaceError, SpaceView};
use recalld_memory::wiring::Ports;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::arguments::{read, said, schema_of};
use super::{Hints, Tool, ToolAnswer, ToolError, ToolSet, listing};

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

/// How many standing wishes come with them.
const WISHES_MAX: usize = 4;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// What you want to know, such as "how does the user like to travel?"
    query: String,
}

async fn run(ports: &Ports, scope: &Scope, args: Args) -> Result<ToolAnswer, ToolError> {
    said("query", &args.query)?;
    let question = Question {
        kinds: vec![ItemKind::Memory],
        ..Question::new(args.query, MEMORIES_MAX)
    };
    let hits = recall::search(ports, scope, &question).await?;
    let mut wishes = standing_wishes(ports, scope, &question.text).await?;
    wishes.retain(|wish| !hits.iter().any(|hit| is_own(&hit.item, wish.id)));
    let found: Vec<(&Memory, Reach, f32)> = hits
        .iter()
        .filter_map(|hit| match &hit.item {
            Item::Memory(memory, reach) => Some((&**memory, *reach, hit.score)),
            _ => None,
        })
        .collect();
    let text = match found.is_empty() && wishes.is_empty() {
        true => format!("Nothing is remembered about {:?}.", shorten(&question.text, 80)),
        false => {
            let lines = found
                .iter()
                .map(|(memory, reach, _)| line(memory, *reach))
                .chain(wishes.iter().map(|wish| line(wish, Reach::Own)))
                .collect();
            listing::lines(
                "Remembered, the best match first:",
                lines,
                ports.settings.tool_tokens_max,
            )
        }
    };
    let mut results: Vec<Value> = found
        .iter()
        .map(|(memory, reach, score)| {
            let mut data = listing::data(memory);
            data["score"] = json!(score);
            data["global"] = json!(*reach == Reach::Global);
            data
        })
        .collect();
    results.extend(wishes.iter().map(|wish| {
        let mut data = listing::data(wish);
        data["standing"] = json!(true);
        data["global"] = json!(false);
        data
    }));
    Ok(ToolAnswer::new("ok", text, json!({ "results": results })))
}

/// Finds the wishes of the user that bear on a query whatever its words.
async fn standing_wishes(ports: &Ports, scope: &Scope, query: &str) -> Result<Vec<Arc<Memory>>, SpaceError> {
    let look = |view: &SpaceView| {
        let wishes = view.wishes_on(query, scope.lens()).into_iter();
        wishes.take(WISHES_MAX).cloned().collect()
    };
    ports.spaces.read(scope.space(), look).await
}

fn is_own(item: &Item, id: MemoryId) -> bool {
    matches!(item, Item::Memory(memory, Reach::Own) if memory.id == id)
}

fn line(memory: &Memory, reach: Reach) -> String {
    let line = recalld_memory::render::memory_line(memory);
    match reach {
        Reach::Own => format!("{} (id {})\n", line.trim_end(), memory.id.short()),
        Reach::Global => format!("{} (for everybody)\n", line.trim_end()),
    }
}
