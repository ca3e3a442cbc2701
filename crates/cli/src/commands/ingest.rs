//! `recalld ingest`: adds files to the knowledge base, which all users can search.

mod places;

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueHint};
use recalld_memory::ingest::{self, Format, Ingested, Upload};
use serde::Serialize;

use places::{GatheredFiles, former_source_of, gather, is_missing, source_of};

use super::RunCommand;
use crate::arguments::examples;
use crate::engine::Engine;
use crate::failure::{Failure, chain};
use crate::output::{BAD, CAUTION, FAINT, GOOD, Page, Show, escaped, plural};
use crate::session::Session;

/// Adds files to the knowledge base, which all users can search
///
/// Formats: Markdown, text, HTML, PDF, JSON and JSONL. Unchanged files are skipped and changed ones
/// are replaced. A file that cannot be read is reported, and the rest is ingested.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld ingest docs/",
    "recalld ingest handbook.pdf faq.jsonl",
    "recalld ingest docs/ --prune",
    "recalld ingest docs/old.md --prune    (if the file is gone)",
))]
pub(crate) struct Arguments {
    /// Files, or folders whose files to ingest
    #[arg(required = true, value_hint = ValueHint::AnyPath)]
    paths: Vec<PathBuf>,

    /// Removes documents in these folders or at these paths whose files no longer exist
    #[arg(long)]
    prune: bool,
}

impl RunCommand for Arguments {
    async fn run(self, session: &Session) -> Result<(), Failure> {
        let mut report = Report::default();
        let paths: Vec<PathBuf> = self.paths.iter().map(|path| session.path(path)).collect();
        let (missing, there): (Vec<&PathBuf>, Vec<&PathBuf>) =
            paths.iter().partition(|path| is_missing(path));
        let mut found = GatheredFiles::default();
        for path in &there {
            gather(path, &mut found);
        }
        let engine = session.write().await?;
        let meter = Meter::new(session, found.files.len());
        let mut sources = HashSet::new();
        for (done, file) in found.files.iter().enumerate() {
            meter.show(done, file);
            sources.insert(source_of(file));
            report.take(file, ingest(&engine, file).await);
        }
        meter.clear();
        for (folder, reason) in &found.closed {
            report.leave(folder, reason);
        }
        for path in missing {
            let gone = match (self.prune, former_source_of(path)) {
                (true, Some(prefix)) => prune(&engine, &prefix, &sources).await?,
                _ => 0,
            };
            report.pruned += gone;
            match (gone, self.prune) {
                (0, true) => report.leave(path, "file or folder not found, and no document came from it"),
                (0, false) => report.leave(path, "file or folder not found"),
                _ => {}
            }
        }
        for folder in there.iter().filter(|path| self.prune && path.is_dir()) {
            // The files of an unreadable folder may still exist.
            if !found.closed.iter().any(|(closed, _)| closed.starts_with(folder)) {
                report.pruned += prune(&engine, &source_of(folder), &sources).await?;
            }
        }
        session.output.answer(&report)?;
        report.verdict(&paths)
    }
}

/// Removes documents from below `prefix`, except those of the sources in `seen`. Returns how many
/// were removed.
async fn prune(engine: &Engine, prefix: &str, seen: &HashSet<String>) -> Result<usize, Failure> {
    let gone = ingest::prune(&engine.ports, &engine.shared_scope(), prefix, seen).await?;
    Ok(gone.len())
}

async fn ingest(engine: &Engine, file: &Path) -> Result<Ingested, String> {
    let source = source_of(file);
    let format = Format::of_source(&source).ok_or("unknown format (by its file name)")?;
    let mut bytes = Vec::new();
    let opened = fs::File::open(file).map_err(|error| error.to_string())?;
    let bound = Upload::BYTES_MAX as u64 + 1;
    opened
        .take(bound)
        .read_to_end(&mut bytes)
        .map_err(|error| error.to_string())?;
    let upload = Upload {
        source,
        title: None,
        format,
        bytes,
    };
    ingest::ingest(&engine.ports, &engine.shared_scope(), upload)
        .await
        .map_err(|error| chain(&error))
}

