//! `recalld erase --verify`: checks a receipt, and whose it is.

use std::path::Path;

use recalld_memory::id::{Namespace, UserId};
use recalld_memory::scope::Scope;
use recalld_portability::erase::Receipt;
use serde::{Deserialize, Serialize};

use crate::engine::Engine;
use crate::failure::{Failure, shortened};
use crate::output::{GOOD, NAME, Page, Show, escaped, moment};
use crate::session::Session;

/// A receipt as the command wrote it. Receipts of the REST API name no user.
#[derive(Debug, Deserialize)]
struct ReceiptFile {
    user: Option<String>,
    namespace: Option<String>,
    #[serde(flatten)]
    receipt: Receipt,
}

/// Checks the receipt in `file`.
pub(super) async fn run(
    session: &Session,
    file: &Path,
    namespace: Option<&Namespace>,
) -> Result<(), Failure> {
    let unreadable = |reason: String| {
        Failure::bad_input(
            "receipt",
            format!("{} is not a receipt: {reason}", file.display()),
        )
    };
    let text = std::fs::read_to_string(file).map_err(|error| unreadable(error.to_string()))?;
    let file: ReceiptFile = serde_json::from_str(&text).map_err(|error| unreadable(error.to_string()))?;
    let engine = session.read().await?;
    let secret = engine.eraser.tombstones.secret()?;
    if !file.receipt.is_genuine(&secret) {
        let message = "the receipt was not created by this deployment, or was changed";
        return Err(Failure::failed("receipt", message));
    }
    let of_file = file.namespace.as_deref().map(Namespace::new).transpose()?;
    let named = [
        (file.user.as_deref(), of_file.as_ref()),
        (session.config()?.user_argument(), namespace),
    ];
    for (user, namespace) in named {
        let Some(user) = user else { continue };
        let scope = scope(&engine, UserId::new(user)?, namespace);
        if !file.receipt.is_about(&secret, scope.space()) {
            let message = format!("the receipt is genuine, but not about {:?}", shortened(user));
            return Err(Failure::failed("receipt", message));
        }
    }
    let user = named.into_iter().find_map(|(user, _)| user).map(str::to_owned);
    let is_named = user.is_some();
    session.output.answer(&Verified {
        genuine: true,
        user,
        erased_at: file.receipt.erased_at,
        rows: file.receipt.rows(),
    })?;
    if !is_named {
        session
            .output
            .note("the receipt names no user; add --user ID to check whose it is");
    }
    Ok(())
}

fn scope(engine: &Engine, user: UserId, namespace: Option<&Namespace>) -> Scope {
    let scope = engine.for_user(user.clone()).scope();
    match namespace {
        Some(namespace) => Scope::of_user_in(namespace, user, scope.actor.clone(), scope.now),
        None => scope,
    }
}

/// A genuine receipt.
#[derive(Debug, Serialize)]
struct Verified {
    genuine: bool,
    user: Option<String>,
    erased_at: jiff::Timestamp,
    rows: u64,
}

impl Show for Verified {
    fn show(&self, page: &mut Page) {
        let (at, rows) = (moment(self.erased_at, &page.zone), self.rows);
        let about = match &self.user {
            Some(user) => format!("{NAME}{}{NAME:#} was erased", escaped(user)),
            None => "a user was erased".to_owned(),
        };
        page.line(format_args!(
            "{GOOD}Genuine{GOOD:#}: {about} at {at} ({rows} rows)"
        ));
    }
}
