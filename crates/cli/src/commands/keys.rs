//! `recalld keys`: makes, lists and revokes the keys by which callers are known.

use clap::{Args, Subcommand};
use recalld_memory::id::{Namespace, UserId};
use recalld_memory::ports::KeyKind;
use recalld_server::create_key;
use recalld_wire::{CreatedKey, KeyList};
use serde::Serialize;

use crate::arguments::examples;
use crate::failure::Failure;
use crate::output::{CAUTION, Cell, FAINT, GOOD, NAME, Page, Show, Table, ago, escaped};
use crate::session::Session;

/// Makes, lists and revokes the keys by which callers of the server are known
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
    /// Makes a key and shows it, once
    Create(Create),
    /// Lists all keys, revoked ones too
    List,
    /// Revokes a key: it is refused within a second
    Revoke {
        /// Id of the key, as the list shows it
        id: String,
    },
}

#[derive(Debug, Args)]
struct Create {
    /// What the key may do: act as one user, act for the user a request names, or administer
    #[arg(long, value_parser = ["user", "service", "admin"])]
    kind: String,

    /// User that a key of kind `user` acts as
    #[arg(long = "for", value_name = "USER", required_if_eq("kind", "user"))]
    owner: Option<String>,

    /// Only users of this namespace, apart from all others
    #[arg(long)]
    namespace: Option<String>,

    /// What you call the key
    #[arg(long)]
    name: Option<String>,
}

impl Arguments {
    /// Does it.
    pub(crate) async fn run(self, session: &Session) -> Result<(), Failure> {
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
                return Err(
                    Failure::bad_input("keys", "only a key of kind user belongs to a user")
                        .hint("leave out --for, or say --kind user"),
                );
            }
            ("admin", None) => KeyKind::Admin,
            _ => KeyKind::Service,
        };
        let namespace = self.namespace.map(Namespace::new).transpose()?;
        let engine = session.write()?;
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
        page.line(format_args!("{GOOD}Made{GOOD:#} {NAME}{}{NAME:#}", self.id));
        page.line(&self.key);
        page.line(format_args!(
            "{CAUTION}It is shown this once: keep it somewhere safe.{CAUTION:#}"
        ));
    }

    fn bare(&self) -> String {
        format!("{}\n", self.key)
    }
}

async fn list(session: &Session) -> Result<(), Failure> {
    let keys = session.read()?.keyring.keys().await?;
    session.output.answer(&KeyList::from(keys))
}

impl Show for KeyList {
    fn show(&self, page: &mut Page) {
        if self.keys.is_empty() {
            let told = "There are no keys yet; `recalld serve` makes the first ones.";
            page.line(escaped(&page.bearing.complete(told)));
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

    fn bare(&self) -> String {
        self.keys.iter().map(|key| format!("{}\n", key.id)).collect()
    }
}

async fn revoke(session: &Session, id: &str) -> Result<(), Failure> {
    let engine = session.write()?;
    match engine.keyring.revoke_key(id, engine.ports.clock.now()).await? {
        true => session.output.answer(&Revoked {
            revoked: id.to_owned(),
        }),
        false => Err(
            Failure::not_found(format!("there is no key {:?} that can be revoked", escaped(id)))
                .hint("`recalld keys list` shows them"),
        ),
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
