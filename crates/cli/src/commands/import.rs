//! `recalld import`: imports an archive, or the export of another product.

use std::fs::File;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueHint};
use jiff::Timestamp;
use recalld_portability::archive::{
    self, Fault, ImportError, Imported, Limits, Mode, Observer, Progress, Signer, Staged,
};
use recalld_portability::import::{Format, OpenError, open};
use serde::Serialize;

use super::RunCommand;
use crate::arguments::examples;
use crate::failure::Failure;
use crate::output::{BAD, CAUTION, FAINT, GOOD, Page, Show, escaped};
use crate::session::Session;

/// Imports an archive of `recalld export`, or memories from another product
///
/// Formats: mem0, the MCP memory server, ChatGPT and Claude data exports, LangGraph stores, CSV and
/// plain text. Existing memories stay as they are, and importing the same file again changes
/// nothing. A line that cannot be imported is reported, and the rest is imported.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld import ana.zip --dry-run",
    "recalld import mem0.json",
    "recalld import facts.csv --from csv --user ana",
))]
pub(crate) struct Arguments {
    /// File to import
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: PathBuf,

    /// Format of the file, if it cannot be detected
    #[arg(long, value_name = "FORMAT", value_parser = ["mem0", "mcp-memory", "chatgpt", "claude", "langgraph", "csv", "text"])]
    from: Option<String>,

    /// Shows what would be imported, and imports nothing
    #[arg(long)]
    dry_run: bool,
}

impl RunCommand for Arguments {
    async fn run(self, session: &Session) -> Result<(), Failure> {
        let file = session.path(&self.file);
        let from = self.from.as_deref().and_then(Format::parse);
        let engine = session.write().await?;
        let scope = engine.scope();
        let contents = contents(&file, from, scope.now, archive::signer(&engine.eraser).as_ref())?;
        let mode = match self.dry_run {
            true => Mode::DryRun,
            false => Mode::Write,
        };
        let shown = !session.output.is_json() && std::io::stderr().is_terminal();
        let observer = Arc::new(ProgressBar { shown });
        let imported = archive::import(&engine.ports, &scope, contents, mode, observer).await;
        if shown {
            anstream::eprint!("\r\u{1b}[K");
        }
        let report = Report::new(imported?, self.dry_run);
        session.output.answer(&report)?;
        match report.is_refused() {
            true => Err(Failure::failed("import", "nothing could be imported")),
            false => Ok(()),
        }
    }
}

/// Shows on a terminal how far the import is.
struct ProgressBar {
    shown: bool,
}

impl Observer for ProgressBar {
    fn progress(&self, Progress { done, total, .. }: &Progress) {
        if self.shown {
            let share = (20 * done / total.max(&1)) as usize;
            let bar = format!("{}{}", "█".repeat(share), "░".repeat(20 - share));
            anstream::eprint!("\r\u{1b}[K{bar} {done}/{total}");
        }
    }
}

fn contents(
    file: &Path,
    from: Option<Format>,
    now: Timestamp,
    signer: Option<&Signer>,
) -> Result<Staged, Failure> {
    let unreadable = |error: std::io::Error| {
        Failure::bad_input("input", format!("cannot read {}: {error}", file.display()))
    };
    let opened = File::open(file).map_err(unreadable)?;
    let name = file
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    open(opened, &name, from, now, &Limits::default(), signer).map_err(|error| match error {
        OpenError::Read(error) => unreadable(error),
        error => Failure::from(error),
    })
}

#[derive(Debug, Serialize)]
struct Report {
    dry_run: bool,
    imported: Vec<Row>,
    faults: Vec<Skipped>,
}

#[derive(Debug, Serialize)]
struct Row {
    kind: &'static str,
    added: u64,
    known: u64,
    kept: u64,
    /// How many of those that are kept are hidden.
    hidden: u64,
    refused: u64,
}

