//! `recalld search`: finds memories that match a query.

use std::sync::Arc;

use clap::Args;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use recalld_memory::memory::{self, Category, Tier};
use recalld_memory::recall::{self, Question, recall};
use recalld_memory::render::period_mark;
use recalld_wire::{Memory, WireValidity};
use serde::Serialize;

use super::RunCommand;
use super::add::mistyped;
use crate::arguments::{examples, number};
use crate::failure::{Failure, shortened};
use crate::input;
use crate::memory_name::short_id;
use crate::output::{Cell, FAINT, NAME, Page, Show, Table, ago};
use crate::session::Session;

/// Finds memories, best match first
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld search \"seat preference\"",
    "recalld search rust --category reading_history -n 3",
    "recalld search flight --since 2026-01-01 --json",
))]
pub(crate) struct Arguments {
    /// What to look for; `-` reads it from standard input
    query: String,

    /// Only memories of this category
    #[arg(short, long)]
    category: Option<String>,

    /// Only memories of this tier
    #[arg(short, long, value_parser = [Tier::Durable.as_str(), Tier::Daily.as_str()])]
    tier: Option<String>,

    /// Maximum number of results
    #[arg(short = 'n', long, default_value_t = 10, value_parser = number::between::<usize>(1, Question::LIMIT_MAX))]
    limit: usize,

    /// Only memories learned at or after this time (RFC 3339) or day (UTC)
    #[arg(long, value_name = "TIME")]
    since: Option<String>,

    /// Only memories learned before this time or day
    #[arg(long, value_name = "TIME")]
    until: Option<String>,

    /// Only what was known at this time or day, what held then first
    #[arg(long, value_name = "TIME")]
    as_of: Option<String>,
}

impl RunCommand for Arguments {
    async fn run(self, session: &Session) -> Result<(), Failure> {
        let question = Question {
            category: self.category.as_deref().map(Category::new).transpose()?,
            tier: self.tier.as_deref().map(Tier::parse).transpose()?,
            since: self
                .since
                .as_deref()
                .map(|raw| time("--since", raw))
                .transpose()?,
            until: self
                .until
                .as_deref()
                .map(|raw| time("--until", raw))
                .transpose()?,
            as_of: self.as_of.as_deref().map(input::time).transpose()?,
            fills: true,
            ..Question::new(input::question("query", self.query)?, self.limit)
        };
        let engine = session.read().await?;
        let scope = engine.scope();
        let found = recall(&engine.ports, &scope, &question).await?;
        let hit = |found: &recall::Hit<Arc<memory::Memory>>| Hit {
            score: found.score,
            weak: found.weak,
            validity: found.validity.map(WireValidity::from),
            memory: Memory::at(Arc::clone(&found.item), scope.now),
        };
        let results = Results {
            results: found.iter().map(hit).collect(),
        };
        session.output.answer(&results)?;
        if let (true, Some(meant)) = (found.is_empty(), self.category.as_deref().and_then(mistyped)) {
            session.output.note(&format!("did you mean --category {meant}?"));
        }
        Ok(())
    }
}

/// Parses a time, or a day as its beginning in UTC.
fn time(what: &str, raw: &str) -> Result<Timestamp, Failure> {
    let day = || {
        raw.parse::<Date>()
            .ok()?
            .to_zoned(TimeZone::UTC)
            .ok()
            .map(|start| start.timestamp())
    };
    raw.parse().ok().or_else(day).ok_or_else(|| {
        let message = format!(
            "the value of {what} is {:?}, which is not a date or time",
            shortened(raw)
        );
        Failure::bad_input("invalid_time", message).hint("for example 2026-03-01 or 2026-03-01T12:00:00Z")
    })
}

/// The results.
#[derive(Debug, Serialize)]
struct Results {
    results: Vec<Hit>,
}

/// One memory and its score.
#[derive(Debug, Serialize)]
struct Hit {
    score: f32,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    weak: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    validity: Option<WireValidity>,
    #[serde(flatten)]
    memory: Memory,
}

impl Show for Results {
    fn show(&self, page: &mut Page) {
        if self.results.is_empty() {
            page.line("Nothing found.");
            return;
        }
        let mut table = Table::new(["SCORE", "ID", "KEY", "CATEGORY", "LEARNED", "STATEMENT"]);
        for Hit { score, memory, .. } in &self.results {
            let statement = match period_mark(memory) {
                Some(mark) => format!("{} ({mark})", memory.content.as_str()),
                None => memory.content.as_str().to_owned(),
            };
            table.row([
                Cell::styled(FAINT, &format!("{score:>5.2}")),
                Cell::styled(FAINT, &short_id(memory.id)),
                Cell::styled(NAME, memory.key.as_ref().map_or("", |key| key.as_str())),
                Cell::plain(memory.category.as_str()),
                Cell::styled(FAINT, &ago(memory.learned_at, page.now, &page.zone)),
                Cell::plain(&statement),
            ]);
        }
        table.write(page);
    }

    fn quiet(&self) -> String {
        self.results
            .iter()
            .map(|hit| format!("{}\n", hit.memory.id))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_times_are_understood() {
        let at = |raw| time("--since", raw).map(|time| time.to_string()).ok();
        assert_eq!(at("2026-03-01").as_deref(), Some("2026-03-01T00:00:00Z"));
        assert_eq!(
            at("2026-03-01T12:00:00+01:00").as_deref(),
            Some("2026-03-01T11:00:00Z")
        );
        for bad in ["", "soon", "2026-13-01", "-9999-01-01", "9999-12-31x"] {
            assert_eq!(at(bad), None, "{bad}");
        }
    }
}
