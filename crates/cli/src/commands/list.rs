//! `recalld list`: lists memories, page by page.

use clap::Args;
use recalld_memory::as_of;
use recalld_memory::browse::{self, Filter, Showing};
use recalld_memory::id::MemoryId;
use recalld_memory::memory::{Category, Tier};
use recalld_wire::{Memory, MemoryPage, Standing};

use super::RunCommand;
use super::add::mistyped;
use crate::arguments::{SharedArgs, examples, number};
use crate::engine::ConversationIds;
use crate::failure::Failure;
use crate::input;
use crate::memory_name::short_id;
use crate::output::{CAUTION, Cell, FAINT, NAME, Page, Show, Table, ago};
use crate::session::Session;

/// Lists memories, newest first
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld list",
    "recalld list --category preference --limit 10",
    "recalld list --hidden",
    "recalld list --at 2026-03-01",
    "recalld list --json | jq -r '.memories[].content'",
))]
pub(crate) struct Arguments {
    /// Only memories of this category
    #[arg(short, long)]
    category: Option<String>,

    /// Only memories of this tier
    #[arg(short, long, value_parser = [Tier::Durable.as_str(), Tier::Daily.as_str()])]
    tier: Option<String>,

    /// Shows only forgotten and expired memories
    #[arg(long, conflicts_with = "all")]
    hidden: bool,

    /// Includes forgotten and expired memories
    #[arg(short, long)]
    all: bool,

    /// Shows the memories as of this time: a date (its end, UTC), or a date and time
    #[arg(long, value_name = "TIME", conflicts_with_all = ["hidden", "all", "after"])]
    at: Option<String>,

    /// Maximum number of memories
    #[arg(short = 'n', long, default_value_t = 50, value_parser = number::at_least::<usize>(1))]
    limit: usize,

    /// Goes on after this memory, which is the `next_page` of the page before
    #[arg(long, value_name = "ID")]
    after: Option<String>,

    #[command(flatten)]
    shared: SharedArgs,
}

impl RunCommand for Arguments {
    async fn run(self, session: &Session) -> Result<(), Failure> {
        let filter = Filter {
            category: self.category.as_deref().map(Category::new).transpose()?,
            tier: self.tier.as_deref().map(Tier::parse).transpose()?,
            showing: match (self.hidden, self.all) {
                (true, _) => Showing::Hidden,
                (false, true) => Showing::All,
                (false, false) => Showing::Current,
            },
            after: self.after.as_deref().map(MemoryId::parse).transpose()?,
            ..Filter::default()
        };
        let at = self.at.as_deref().map(input::time).transpose()?;
        let engine = session.read().await?;
        let scope = engine.selected_scope(self.shared, &ConversationIds::default());
        let found = match at {
            Some(at) => as_of::list(&engine.ports, &scope, at, &filter, self.limit).await?,
            None => browse::list(&engine.ports, &scope, &filter, self.limit).await?,
        };
        let listing = MemoryPage::new(found, at.unwrap_or(scope.now));
        session.output.answer(&listing)?;
        if let (0, Some(meant)) = (listing.total, self.category.as_deref().and_then(mistyped)) {
            session.output.note(&format!("did you mean --category {meant}?"));
        }
        Ok(())
    }
}

impl Show for MemoryPage {
    fn show(&self, page: &mut Page) {
        if self.total == 0 {
            page.line("No memories.");
            return;
        }
        write_memories(page, &self.memories);
        page.gap();
        let shown = self.memories.len();
        let memories = if self.total == 1 { "memory" } else { "memories" };
        let count = match shown == self.total {
            true => format!("{shown} {memories}"),
            false => format!("{shown} of {} {memories}", self.total),
        };
        let more = self
            .next_page
            .as_ref()
            .map(|next| format!("; more with --after {next}"))
            .unwrap_or_default();
        page.line(format_args!("{FAINT}{count}{more}{FAINT:#}"));
    }

    fn quiet(&self) -> String {
        self.memories
            .iter()
            .map(|memory| format!("{}\n", memory.id))
            .collect()
    }
}

/// Writes a table of memories.
pub(crate) fn write_memories(page: &mut Page, memories: &[Memory]) {
    let mut table = Table::new(["ID", "KEY", "CATEGORY", "LEARNED", "", "STATEMENT"]);
    for memory in memories {
        let mark = match (memory.standing(), memory.tier) {
            (Standing::Active, _) if memory.period.is_over(page.now) => "past",
            (Standing::Active, Tier::Daily) => "daily",
            (Standing::Active, _) => "",
            (standing, _) => standing.as_str(),
        };
        table.row([
            Cell::styled(FAINT, &short_id(memory.id)),
            Cell::styled(NAME, memory.key.as_ref().map_or("", |key| key.as_str())),
            Cell::plain(memory.category.as_str()),
            Cell::styled(FAINT, &ago(memory.learned_at, page.now, &page.zone)),
            Cell::styled(CAUTION, mark),
            Cell::plain(memory.content.as_str()),
        ]);
    }
    table.write(page);
}
