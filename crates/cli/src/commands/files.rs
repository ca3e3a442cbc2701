//! `recalld files`: memories as Markdown files in a folder, synchronised with the store in both
//! directions.

mod folder;
mod machine;
mod watch;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueHint};
use recalld_memory::change::Actor;
use recalld_memory::id::{Namespace, SpaceId, UserId};
use recalld_memory::scope::Scope;
use recalld_portability::erase::was_erased;
use recalld_portability::files::{Note, Past, SyncError, SyncFolder, folder_of, settle, space_of, sync};
use serde::Serialize;

use super::{Execution, RunCommand};
use crate::arguments::examples;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::output::{CAUTION, FAINT, GOOD, Page, Show, escaped, one_line};
use crate::session::Session;
use folder::Folder;
use machine::machine_name;

/// Synchronises memories with Markdown files in a folder, in both directions
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld files sync notes/",
    "recalld files sync notes/ --watch",
    "recalld files sync all-users/ --all",
))]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Stores what was edited in the folder, and writes what changed in the store
    ///
    /// MEMORY.md contains the durable memories, memory/YYYY-MM-DD.md the notes of a day. Lines can
    /// be changed, added, moved and removed; other text stays in place. Removed lines can be
    /// restored.
    Sync(Sync),
}

#[derive(Clone, Debug, Args)]
struct Sync {
    /// Folder of the files; created if it does not exist
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    folder: PathBuf,

    /// Keeps synchronising until it is interrupted
    #[arg(long)]
    watch: bool,

    /// Synchronises all users, each in a folder of their own
    #[arg(long)]
    all: bool,

    /// Prints nothing if nothing changed
    #[arg(long, hide = true)]
    changes_only: bool,
}

impl RunCommand for Arguments {
    fn execution(&self) -> Execution {
        let Action::Sync(sync) = &self.action;
        match sync.watch {
            // It runs here, and forwards each round by itself.
            true => Execution::Interactive,
            false => Execution::Forwarded,
        }
    }

    async fn run(self, session: &Session) -> Result<(), Failure> {
        let Action::Sync(sync) = self.action;
        match sync.watch {
            true => watch::run(session, &sync).await,
            false => sync.once(session).await,
        }
    }
}

impl Sync {
    async fn once(&self, session: &Session) -> Result<(), Failure> {
        let folder = session.path(&self.folder);
        let engine = session.write().await?;
        let mut report = Report::default();
        if !self.all {
            one_user(&engine, &engine.scope(), &Folder::open(&folder)?, &mut report).await?;
        } else {
            let mut spaces = every_space(&engine).await?;
            spaces.extend(erased_users(&engine, &folder)?);
            spaces.sort();
            spaces.dedup();
            for space in spaces {
                let (Some(scope), Some(own)) = (scope_of(&engine, &space), folder_of(&space)) else {
                    continue;
                };
                match Folder::inside(&folder, &own) {
                    Ok(own) => one_user(&engine, &scope, &own, &mut report).await?,
                    // One unusable folder does not prevent the others from being synchronised.
                    Err(failure) => report.notes.push(Notice {
                        kind: "unread",
                        file: own,
                        text: failure.message,
                    }),
                }
            }
        }
        match self.changes_only && report.written == 0 && report.notes.is_empty() {
            true => Ok(()),
            false => session.output.answer(&report),
        }
    }
}

async fn one_user(
    engine: &Engine,
    scope: &Scope,
    folder: &Folder,
    report: &mut Report,
) -> Result<(), Failure> {
    let past = match was_erased(&engine.eraser, scope.space()) {
        Ok(false) => Past::Whole,
        Ok(true) => Past::Erased,
        Err(error) => return Err(Failure::failed("erasures", error.to_string())),
    };
    let desk = SyncFolder::new(&machine_name(), &folder.name()?, past);
    let read = folder.read()?;
    let synced = sync(&engine.ports, scope, &desk, &read.found()).await?;
    let written = folder.write(&read, &synced.texts)?;
    settle(&engine.ports, scope, &desk, &synced, &written.agreed).await?;
    report.written += written.changed;
    report.notes.extend(synced.notes.into_iter().map(Notice::from));
    report
        .notes
        .extend(written.skipped.into_iter().map(|file| Notice {
            kind: "unread",
            file,
            text: "changed meanwhile; the next run synchronises it".to_owned(),
        }));
    Ok(())
}

/// Finds the folders of erased users, whose files are removed.
fn erased_users(engine: &Engine, folder: &Path) -> Result<Vec<SpaceId>, Failure> {
    let mut found = Vec::new();
    for own in folder::users_in(folder)? {
        let Some(space) = space_of(&own) else { continue };
        match was_erased(&engine.eraser, &space) {
            Ok(true) => found.push(space),
            Ok(false) => {}
            Err(error) => return Err(Failure::failed("erasures", error.to_string())),
        }
    }
    Ok(found)
}

async fn every_space(engine: &Engine) -> Result<Vec<SpaceId>, Failure> {
    const PAGE: usize = 1000;
    let (mut all, mut after) = (Vec::new(), None);
    loop {
        let page = engine.administration.spaces(after.as_ref(), PAGE).await?;
        match page.last() {
            Some(last) => after = Some(last.clone()),
            None => return Ok(all),
        }
        all.extend(page);
    }
}

fn scope_of(engine: &Engine, space: &SpaceId) -> Option<Scope> {
    let user = UserId::new(space.user()?).ok()?;
    let (actor, now) = (Actor::new("cli"), engine.ports.clock.now());
    Some(match space.namespace() {
        Some(namespace) => Scope::of_user_in(&Namespace::new(namespace).ok()?, user, actor, now),
        None => Scope::of_user(user, actor, now),
    })
}

/// What the synchronisation did.
#[derive(Debug, Default, Serialize)]
struct Report {
    /// How many files were written or removed.
    written: usize,
    notes: Vec<Notice>,
}

#[derive(Debug, Serialize)]
struct Notice {
    kind: &'static str,
    file: String,
    text: String,
}

impl From<Note> for Notice {
    fn from(note: Note) -> Notice {
        Notice {
            kind: note.kind.as_str(),
            file: note.file,
            text: note.text,
        }
    }
}

impl Show for Report {
    fn show(&self, page: &mut Page) {
        for Notice { kind, file, text } in &self.notes {
            let style = match *kind {
                "conflict" | "refused" | "unread" | "erased" => CAUTION,
                _ => GOOD,
            };
            page.line(format_args!(
                "{style}{kind}{style:#} {} {FAINT}({}){FAINT:#}",
                one_line(text),
                escaped(file)
            ));
        }
        match self.written {
            0 if !self.notes.is_empty() => {}
            0 => page.line("Everything is in sync."),
            1 => page.line("1 file written."),
            many => page.line(format_args!("{many} files written.")),
        }
    }
}

impl From<SyncError> for Failure {
    fn from(error: SyncError) -> Failure {
        match error {
            SyncError::Store(error) => error.into(),
            SyncError::Space(error) => error.into(),
        }
    }
}
