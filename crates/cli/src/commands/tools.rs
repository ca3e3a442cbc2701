//! `recalld tools`: the tools for models.

use clap::Args;
use clap::builder::PossibleValuesParser;
use recalld_agent::tools::{self, Format, ToolSet};
use serde::Serialize;

use super::{Execution, RunCommand};
use crate::arguments::examples;
use crate::failure::Failure;
use crate::output::{Cell, FAINT, NAME, Page, Show, Table, escaped};
use crate::session::Session;

/// Lists the tools for models, or exports them in the format of a provider
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld tools",
    "recalld tools --format openai > tools.json",
    "recalld tools --format anthropic --set storage",
))]
pub(crate) struct Arguments {
    /// Exports the tools for this provider or protocol, as a JSON array
    #[arg(short, long, value_parser = PossibleValuesParser::new(Format::ALL.map(Format::as_str)))]
    format: Option<String>,

    /// Only tools of this set; can be repeated
    #[arg(short, long = "set", value_delimiter = ',',
        value_parser = PossibleValuesParser::new(ToolSet::ALL.map(ToolSet::as_str)))]
    sets: Vec<String>,
}

impl RunCommand for Arguments {
    fn execution(&self) -> Execution {
        Execution::Local
    }

    async fn run(self, session: &Session) -> Result<(), Failure> {
        let sets: Vec<ToolSet> = self.sets.iter().filter_map(|name| ToolSet::parse(name)).collect();
        if let Some(format) = self.format.as_deref().and_then(Format::parse) {
            let settings = session.config()?.values.memory_settings()?;
            return session.output.json(&tools::export(format, &sets, &settings));
        }
        let tools = tools::of_sets(&sets).map(|tool| Entry {
            name: tool.name,
            set: tool.set.as_str(),
            title: tool.title,
            read_only: tool.hints.read_only,
            description: tool.description.trim(),
        });
        session.output.answer(&Listing {
            tools: tools.collect(),
        })
    }
}

#[derive(Debug, Serialize)]
struct Listing {
    tools: Vec<Entry>,
}

#[derive(Debug, Serialize)]
struct Entry {
    name: &'static str,
    set: &'static str,
    title: &'static str,
    read_only: bool,
    description: &'static str,
}

impl Show for Listing {
    fn show(&self, page: &mut Page) {
        let mut table = Table::new(["TOOL", "SET", "", "DESCRIPTION"]);
        for tool in &self.tools {
            table.row([
                Cell::styled(NAME, tool.name),
                Cell::plain(tool.set),
                Cell::styled(FAINT, if tool.read_only { "reads" } else { "writes" }),
                Cell::plain(tool.title),
            ]);
        }
        table.write(page);
        page.gap();
        let call = page.prefix.command("tool NAME 'JSON'");
        page.line(format_args!(
            "{FAINT}Call a tool with: {}{FAINT:#}",
            escaped(&call)
        ));
    }

    fn quiet(&self) -> String {
        self.tools.iter().map(|tool| format!("{}\n", tool.name)).collect()
    }
}
