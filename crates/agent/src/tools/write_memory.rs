//! `write_memory`: stores one statement under a key.

use std::sync::Arc;

use recalld_memory::memory::{Confidence, Content, Key, Memory, Origin, Source, Tier};
use recalld_memory::policy::duplicates;
use recalld_memory::recall::{self, Hit, Question};
use recalld_memory::remember::{self, Likeness, Reach, RememberError, Remembered, Statement};
use recalld_memory::scope::Scope;
use recalld_memory::validity::Period;
use recalld_memory::wiring::Ports;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::arguments::{invalid, read, schema_of};
use super::code::refuse_code;
use super::words::CategoryWord;
use super::{Hints, Tool, ToolAnswer, ToolError, ToolSet, listing};

pub(super) const TOOL: Tool = Tool {
    name: "write_memory",
    title: "Write a memory",
    set: ToolSet::Storage,
    description: include_str!("write_memory.md"),
    hints: Hints::ADDS,
    schema: |_| schema_of::<Args>(),
    run: |ports, scope, arguments| Box::pin(async move { run(ports, scope, read(arguments)?).await }),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// Short name, such as "role" or "opinion_on_crypto"
    key: String,
    /// What to remember, in words; no code
    value: String,
    category: CategoryWord,
    /// "daily" fades after 90 days
    durability: Durability,
    /// Where it came from, such as "discussion:42"
    source: Option<String>,
    /// Below 0.7 it becomes a daily note. Default: 1
    #[schemars(range(min = 0.0, max = 1.0))]
    confidence: Option<f64>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Durability {
    Durable,
    Daily,
}

async fn run(ports: &Ports, scope: &Scope, args: Args) -> Result<ToolAnswer, ToolError> {
    refuse_code("value", &args.value)?;
    let statement = statement(args)?;
    match remember::remember(ports, scope, statement).await {
        Ok(Remembered::Stored {
            memory,
            demoted,
            evicted,
        }) => {
            let similar = similar(ports, scope, &memory).await?;
            Ok(stored(
                &memory,
                demoted,
                evicted,
                &similar,
                ports.settings.tool_tokens_max,
            ))
        }
        Ok(Remembered::Duplicate { of, likeness }) => Ok(duplicate(&of, likeness)),
        Err(RememberError::Secret(secret)) => Ok(ToolAnswer::refused(secret)),
        Err(RememberError::Space(error)) => Err(error.into()),
    }
}

fn statement(args: Args) -> Result<Statement, ToolError> {
    let source = args.source.filter(|source| !source.trim().is_empty());
    Ok(Statement {
        key: Some(Key::new(&args.key).map_err(|e| invalid("key")(&e))?),
        content: Content::new(&args.value).map_err(|e| invalid("value")(&e))?,
        category: args.category.category(),
        tier: match args.durability {
            Durability::Durable => Tier::Durable,
            Durability::Daily => Tier::Daily,
        },
        confidence: Confidence::new(args.confidence.unwrap_or(1.0)).map_err(|e| invalid("confidence")(&e))?,
        origin: Origin::Assistant,
        source: source
            .map(|s| Source::new(&s))
            .transpose()
            .map_err(|e| invalid("source")(&e))?,
        period: Period::default(),
        reach: match args.category {
            CategoryWord::WorkContext => Reach::WhereSaid,
            _ => Reach::Everywhere,
        },
        evidence: Vec::new(),
    })
}

/// Finds what was known of the matter already, to be shown and never to refuse the write.
async fn similar(ports: &Ports, scope: &Scope, new: &Memory) -> Result<Vec<Hit<Arc<Memory>>>, ToolError> {
    const SHOWN_MAX: usize = 3;
    let question = Question::new(new.content.as_str(), 2 * SHOWN_MAX).uncounted();
    let mut found = recall::recall(ports, scope, &question).await?;
    let said =
        |found: &Hit<Arc<Memory>>| duplicates::alike(new.content.as_str(), found.item.content.as_str());
    let meant = |found: &Hit<Arc<Memory>>| {
        let meaning = found.parts.and_then(|parts| parts.meaning);
        meaning.is_some_and(|arm| duplicates::COSINE_MIN <= arm.raw)
    };
    found.retain(|found| found.item.id != new.id && (said(found) || meant(found)));
    found.truncate(SHOWN_MAX);
    Ok(found)
}

fn stored(
    memory: &Memory,
    demoted: bool,
    evicted: usize,
    similar: &[Hit<Arc<Memory>>],
    max_tokens: usize,
) -> ToolAnswer {
    let name = memory.short_name();
    let mut text = match demoted {
        true => format!(
            "Stored {name} as a daily note and not as a durable memory: confidence {} is below the threshold.\n",
            memory.confidence.value()
        ),
        false => format!("Stored {name} ({}, {}).\n", memory.category, memory.tier.as_str()),
    };
    if !similar.is_empty() {
        let memories = similar.iter().map(|found| found.item.as_ref());
        let title = "Similar entries exist; if one of them is outdated, call update_memory on it:";
        text.push_str(&listing::text(title, memories, max_tokens));
    }
    let similar: Vec<_> = similar.iter().map(|found| listing::data(&found.item)).collect();
    let data = json!({ "memory": listing::data(memory), "demoted": demoted, "evicted": evicted, "similar": similar });
    ToolAnswer::new("stored", text, data)
}

fn duplicate(of: &Memory, likeness: Likeness) -> ToolAnswer {
    let (reason, why) = match likeness {
        Likeness::SameStatement => ("same_statement", "it is remembered already"),
        Likeness::SameKey => ("same_key", "that key is taken"),
    };
    let text = format!(
        "Nothing stored: {why}. To change the entry, call update_memory with its key.\n{}",
        recalld_memory::render::memory_line(of)
    );
    ToolAnswer::new(
        "duplicate",
        text,
        json!({ "duplicate_of": listing::data(of), "reason": reason }),
    )
}
