//! `recalld audit`: finds memories that need attention.

use clap::Args;
use recalld_index::text::tokens;
use recalld_memory::id::MemoryId;
use recalld_portability::audit::{AuditError, Kind, audit};
use recalld_wire::{AuditExample, AuditFinding, AuditReport};

use super::RunCommand;
use crate::arguments::{examples, number};
use crate::failure::Failure;
use crate::memory_name::{memory_name, short_id};
use crate::output::{CAUTION, FAINT, GOOD, NAME, Page, STRONG, Show, escaped, one_line};
use crate::session::Session;

/// Finds duplicate, contradictory, stale, unused or secret-looking memories
#[derive(Debug, Args)]
#[command(after_help = examples!("recalld audit", "recalld audit --json | jq '.findings[].kind'"))]
pub(crate) struct Arguments {
    /// Number of examples of each kind
    #[arg(short = 'n', long, default_value_t = 5, value_parser = number::at_least::<usize>(0))]
    limit: usize,
}

impl RunCommand for Arguments {
    async fn run(self, session: &Session) -> Result<(), Failure> {
        tokens::warm_up();
        let engine = session.read().await?;
        let scope = engine.scope();
        let found = audit(&engine.ports, &scope).await?;
        let prefix = session.output.prefix();
        let suggest = |kind: Kind, id: MemoryId| {
            let suggestion = kind.suggestion(&short_id(id));
            let command = suggestion.strip_prefix("recalld ");
            command.map_or(suggestion.clone(), |rest| prefix.command(rest))
        };
        session
            .output
            .answer(&AuditReport::new(&found, scope.now, self.limit, suggest))
    }
}

impl Show for AuditReport {
    fn show(&self, page: &mut Page) {
        match self.memories {
            1 => page.line("1 memory checked."),
            many => page.line(format_args!("{many} memories checked.")),
        }
        let tokens = self.document_tokens_cl100k.max(self.document_tokens_o200k);
        page.line(format_args!(
            "The memory document uses {tokens} of {} tokens.",
            self.document_tokens_max
        ));
        if let Some(day) = &self.recalls_since {
            page.line(format_args!("{} recalled since {day}.", self.recalled));
        }
        if self.findings.is_empty() {
            page.line(format_args!("{GOOD}No problems found.{GOOD:#}"));
        }
        for AuditFinding {
            kind,
            count,
            examples,
        } in &self.findings
        {
            page.gap();
            let kind = kind.replace('_', " ");
            page.line(format_args!(
                "{STRONG}{kind}{STRONG:#} {CAUTION}{count}{CAUTION:#}"
            ));
            for AuditExample {
                memory,
                like,
                suggestion,
            } in examples
            {
                let (name, said) = (memory_name(memory), one_line(memory.content.as_str()));
                page.line(format_args!("  {NAME}{name}{NAME:#} {said}"));
                if let Some(like) = like {
                    let said = one_line(like.content.as_str());
                    page.line(format_args!(
                        "    {FAINT}similar to {} {said}{FAINT:#}",
                        memory_name(like)
                    ));
                }
                page.line(format_args!("    {FAINT}{}{FAINT:#}", escaped(suggestion)));
            }
        }
    }
}

impl From<AuditError> for Failure {
    fn from(error: AuditError) -> Failure {
        match error {
            AuditError::Store(error) => error.into(),
            AuditError::Space(error) => error.into(),
        }
    }
}
