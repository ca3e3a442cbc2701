//! `recalld audit`: the health of a memory.

use clap::Args;
use recalld_index::text::tokens;
use recalld_portability::audit::{Audit, AuditError, Finding, Kind, audit};
use serde::Serialize;

use crate::arguments::{Bearing, examples, number};
use crate::failure::Failure;
use crate::output::{CAUTION, FAINT, GOOD, NAME, Page, STRONG, Show, escaped, one_line};
use crate::session::Session;
use crate::wire::{Memory, Tokens, short_id};

/// Looks for memories that are double, contradicting, old, unused or secret
#[derive(Debug, Args)]
#[command(after_help = examples!("recalld audit", "recalld audit --json | jq '.findings[].kind'"))]
pub(crate) struct Arguments {
    /// How many of each kind to show
    #[arg(short = 'n', long, default_value_t = 5, value_parser = number::at_least::<usize>(0))]
    limit: usize,
}

impl Arguments {
    /// Looks.
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        tokens::warm_up();
        let engine = session.read()?;
        let scope = engine.scope();
        let found = audit(&engine.ports, &scope).await?;
        let bearing = session.output.bearing();
        session
            .output
            .answer(&Report::new(&found, scope.now, self.limit, bearing))
    }
}

#[derive(Debug, Serialize)]
struct Report {
    memories: usize,
    document_tokens: Tokens,
    document_tokens_max: usize,
    recalls_since: Option<String>,
    recalled: usize,
    findings: Vec<Found>,
}

#[derive(Debug, Serialize)]
struct Found {
    kind: &'static str,
    count: usize,
    examples: Vec<Example>,
}

#[derive(Debug, Serialize)]
struct Example {
    memory: Memory,
    like: Option<Memory>,
    suggestion: String,
}

impl Report {
    fn new(audit: &Audit, now: jiff::Timestamp, limit: usize, bearing: &Bearing) -> Report {
        let example = |kind: Kind, finding: &Finding| Example {
            memory: Memory::at(&finding.memory, now),
            like: finding.other.as_ref().map(|other| Memory::at(other, now)),
            suggestion: {
                let suggestion = kind.suggestion(short_id(&finding.memory.id.to_string()));
                let command = suggestion.strip_prefix("recalld ");
                command.map_or(suggestion.clone(), |rest| bearing.command(rest))
            },
        };
        let found = |(kind, all): (&Kind, &Vec<Finding>)| Found {
            kind: kind.as_str(),
            count: all.len(),
            examples: all
                .iter()
                .take(limit)
                .map(|finding| example(*kind, finding))
                .collect(),
        };
        Report {
            memories: audit.memories,
            document_tokens: audit.document_tokens.into(),
            document_tokens_max: audit.document_tokens_max,
            recalls_since: audit.recalls_since.map(|day| day.to_string()),
            recalled: audit.recalled,
            findings: audit.findings.iter().map(found).collect(),
        }
    }
}

impl Show for Report {
    fn show(&self, page: &mut Page) {
        let document = &self.document_tokens;
        match self.memories {
            1 => page.line("1 memory looked at."),
            many => page.line(format_args!("{many} memories looked at.")),
        }
        let tokens = document.cl100k_base.max(document.o200k_base);
        page.line(format_args!(
            "{tokens} of {} tokens of the memory document are taken.",
            self.document_tokens_max
        ));
        if let Some(day) = &self.recalls_since {
            page.line(format_args!("{} answered a question since {day}.", self.recalled));
        }
        if self.findings.is_empty() {
            page.line(format_args!("{GOOD}Nothing to complain about.{GOOD:#}"));
        }
        for Found {
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
            for Example {
                memory,
                like,
                suggestion,
            } in examples
            {
                let (name, said) = (memory.name(), one_line(&memory.content));
                page.line(format_args!("  {NAME}{name}{NAME:#} {said}"));
                if let Some(like) = like {
                    let said = one_line(&like.content);
                    page.line(format_args!("    {FAINT}like {} {said}{FAINT:#}", like.name()));
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
