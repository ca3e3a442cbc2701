//! `recalld erase`: removes everything a user has, for good.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use recalld_memory::id::{Namespace, UserId};
use recalld_memory::scope::Scope;
use recalld_portability::erase::{self, ErasedKind, Receipt};
use serde::Serialize;

use crate::arguments::examples;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::output::{CAUTION, FAINT, GOOD, NAME, Page, Show, escaped};
use crate::session::Session;

/// Removes everything a user has, for good: memories, history, conversations, files' bases, keys
///
/// The answer is a receipt, the only thing that is kept. A backup from before does not bring the
/// user back.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld erase --user ana --dry-run",
    "recalld erase --user ana --yes --json > receipt.json",
    "recalld erase --verify receipt.json",
))]
pub(crate) struct Arguments {
    /// Only tells what would be removed
    #[arg(long)]
    dry_run: bool,

    /// Does not ask
    #[arg(short, long)]
    yes: bool,

    /// Namespace of the user
    #[arg(long)]
    namespace: Option<String>,

    /// Tells whether a receipt is genuine, and erases nothing
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["dry_run", "yes"])]
    verify: Option<PathBuf>,
}

impl Arguments {
    /// Erases.
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
        if let Some(file) = &self.verify {
            return verify(session, &session.path(file));
        }
        let user = UserId::new(&session.config()?.values.user)?;
        let namespace = self.namespace.as_deref().map(Namespace::new).transpose()?;
        if self.dry_run {
            let engine = session.read()?;
            let rows = erase::preview(&engine.eraser, &scope(&engine, namespace.as_ref())).await?;
            let erased = rows.into_iter().map(kind).collect();
            return session.output.answer(&Preview { erased });
        }
        if !self.yes {
            // Asked before the memories are opened, so that nobody waits for an answer.
            consent(session, &user)?;
        }
        let engine = session.write()?;
        let scope = scope(&engine, namespace.as_ref());
        let receipt = erase::erase(&engine.ports, &engine.eraser, &scope).await?;
        session.output.answer(&Erased(receipt))
    }
}

fn scope(engine: &Engine, namespace: Option<&Namespace>) -> Scope {
    let scope = engine.scope();
    match namespace {
        Some(namespace) => Scope::of_user_in(namespace, scope.user().clone(), scope.actor.clone(), scope.now),
        None => scope,
    }
}

fn consent(session: &Session, user: &UserId) -> Result<(), Failure> {
    match session
        .output
        .ask(&format!("Erase everything that {user} has, for good?"))
    {
        Some(true) => Ok(()),
        Some(false) => Err(Failure::failed("declined", "nothing was erased")),
        None => Err(
            Failure::bad_input("consent", "erasing cannot be undone, and nobody is there to ask")
                .hint("look with --dry-run, then add --yes"),
        ),
    }
}

fn kind((kind, rows): (&'static str, u64)) -> ErasedKind {
    ErasedKind {
        kind: kind.to_owned(),
        rows,
    }
}

fn verify(session: &Session, file: &std::path::Path) -> Result<(), Failure> {
    let unreadable =
        |reason: String| Failure::bad_input("receipt", format!("{} is no receipt: {reason}", file.display()));
    let text = std::fs::read_to_string(file).map_err(|error| unreadable(error.to_string()))?;
    let receipt: Receipt = serde_json::from_str(&text).map_err(|error| unreadable(error.to_string()))?;
    let engine = session.read()?;
    match receipt.is_genuine(&engine.eraser.tombstones.secret()?) {
        true => session.output.answer(&Genuine { genuine: true }),
        false => Err(Failure::failed(
            "receipt",
            "the receipt was not made here, or was changed since",
        )),
    }
}

#[derive(Debug, Serialize)]
struct Preview {
    erased: Vec<ErasedKind>,
}

impl Show for Preview {
    fn show(&self, page: &mut Page) {
        show_rows(page, &self.erased);
        page.line(format_args!("{CAUTION}Nothing was erased.{CAUTION:#}"));
    }
}

#[derive(Debug, Serialize)]
#[serde(transparent)]
struct Erased(Receipt);

impl Show for Erased {
    fn show(&self, page: &mut Page) {
        show_rows(page, &self.0.erased);
        page.line(format_args!(
            "{GOOD}Erased{GOOD:#} {} rows of {NAME}{}{NAME:#}",
            self.0.rows(),
            escaped(&self.0.subject)
        ));
        page.line(format_args!("{FAINT}seal {}{FAINT:#}", escaped(&self.0.seal)));
    }

    fn bare(&self) -> String {
        format!("{}\n", self.0.seal)
    }
}

fn show_rows(page: &mut Page, erased: &[ErasedKind]) {
    for ErasedKind { kind, rows } in erased.iter().filter(|kind| 0 < kind.rows) {
        page.field(&kind.replace('_', " "), rows);
    }
}

#[derive(Debug, Serialize)]
struct Genuine {
    genuine: bool,
}

impl Show for Genuine {
    fn show(&self, page: &mut Page) {
        page.line(format_args!("{GOOD}Genuine{GOOD:#}: it was made here, as it is"));
    }
}
