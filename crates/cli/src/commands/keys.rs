//! `recalld keys`: creates, lists and revokes API keys.

use clap::{Args, Subcommand};
use jiff::{SignedDuration, Timestamp};
use recalld_agent::tools::ToolSet;
use recalld_memory::id::{Namespace, UserId};
use recalld_memory::ports::{KeyKind, KeyScopes};
use recalld_server::{NewKey, rotate_key};
use recalld_wire::{CreatedKey, KeyList};
use serde::Serialize;

use super::RunCommand;
use crate::arguments::{duration, examples};
use crate::failure::Failure;
use crate::output::{CAUTION, Cell, FAINT, GOOD, NAME, Page, Show, Table, ago, escaped};
use crate::session::Session;

/// Creates, lists and revokes the API keys of the server
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld keys create --kind user --user ana",
    "recalld keys create --kind user --user ana --scope read --expires 90d",
    "recalld keys create --kind service --namespace acme --name backend",
    "recalld keys list",
    "recalld keys rotate key_1f2e3d4c5b6a7980 --overlap 24h",
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
    /// Replaces a key by a new one with the same rights; the old one works for a while longer
    Rotate {
        /// Id of the key, as shown by `recalld keys list`
        id: String,

        /// For how long the old key still works, such as 30m, 24h or 7d
        #[arg(long, value_name = "TIME", default_value = "24h", value_parser = duration::parse)]
        overlap: SignedDuration,
    },
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

    /// The same as --user: the user that a key of kind user acts as
    #[arg(long = "for", value_name = "USER", hide = true)]
    owner: Option<String>,

    /// What the key may do: read, write, tools:SET for one set of tools, project:NAME (the same as
    /// --project) [default: everything]
    #[arg(long = "scope", value_name = "SCOPE", value_delimiter = ',')]
    scopes: Vec<String>,

    /// From when on the key is refused, such as 12h, 90d or 52w from now [default: never]
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    expires: Option<SignedDuration>,

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
            Action::Rotate { id, overlap } => rotate(session, &id, overlap).await,
            Action::Revoke { id } => revoke(session, &id).await,
        }
    }
}

impl Create {
    async fn run(self, session: &Session) -> Result<(), Failure> {
        let kind = self.kind(session.config()?.user_argument())?;
        let namespace = self.namespace.map(Namespace::new).transpose()?;
        let engine = session.write().await?;
        let now = engine.ports.clock.now();
        let key = NewKey {
            kind,
            namespace,
            name: self.name,
            scopes: match session.project() {
                Some(project) => scopes(&self.scopes)?.within(project.clone()),
                None => scopes(&self.scopes)?,
            },
            expires_at: self.expires.map(|after| later(now, after)).transpose()?,
        };
        let made = key.create(&*engine.keyring, now).await?;
        session.output.answer(&CreatedKey {
            id: made.id,
            key: made.key,
        })
    }
}

impl Create {
    /// Returns the kind of the key. `named` is the user of the argument --user.
    fn kind(&self, named: Option<&str>) -> Result<KeyKind, Failure> {
        let owner = match (self.owner.as_deref(), named) {
            (Some(owner), Some(named)) if owner != named => {
                return Err(
                    Failure::bad_input("keys", "--for and --user name different users")
                        .hint("use --user alone"),
                );
            }
            (owner, named) => owner.or(named),
        };
        match (self.kind.as_str(), owner) {
            ("user", Some(owner)) => Ok(KeyKind::User {
                user: UserId::named(owner)?,
            }),
            ("user", None) => Err(Failure::bad_input("keys", "a key of kind user needs a user")
                .hint("add --user with the user's id")),
            (_, Some(_)) => Err(Failure::bad_input("keys", "--user requires --kind user")
                .hint("remove --user, or use --kind user")),
            ("admin", None) => Ok(KeyKind::Admin),
            _ => Ok(KeyKind::Service),
        }
    }
}

fn scopes(words: &[String]) -> Result<KeyScopes, Failure> {
    if words.is_empty() {
        return Ok(KeyScopes::default());
    }
    let scopes = KeyScopes::parse(words.iter().map(String::as_str))
        .map_err(|error| Failure::bad_input("keys", error.to_string()))?;
    match scopes.tool_set() {
        Some(set) if ToolSet::parse(set).is_none() => {
            let known: Vec<&str> = ToolSet::ALL.into_iter().map(ToolSet::as_str).collect();
            let message = format!("there is no set of tools {:?}", escaped(set));
            Err(Failure::bad_input("keys", message).hint(format!("the sets are {}", known.join(", "))))
        }
        _ => Ok(scopes),
    }
}

fn later(now: Timestamp, after: SignedDuration) -> Result<Timestamp, Failure> {
    now.checked_add(after)
        .map_err(|_| Failure::bad_input("keys", "that time is too far away"))
}

async fn rotate(session: &Session, id: &str, overlap: SignedDuration) -> Result<(), Failure> {
    let engine = session.write().await?;
    let now = engine.ports.clock.now();
    let made = rotate_key(&*engine.keyring, id, later(now, overlap)?, now).await?;
    match made {
        Some(made) => session.output.answer(&CreatedKey {
            id: made.id,
            key: made.key,
        }),
        None => Err(Failure::not_found(format!("no active key {:?}", escaped(id)))
            .hint("`recalld keys list` shows all keys")),
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
        let mut table = Table::new([
            "ID",
            "KIND",
            "USER",
            "NAMESPACE",
            "SCOPES",
            "LAST USED",
            "EXPIRES",
            "NAME",
        ]);
        for key in &self.keys {
            let used = key
                .last_used_at
                .map_or("never".to_owned(), |at| ago(at.0, page.now, &page.zone));
            let scopes = match key.scopes.as_slice() {
                [read, write] if read == "read" && write == "write" => String::new(),
                scopes => scopes.join(" "),
            };
            let end = match (key.revoked_at, key.expires_at) {
                (Some(_), _) => "revoked".to_owned(),
                (None, Some(end)) if end.0 <= page.now => "expired".to_owned(),
                (None, Some(end)) => end.0.strftime("%Y-%m-%d %H:%MZ").to_string(),
                (None, None) => String::new(),
            };
            table.row([
                Cell::styled(NAME, &key.id),
                Cell::plain(key.kind.as_str()),
                Cell::plain(key.user.as_deref().unwrap_or_default()),
                Cell::plain(key.namespace.as_deref().unwrap_or_default()),
                Cell::plain(&scopes),
                Cell::styled(FAINT, &used),
                Cell::styled(CAUTION, &end),
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
