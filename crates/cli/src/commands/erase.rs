//! `recalld erase`: removes everything about a user permanently.

mod verify;

use std::path::PathBuf;

use clap::{Args, ValueHint};
use recalld_memory::id::Namespace;
use recalld_memory::scope::Scope;
use recalld_portability::erase::{self, ErasedKind, Receipt};
use serde::Serialize;

use super::RunCommand;
use super::known_user::require_known_user;
use crate::arguments::examples;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::output::{CAUTION, FAINT, GOOD, NAME, Page, Show, escaped};
use crate::session::Session;

/// Removes everything about a user permanently: memories, history, conversations, files' bases,
/// keys
///
/// Prints a receipt, which recalld does not store. A backup from before does not bring the user
/// back.
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld erase --user ana --dry-run",
    "recalld erase --user ana --yes --json > receipt.json",
    "recalld erase --verify receipt.json --user ana",
))]
pub(crate) struct Arguments {
    /// Shows what would be removed, and removes nothing
    #[arg(long)]
    dry_run: bool,

    /// Erases without asking for confirmation
    #[arg(short, long)]
    yes: bool,

    /// Namespace of the user
    #[arg(long)]
    namespace: Option<String>,

    /// Checks that a receipt is genuine and, with --user, that it is about that user
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["dry_run", "yes"])]
    verify: Option<PathBuf>,
}

impl RunCommand for Arguments {
    async fn run(self, session: &Session) -> Result<(), Failure> {
        let namespace = self.namespace.as_deref().map(Namespace::new).transpose()?;
        if let Some(file) = &self.verify {
            return verify::run(session, &session.path(file), namespace.as_ref()).await;
        }
        if self.dry_run {
            let engine = session.read().await?;
            let scope = scope(&engine, namespace.as_ref());
            require_known_user(&engine, &scope).await?;
            let rows = erase::preview(&engine.eraser, &scope).await?;
            let erased = rows.into_iter().map(kind).collect();
            return session.output.answer(&Preview { erased });
        }
        if !self.yes {
            // Asked before the memories are opened, so that no other command has to wait.
            confirm(session)?;
        }
        let engine = session.write().await?;
        let scope = scope(&engine, namespace.as_ref());
        require_known_user(&engine, &scope).await?;
        let receipt = erase::erase(&engine.ports, &engine.eraser, &scope).await?;
        session.output.answer(&Erased {
            user: scope.user().to_string(),
            namespace: self.namespace,
            receipt,
        })
    }
}

fn scope(engine: &Engine, namespace: Option<&Namespace>) -> Scope {
    let scope = engine.scope();
    match namespace {
        Some(namespace) => Scope::of_user_in(namespace, scope.user().clone(), scope.actor.clone(), scope.now),
        None => scope,
    }
}

fn confirm(session: &Session) -> Result<(), Failure> {
    let user = &session.config()?.values.user;
    match session
        .output
        .ask(&format!("Erase everything about {user} permanently?"))
    {
        Some(true) => Ok(()),
        Some(false) => Err(Failure::failed("declined", "nothing was erased")),
        None => Err(
            Failure::bad_input("consent", "refusing to erase without confirmation (no terminal)")
                .hint("check with --dry-run, then add --yes"),
        ),
    }
}

fn kind((kind, rows): (&'static str, u64)) -> ErasedKind {
    ErasedKind {
        kind: kind.to_owned(),
        rows,
    }
}

#[derive(Debug, Serialize)]
struct Preview {
    erased: Vec<ErasedKind>,
}

impl Show for Preview {
    fn show(&self, page: &mut Page) {
        show_rows(page, &self.erased);
        page.line(format_args!("{CAUTION}Dry run: nothing was erased.{CAUTION:#}"));
    }
}

/// A receipt, and whose it is. The seal covers a keyed hash of the user, so the name can be
/// checked.
#[derive(Debug, Serialize)]
struct Erased {
    user: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    namespace: Option<String>,
    #[serde(flatten)]
    receipt: Receipt,
}

impl Show for Erased {
    fn show(&self, page: &mut Page) {
        show_rows(page, &self.receipt.erased);
        page.line(format_args!(
            "{GOOD}Erased{GOOD:#} {NAME}{}{NAME:#} ({} rows)",
            escaped(&self.user),
            self.receipt.rows(),
        ));
        page.line(format_args!(
            "{FAINT}subject {}{FAINT:#}",
            escaped(&self.receipt.subject)
        ));
        page.line(format_args!(
            "{FAINT}seal {}{FAINT:#}",
            escaped(&self.receipt.seal)
        ));
    }

    fn quiet(&self) -> String {
        format!("{}\n", self.receipt.seal)
    }
}

fn show_rows(page: &mut Page, erased: &[ErasedKind]) {
    for ErasedKind { kind, rows } in erased.iter().filter(|kind| 0 < kind.rows) {
        page.field(&kind.replace('_', " "), rows);
    }
}