/// What was done with the files.
#[derive(Debug, Default, Serialize)]
struct Report {
    added: usize,
    replaced: usize,
    unchanged: usize,
    pruned: usize,
    chunks: u64,
    /// Files that could not be ingested, and why.
    broken: BTreeMap<String, String>,
}

impl Report {
    fn take(&mut self, file: &Path, ingested: Result<Ingested, String>) {
        match ingested {
            Ok(ingested) => {
                self.chunks += u64::from(ingested.document().chunks);
                match ingested {
                    Ingested::Added(_) => self.added += 1,
                    Ingested::Replaced(_) => self.replaced += 1,
                    Ingested::Unchanged(_) => self.unchanged += 1,
                }
            }
            Err(reason) => self.leave(file, &reason),
        }
    }

    fn leave(&mut self, path: &Path, reason: &str) {
        self.broken.insert(path.display().to_string(), reason.to_owned());
    }

    /// Fails if nothing was ingested, or if a path from the arguments was not. A file inside a
    /// folder may fail without failing the command.
    fn verdict(&self, named: &[PathBuf]) -> Result<(), Failure> {
        if self.broken.is_empty() {
            return Ok(());
        }
        if self.added + self.replaced + self.unchanged + self.pruned == 0 {
            return Err(Failure::failed("ingest", "nothing could be ingested"));
        }
        let named = named.iter().map(|path| path.display().to_string());
        match named.filter(|path| self.broken.contains_key(path)).count() {
            0 => Ok(()),
            1 => Err(Failure::failed(
                "ingest",
                "one of the given paths could not be ingested",
            )),
            several => {
                let message = format!("{several} of the given paths could not be ingested");
                Err(Failure::failed("ingest", message))
            }
        }
    }
}

impl Show for Report {
    fn show(&self, page: &mut Page) {
        let (added, replaced, unchanged) = (self.added, self.replaced, self.unchanged);
        page.line(format_args!(
            "{GOOD}{added} added{GOOD:#}, {replaced} replaced, {unchanged} unchanged, {} removed; {} chunk{}",
            self.pruned,
            self.chunks,
            plural(self.chunks)
        ));
        for (file, reason) in &self.broken {
            page.line(format_args!(
                "{BAD}skipped{BAD:#} {}: {}",
                escaped(file),
                escaped(reason)
            ));
        }
        let broken = self.broken.len();
        if 0 < broken {
            let s = plural(broken as u64);
            page.line(format_args!(
                "{CAUTION}{broken} path{s} could not be ingested.{CAUTION:#}"
            ));
        }
    }
}

/// Shows the progress, on a terminal only.
struct Meter {
    shown: bool,
    total: usize,
    began: Instant,
}

impl Meter {
    fn new(session: &Session, total: usize) -> Meter {
        let shown = !session.output.is_json() && std::io::stderr().is_terminal();
        Meter {
            shown,
            total,
            began: Instant::now(),
        }
    }

    fn show(&self, done: usize, file: &Path) {
        if !self.shown {
            return;
        }
        let seconds = self.began.elapsed().as_secs_f64();
        let rate = done as f64 / seconds.max(0.001);
        let left = if 0 < done {
            (self.total - done) as f64 / rate
        } else {
            0.0
        };
        let share = 20 * done / self.total.max(1);
        let bar = format!("{}{}", "█".repeat(share), "░".repeat(20 - share));
        let name = escaped(&file.file_name().unwrap_or_default().to_string_lossy()).to_string();
        anstream::eprint!(
            "\r\u{1b}[K{bar} {done}/{} {FAINT}{rate:.0}/s, {left:.0} s left  {name}{FAINT:#}",
            self.total
        );
    }

    fn clear(&self) {
        if self.shown {
            anstream::eprint!("\r\u{1b}[K");
        }
    }
}