impl Row {
    fn is_empty(&self) -> bool {
        self.added + self.known + self.kept + self.refused == 0
    }
}

#[derive(Debug, Serialize)]
struct Skipped {
    place: String,
    reason: String,
}

impl Report {
    fn new(imported: Imported, dry_run: bool) -> Report {
        let row = |(kind, tally): (&'static str, archive::Tally)| Row {
            kind,
            added: tally.added,
            known: tally.known,
            kept: tally.kept,
            hidden: tally.hidden,
            refused: tally.refused,
        };
        let skipped = |Fault { place, reason }: Fault| Skipped { place, reason };
        Report {
            dry_run,
            imported: imported.kinds.into_iter().map(row).collect(),
            faults: imported.faults.into_iter().map(skipped).collect(),
        }
    }

    /// Whether everything was left out.
    fn is_refused(&self) -> bool {
        let taken = |row: &Row| row.added + row.known + row.kept;
        !self.faults.is_empty() && self.imported.iter().map(taken).sum::<u64>() == 0
    }
}

/// The most faults that are listed; `--json` lists all.
const FAULTS_SHOWN: usize = 20;

impl Show for Report {
    fn show(&self, page: &mut Page) {
        if self.imported.iter().all(Row::is_empty) && self.faults.is_empty() {
            page.line("The file contains nothing to import.");
        }
        for row in self.imported.iter().filter(|row| !row.is_empty()) {
            let parts = [
                (row.added, "new"),
                (row.known, "already stored"),
                (row.hidden, "hidden and not restored"),
                (row.kept - row.hidden, "different and not overwritten"),
                (row.refused, "refused"),
            ];
            let counts: Vec<String> = parts
                .iter()
                .filter(|(count, _)| 0 < *count)
                .map(|(count, what)| format!("{count} {what}"))
                .collect();
            page.line(format_args!(
                "  {:<14} {GOOD}{}{GOOD:#}",
                row.kind,
                counts.join(", ")
            ));
        }
        if self.imported.iter().any(|row| 0 < row.hidden) {
            let hint = "`recalld list --hidden` shows hidden memories, `recalld restore MEMORY` restores one";
            let hint = page.prefix.complete(hint);
            page.line(format_args!("  {FAINT}{}{FAINT:#}", escaped(&hint)));
        }
        for Skipped { place, reason } in self.faults.iter().take(FAULTS_SHOWN) {
            page.line(format_args!(
                "{BAD}skipped{BAD:#} {}: {}",
                escaped(place),
                escaped(reason)
            ));
        }
        if FAULTS_SHOWN < self.faults.len() {
            let more = self.faults.len() - FAULTS_SHOWN;
            page.line(format_args!("{FAINT}and {more} more; --json lists all{FAINT:#}"));
        }
        if self.dry_run {
            page.line(format_args!("{CAUTION}Dry run: nothing was imported.{CAUTION:#}"));
        }
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Failure {
        let (code, hint) = match &error {
            OpenError::Read(_) => ("input", "nothing was changed"),
            OpenError::Archive(_) => ("archive", "nothing was changed"),
            OpenError::Foreign => (
                "archive",
                "extract the file to import, and name its format with --from",
            ),
            OpenError::Unlike(_) => ("format", "nothing was changed"),
            OpenError::Unknown { .. } => (
                "format",
                "name the format with --from (mem0, mcp-memory, chatgpt, claude, langgraph, csv, text)",
            ),
            OpenError::NotText { .. } => ("invalid_utf8", "save the file as UTF-8"),
        };
        Failure::bad_input(code, error.to_string()).hint(hint)
    }
}

impl From<ImportError> for Failure {
    fn from(error: ImportError) -> Failure {
        match error {
            ImportError::Store(error) => error.into(),
            ImportError::Space(error) => error.into(),
            ImportError::Erased => Failure::failed("erased", error.to_string()),
            ImportError::Staging(_) => Failure::failed("input", crate::failure::chain(&error)),
        }
    }
}
