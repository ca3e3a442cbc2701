//! `recalld check`: whether the code still says what memories of a project rest on.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Args, ValueHint};
use recalld_memory::memory::Memory as Stored;
use recalld_wire::Memory;
use serde::Serialize;

use super::RunCommand;
use crate::arguments::examples;
use crate::coding::evidence::{self, Freshness};
use crate::coding::project::CodeProject;
use crate::failure::Failure;
use crate::memory_name::short_id;
use crate::output::{CAUTION, FAINT, GOOD, NAME, Page, Show, escaped, one_line};
use crate::session::Session;

/// Checks whether the code still says what memories of the project rest on
///
/// Looks at the evidence of each memory of the project. Ends with 1 if something has changed or is
/// gone, for CI and pre-push hooks. `recalld update` says anew what has changed, and `recalld
/// forget` hides it.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld check",
    "recalld check ~/src/app",
    "recalld check --json | jq -r '.stale[].memory.id'",
))]
pub(crate) struct Arguments {
    /// Directory of the project
    #[arg(default_value = ".", value_hint = ValueHint::DirPath)]
    directory: PathBuf,
}

impl RunCommand for Arguments {
    async fn run(self, session: &Session) -> Result<(), Failure> {
        let directory = session.path(&self.directory);
        if !directory.is_dir() {
            let message = format!("{} is no directory", directory.display());
            return Err(Failure::bad_input("project", message));
        }
        let project = CodeProject::of(&directory);
        let engine = session.read().await?.in_project(Some(project.label.clone()));
        let scope = engine.scope();
        let resting = evidence::resting(&engine, &scope).await?;
        let mut checked = Checked {
            project: project.label.to_string(),
            checked: resting.len(),
            stale: Vec::new(),
        };
        for memory in resting {
            checked.stale.extend(stale(&memory, &project.root, scope.now));
        }
        session.output.answer(&checked)?;
        match checked.stale.is_empty() {
            true => Ok(()),
            false => Err(Failure::reported(1)),
        }
    }
}

fn stale(memory: &Arc<Stored>, root: &Path, now: jiff::Timestamp) -> Option<Stale> {
    let freshness = evidence::of_memory(memory, root);
    let places = memory.evidence.iter();
    let changed = places.filter(|place| evidence::of(place, root) != Freshness::Fresh);
    let name = |place: &recalld_memory::memory::Evidence| match place.symbol() {
        Some(symbol) => format!("{}#{symbol}", place.path()),
        None => place.path().to_owned(),
    };
    (freshness != Freshness::Fresh).then(|| Stale {
        freshness,
        places: changed.map(name).collect(),
        memory: Memory::at(Arc::clone(memory), now),
    })
}

#[derive(Debug, Serialize)]
struct Checked {
    project: String,
    /// How many memories rest on files.
    checked: usize,
    stale: Vec<Stale>,
}

#[derive(Debug, Serialize)]
struct Stale {
    freshness: Freshness,
    places: Vec<String>,
    memory: Memory,
}

impl Show for Checked {
    fn show(&self, page: &mut Page) {
        for stale in &self.stale {
            let what = match stale.freshness {
                Freshness::Gone => "gone",
                _ => "changed",
            };
            let (id, places) = (short_id(stale.memory.id), stale.places.join(", "));
            let content = one_line(stale.memory.content.as_str());
            page.line(format_args!("{NAME}{id}{NAME:#} {}", escaped(&content)));
            page.line(format_args!(
                "  {CAUTION}{what}{CAUTION:#} {FAINT}{}{FAINT:#}",
                escaped(&places)
            ));
        }
        let (count, stale) = (self.checked, self.stale.len());
        let memories = format!(
            "{count} memor{} rest on files",
            if count == 1 { "y" } else { "ies" }
        );
        match stale {
            0 => page.line(format_args!("{GOOD}{memories}; nothing has changed.{GOOD:#}")),
            _ => page.line(format_args!("{memories}; {stale} may be stale.")),
        }
    }

    fn quiet(&self) -> String {
        let ids = self.stale.iter().map(|stale| format!("{}\n", stale.memory.id));
        ids.collect()
    }
}
