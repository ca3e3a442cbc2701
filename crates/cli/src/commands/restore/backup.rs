//! `recalld restore FILE`: restores a backup.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use recalld_memory::ports::Administration;
use recalld_store::sqlite::{Existing, OpenError, RestoreError, is_backup, restore};
use serde::Serialize;

use crate::arguments::quoted;
use crate::engine::{Access, Engine, is_empty};
use crate::failure::{Failure, chain};
use crate::output::{GOOD, Page, Show, escaped, plural};
use crate::session::Session;

/// Whether `raw` names a file: a backup, or anything that looks like a path.
pub(super) fn is_meant(session: &Session, raw: &str) -> bool {
    let written_as_path = raw.contains(['/', '\\']) || raw.ends_with(".db");
    let is_file = |file: &Path| is_backup(file) || is_archive(file);
    !raw.starts_with("key:") && (written_as_path || is_file(&session.path(Path::new(raw))))
}

/// Whether the file is an archive of `recalld export`, by its first bytes.
fn is_archive(path: &Path) -> bool {
    let mut head = [0; 4];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut head));
    read.is_ok() && head == *b"PK\x03\x04"
}

/// Restores the backup.
pub(super) async fn run(session: &Session, given: &Path, replace: bool) -> Result<(), Failure> {
    let file = session.path(given);
    let config = session.config()?;
    if config.values.database.url.is_some() {
        let message = "a database stores the memories, and it has backups of its own";
        return Err(
            Failure::bad_input("database", message).hint("use pg_restore, or the backups of your provider")
        );
    }
    if session.sender().is_some() {
        let message = "a server holds the data directory";
        return Err(Failure::failed("locked", message).hint("stop the server, then restore the backup"));
    }
    if is_archive(&file) {
        let message = format!("{} is an archive, not a backup", file.display());
        let hint = format!(
            "import it with `recalld import {}`",
            quoted(&given.display().to_string())
        );
        return Err(Failure::bad_input("archive", message).hint(hint));
    }
    let directory = config.data()?;
    if !file.exists() {
        return Err(Failure::not_found(format!("file not found: {}", file.display()))
            .hint("to restore a memory whose key looks like a path, write key:NAME"));
    }
    if replace
        && !is_empty(directory)
        && session.output.ask("Replace the memories of all users?") == Some(false)
    {
        return Err(Failure::failed("declined", "nothing was changed"));
    }
    let existing = match replace {
        true => Existing::Replace,
        false => Existing::Keep,
    };
    restore(directory, &file, existing)?;
    // Opening migrates the schema, and erases again users who were erased after the backup.
    let engine = Engine::open(config, Access::Write).await?;
    session.output.answer(&Done {
        restored: file.display().to_string(),
        users: count(&*engine.administration).await?,
    })
}

async fn count(administration: &dyn Administration) -> Result<usize, Failure> {
    const PAGE: usize = 10_000;
    let (mut users, mut after) = (0, None);
    loop {
        let page = administration.spaces(after.as_ref(), PAGE).await?;
        users += page.iter().filter(|space| space.user().is_some()).count();
        match page.last() {
            Some(last) => after = Some(last.clone()),
            None => return Ok(users),
        }
    }
}

#[derive(Debug, Serialize)]
struct Done {
    restored: String,
    users: usize,
}

impl Show for Done {
    fn show(&self, page: &mut Page) {
        let s = plural(self.users as u64);
        page.line(format_args!(
            "{GOOD}Restored{GOOD:#} {}: the memories of {} user{s}",
            escaped(&self.restored),
            self.users
        ));
    }
}

impl From<RestoreError> for Failure {
    fn from(error: RestoreError) -> Failure {
        let message = chain(&error);
        match error {
            RestoreError::Occupied { .. } => Failure::bad_input("occupied", message)
                .hint("back it up, then add --replace; or choose another directory with --data"),
            RestoreError::Open(OpenError::Foreign { .. }) => Failure::bad_input("foreign", message)
                .hint("nothing was changed; `recalld backup` creates backups"),
            RestoreError::Open(error) => error.into(),
            RestoreError::Damaged { .. } => Failure::failed("corrupt", message).hint("nothing was changed"),
            RestoreError::File { .. } => Failure::failed("restore", message).hint("nothing was changed"),
        }
    }
}
