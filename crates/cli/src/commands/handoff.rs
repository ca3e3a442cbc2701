//! `recalld handoff`: the state of the work in a project, for whoever continues.

use std::path::Path;
use std::process::Command;

use clap::Args;
use recalld_memory::working_memory::{self, Of, Update, WorkingMemoryError};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::RunCommand;
use crate::arguments::examples;
use crate::coding::handoff;
use crate::coding::project::{CodeProject, head_commit};
use crate::failure::Failure;
use crate::output::{FAINT, GOOD, NAME, Page, Show, escaped, one_line};
use crate::session::Session;

/// The most files that are named by themselves.
const FILES_MAX: usize = 40;

/// Notes or shows the state of the work in this project, for whoever continues
///
/// With arguments, it takes the place of the last handoff; changed files and the commit are added
/// by themselves. The next session of a coding agent with hooks in this project starts with it.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld handoff --goal \"Move billing to the new API\" --open \"refunds still use the old one\"",
    "recalld handoff",
    "recalld handoff --clear",
))]
pub(crate) struct Arguments {
    /// What the work is for
    #[arg(long, value_name = "TEXT")]
    goal: Option<String>,

    /// What was decided; repeat for more
    #[arg(long = "decision", value_name = "TEXT")]
    decisions: Vec<String>,

    /// What is still to do; repeat for more
    #[arg(long, value_name = "TEXT")]
    open: Vec<String>,

    /// File that the work is about, instead of those that git lists as changed; repeat for more
    #[arg(long = "file", value_name = "PATH")]
    files: Vec<String>,

    /// Removes the handoff
    #[arg(long, conflicts_with_all = ["goal", "decisions", "open", "files"])]
    clear: bool,
}

impl RunCommand for Arguments {
    async fn run(self, session: &Session) -> Result<(), Failure> {
        let project = CodeProject::of(&session.path(Path::new(".")));
        let of = Of::Project(project.label.clone());
        let writes = self.clear || self.goal.is_some() || !self.decisions.is_empty() || !self.open.is_empty();
        if !writes {
            let engine = session.read().await?;
            let kept = handoff::read(&engine.ports, &engine.scope(), &project.label).await?;
            let Some(value) = kept else {
                return Err(Failure::not_found("there is no handoff for this project")
                    .hint("write one with --goal, --decision and --open"));
            };
            return session.output.answer(&Handoff { value });
        }
        let engine = session.write().await?;
        let scope = engine.scope();
        let (update, answer) = match self.clear {
            true => (Update::Clear, None),
            false => {
                let value = self.value(&project.root, scope.now);
                (Update::Replace(value.clone()), Some(Handoff { value }))
            }
        };
        working_memory::update(&engine.ports, &scope, &of, update, None)
            .await
            .map_err(refused)?;
        match answer {
            Some(written) => session.output.answer(&written),
            None => session.output.answer(&Cleared { cleared: true }),
        }
    }
}

impl Arguments {
    fn value(self, root: &Path, now: jiff::Timestamp) -> Value {
        let files = match self.files.is_empty() {
            true => changed_files(root),
            false => self.files,
        };
        let fields = [
            ("goal", json!(self.goal)),
            ("decisions", list(self.decisions)),
            ("open", list(self.open)),
            ("files", list(files)),
            ("commit", json!(head_commit(root))),
            ("at", json!(now.strftime("%Y-%m-%d %H:%M UTC").to_string())),
        ];
        let known = fields.into_iter().filter(|(_, value)| !value.is_null());
        Value::Object(
            known
                .map(|(name, value)| (name.to_owned(), value))
                .collect::<Map<_, _>>(),
        )
    }
}

fn list(texts: Vec<String>) -> Value {
    match texts.is_empty() {
        true => Value::Null,
        false => json!(texts),
    }
}

/// The files that git lists as changed; none without git.
fn changed_files(root: &Path) -> Vec<String> {
    let mut command = Command::new("git");
    command
        .arg("-C")
        .arg(root)
        .args(["status", "--porcelain", "--no-renames"]);
    let Ok(done) = command.output() else {
        return Vec::new();
    };
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    let names = text.lines().filter_map(|line| line.get(3..));
    names.take(FILES_MAX).map(str::to_owned).collect()
}

fn refused(error: WorkingMemoryError) -> Failure {
    match error {
        WorkingMemoryError::Space(error) => error.into(),
        other => Failure::bad_input("handoff", other.to_string()),
    }
}

#[derive(Debug, Serialize)]
#[serde(transparent)]
struct Handoff {
    value: Value,
}

#[derive(Debug, Serialize)]
struct Cleared {
    cleared: bool,
}

impl Show for Handoff {
    fn show(&self, page: &mut Page) {
        for field in handoff::FIELDS {
            match &self.value[field] {
                Value::String(text) => {
                    page.line(format_args!("{NAME}{field}{NAME:#} {}", escaped(&one_line(text))));
                }
                Value::Array(items) => {
                    page.line(format_args!("{NAME}{field}{NAME:#}"));
                    for item in items.iter().filter_map(Value::as_str) {
                        page.line(format_args!("  {FAINT}-{FAINT:#} {}", escaped(&one_line(item))));
                    }
                }
                _ => {}
            }
        }
    }
}

impl Show for Cleared {
    fn show(&self, page: &mut Page) {
        page.line(format_args!("{GOOD}The handoff is removed.{GOOD:#}"));
    }
}
