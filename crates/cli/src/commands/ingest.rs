//! `recalld ingest`: takes files into the knowledge base, which all users may search.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueHint};
use recalld_memory::change::Actor;
use recalld_memory::id::UserId;
use recalld_memory::knowledge::{self, Format, Ingested, Upload};
use recalld_memory::scope::Scope;
use serde::Serialize;

use crate::arguments::examples;
use crate::engine::Engine;
use crate::failure::{Failure, chain};
use crate::output::{BAD, CAUTION, FAINT, GOOD, Page, Show, escaped};
use crate::session::Session;

/// Takes files into the knowledge base, which all users may search
///
/// Markdown, text, HTML, PDF, JSON and JSONL. What has not changed is left alone, what has changed is replaced, and a file
/// that cannot be read is reported while the rest goes in.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld ingest docs/",
    "recalld ingest handbook.pdf faq.jsonl",
    "recalld ingest docs/ --prune",
))]
pub(crate) struct Arguments {
    /// Files, or folders with all files below them
    #[arg(required = true, value_hint = ValueHint::AnyPath)]
    paths: Vec<PathBuf>,

    /// Takes out documents of these folders whose files are gone
    #[arg(long)]
    prune: bool,
}

impl Arguments {
    /// Takes them in.
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        let mut report = Report::default();
        let mut files = Vec::new();
        let paths: Vec<PathBuf> = self.paths.iter().map(|path| session.path(path)).collect();
        for path in &paths {
            gather(path, &mut files, &mut report);
        }
        let engine = session.write()?;
        let meter = Meter::new(session, files.len());
        let mut sources = HashSet::new();
        for (done, file) in files.iter().enumerate() {
            meter.show(done, file);
            sources.insert(source_of(file));
            report.take(file, ingest(&engine, file).await);
        }
        meter.clear();
        if self.prune {
            for folder in paths.iter().filter(|path| path.is_dir()) {
                let prefix = source_of(folder);
                let gone = knowledge::prune(&engine.ports, &scope(&engine), &prefix, &sources).await?;
                report.pruned += gone.len();
            }
        }
        session.output.answer(&report)?;
        match report.broken.is_empty() || report.added + report.replaced + report.unchanged > 0 {
            true => Ok(()),
            false => Err(Failure::failed("ingest", "nothing could be taken in")),
        }
    }
}

/// Knowledge belongs to nobody: whoever may use this machine's data directory administers it.
fn scope(engine: &Engine) -> Scope {
    let by = UserId::new("administrator").expect("the word is a valid id");
    Scope::of_shared(by, Actor::new("cli"), engine.ports.clock.now())
}

async fn ingest(engine: &Engine, file: &Path) -> Result<Ingested, String> {
    let source = source_of(file);
    let format =
        Format::of_source(&source).ok_or("its name does not say that it is a format that is read")?;
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
    knowledge::ingest(&engine.ports, &scope(engine), upload)
        .await
        .map_err(|error| chain(&error))
}

/// One document a file, named the same wherever the command is run.
fn source_of(file: &Path) -> String {
    let full = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    full.display().to_string()
}

/// Finds the files at and below a path. Hidden ones and links are passed over.
fn gather(path: &Path, files: &mut Vec<PathBuf>, report: &mut Report) {
    if !path.is_dir() {
        files.push(path.to_owned());
        return;
    }
    let entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) => {
            report
                .broken
                .insert(path.display().to_string(), error.to_string());
            return;
        }
    };
    let mut below: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    below.sort();
    for entry in below {
        let hidden = entry
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with('.'));
        let known = entry.is_dir() || Format::of_source(&entry.display().to_string()).is_some();
        if !hidden && !entry.is_symlink() && known {
            gather(&entry, files, report);
        }
    }
}

/// What became of the files.
#[derive(Debug, Default, Serialize)]
struct Report {
    added: usize,
    replaced: usize,
    unchanged: usize,
    pruned: usize,
    chunks: u64,
    /// Files that could not be taken in, and why.
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
            Err(reason) => {
                self.broken.insert(file.display().to_string(), reason);
            }
        }
    }
}

impl Show for Report {
    fn show(&self, page: &mut Page) {
        let (added, replaced, unchanged) = (self.added, self.replaced, self.unchanged);
        page.line(format_args!(
            "{GOOD}{added} added{GOOD:#}, {replaced} replaced, {unchanged} unchanged, {} taken out; {} chunks",
            self.pruned, self.chunks
        ));
        for (file, reason) in &self.broken {
            page.line(format_args!(
                "{BAD}skipped{BAD:#} {}: {}",
                escaped(file),
                escaped(reason)
            ));
        }
        if !self.broken.is_empty() {
            page.line(format_args!(
                "{CAUTION}{} files could not be read.{CAUTION:#}",
                self.broken.len()
            ));
        }
    }
}

/// How far it has come, on a terminal only.
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
