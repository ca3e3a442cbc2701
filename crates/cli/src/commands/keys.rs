//! `recalld keys`: creates, lists and revokes API keys.

use clap::{Args, Subcommand};
use recalld_memory::id::{Namespace, UserId};
use recalld_memory::ports::KeyKind;
use recalld_server::create_key;
use recalld_wire::{CreatedKey, KeyList};
use serde::Serialize;

use super::RunCommand;
use crate::arguments::examples;
use crate::failure::Failure;
use crate::output::{CAUTION, Cell, FAINT, GOOD, NAME, Page, Show, Table, ago, escaped};
use crate::session::Session;

/// Creates, lists and revokes the API keys of the server
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld keys create --kind user --for ana",
    "recalld keys create --kind service --namespace acme --name backend",
    "recalld keys list",
    "recalld keys revoke key_1f2e3d4c5b6a7980",
))]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Creates a key and shows it once
    Create(Create),
    /// Lists all keys, including revoked ones
    List,
    /// Revokes a key, which servers then refuse within a second
    Revoke {
        /// Id of the key, as shown by `recalld keys list`
        id: String,
    },
}

#[derive(Debug, Args)]
struct Create {
    /// What the key allows: act as one user, act for any user that a request names, or administer
    #[arg(long, value_parser = ["user", "service", "admin"])]
    kind: String,

    /// User that a key of kind user acts as
    #[arg(long = "for", value_name = "USER", required_if_eq("kind", "user"))]
    owner: Option<String>,

    /// Restricts the key to the users of this namespace
    #[arg(long)]
    namespace: Option<String>,

    /// Your name for the key
    #[arg(long)]
    name: Option<String>,
}

impl RunCommand for Arguments {
    async fn run(self, session: &Session) -> Result<(), Failure> {
        match self.action {
            Action::Create(create) => create.run(session).await,
            Action::List => list(session).await,
            Action::Revoke { id } => revoke(session, &id).await,
        }
    }
}

impl Create {
    async fn run(self, session: &Session) -> Result<(), Failure> {
        let owner = self.owner.map(UserId::new).transpose()?;
        let kind = match (self.kind.as_str(), owner) {
            ("user", Some(user)) => KeyKind::User { user },
            (_, Some(_)) => {
                return Err(Failure::bad_input("keys", "--for requires --kind user")
                    .hint("remove --for, or use --kind user"));
            }
            ("admin", None) => KeyKind::Admin,
            _ => KeyKind::Service,
        };
        let namespace = self.namespace.map(Namespace::new).transpose()?;
        let engine = session.write().await?;
        let now = engine.ports.clock.now();
        let made = create_key(&*engine.keyring, kind, namespace, self.name, now).await?;
        session.output.answer(&CreatedKey {
            id: made.id,
            key: made.key,
        })
    }
}

impl Show for CreatedKey {
    fn show(&self, page: &mut Page) {
        page.line(format_args!("{GOOD}Created{GOOD:#} {NAME}{}{NAME:#}", self.id));
        page.line(&self.key);
        page.line(format_args!(
            "{CAUTION}The key is not shown again: store it in a safe place.{CAUTION:#}"
        ));
    }

    fn quiet(&self) -> String {
        format!("{}\n", self.key)
    }
}

async fn list(session: &Session) -> Result<(), Failure> {
    let keys = session.read().await?.keyring.keys().await?;
    session.output.answer(&KeyList::from(keys))
}

impl Show for KeyList {
    fn show(&self, page: &mut Page) {
        if self.keys.is_empty() {
            let hint = "No keys yet. The first `recalld serve` creates two.";
            page.line(escaped(&page.prefix.complete(hint)));
            return;
        }
        let mut table = Table::new(["ID", "KIND", "USER", "NAMESPACE", "LAST USED", "", "NAME"]);
        for key in &self.keys {
            let used = key
                .last_used_at
                .map_or("never".to_owned(), |at| ago(at.0, page.now, &page.zone));
            let mark = if key.revoked_at.is_some() { "revoked" } else { "" };
            table.row([
                Cell::styled(NAME, &key.id),
                Cell::plain(key.kind.as_str()),
                Cell::plain(key.user.as_deref().unwrap_or_default()),
                Cell::plain(key.namespace.as_deref().unwrap_or_default()),
                Cell::styled(FAINT, &used),
                Cell::styled(CAUTION, mark),
                Cell::plain(key.name.as_deref().unwrap_or_default()),
            ]);
        }
        table.write(page);
    }

    fn quiet(&self) -> String {
        self.keys.iter().map(|key| format!("{}\n", key.id)).collect()
    }
}

async fn revoke(session: &Session, id: &str) -> Result<(), Failure> {
    let engine = session.write().await?;
    match engine.keyring.revoke_key(id, engine.ports.clock.now()).await? {
        true => session.output.answer(&Revoked {
            revoked: id.to_owned(),
        }),
        false => Err(Failure::not_found(format!("no active key {:?}", escaped(id)))
            .hint("`recalld keys list` shows all keys")),
    }
}

#[derive(Debug, Serialize)]
struct Revoked {
    revoked: String,
}

impl Show for Revoked {
    fn show(&self, page: &mut Page) {
        page.line(format_args!("{GOOD}Revoked{GOOD:#} {}", escaped(&self.revoked)));
    }
}
