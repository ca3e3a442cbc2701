//! `read_memory`: lists memories, all or of one category, by page.

use std::sync::Arc;

use recalld_memory::memory::Memory;
use recalld_memory::scope::Scope;
use recalld_memory::space::SpaceView;
use recalld_memory::whole_number;
use recalld_memory::wiring::Ports;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::arguments::{limit, read, schema_of};
use super::words::CategoryFilter;
use super::{Hints, Tool, ToolAnswer, ToolError, ToolSet, listing};

pub(super) const TOOL: Tool = Tool {
    name: "read_memory",
    title: "List memories",
    set: ToolSet::Storage,
    description: include_str!("read_memory.md"),
    hints: Hints::READS,
    schema: |_| schema_of::<Args>(),
    run: |ports, scope, arguments| Box::pin(async move { run(ports, scope, read(arguments)?).await }),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// Default: all
    category: Option<CategoryFilter>,
    /// Default: 20
    #[schemars(range(min = 1, max = 200))]
    #[serde(default, deserialize_with = "whole_number::optional")]
    limit: Option<u64>,
    /// Default: 1
    #[schemars(range(min = 1, max = 1_000_000))]
    #[serde(default, deserialize_with = "whole_number::optional")]
    page: Option<u64>,
}

async fn run(ports: &Ports, scope: &Scope, args: Args) -> Result<ToolAnswer, ToolError> {
    let limit = limit(args.limit, 20, 200)?;
    let page = usize::try_from(args.page.unwrap_or(1)).unwrap_or(usize::MAX);
    if page == 0 {
        return Err(ToolError::arguments("argument \"page\": must be at least 1"));
    }
    let category = args.category.and_then(CategoryFilter::category);
    let look = |view: &SpaceView| {
        let wanted = |memory: &&Arc<Memory>| {
            category
                .as_ref()
                .is_none_or(|category| memory.category == *category)
        };
        let total = view.current(scope.lens()).filter(wanted).count();
        let skipped = (page - 1).saturating_mul(limit);
        let of_page = view.current(scope.lens()).rev().filter(wanted);
        let memories: Vec<Arc<Memory>> = of_page
            .skip(skipped)
            .take(limit)
            .map(|memory| view.shown(memory))
            .collect();
        (total, memories)
    };
    let (total, memories) = ports.spaces.read(scope.space(), look).await?;
    let place = category
        .as_ref()
        .map_or_else(String::new, |name| format!(" in {name}"));
    let pages = total.div_ceil(limit);
    let text = match memories.is_empty() {
        true if total == 0 => format!("Nothing is remembered{place}."),
        true => format!("There is no page {page}; the last one is {pages}."),
        false => {
            let title = match pages {
                1 => format!("Remembered{place}, the newest first:"),
                _ => format!("Remembered{place}, the newest first, page {page} of {pages}:"),
            };
            let all = memories.iter().map(Arc::as_ref);
            listing::text(&title, all, ports.settings.tool_tokens_max)
        }
    };
    let memories: Vec<_> = memories.iter().map(|memory| listing::data(memory)).collect();
    let category = category.as_ref().map_or("all", |category| category.as_str());
    Ok(ToolAnswer::new(
        "ok",
        text,
        json!({ "category": category, "memories": memories, "total": total, "page": page, "pages": pages }),
    ))
}
