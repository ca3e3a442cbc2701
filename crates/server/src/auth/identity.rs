//! What a key or token proves.

use jiff::Timestamp;
use recalld_memory::change::Actor;
use recalld_memory::id::{Namespace, UserId};
use recalld_memory::memory::Project;
use recalld_memory::ports::{KeyKind, KeyRecord, KeyScopes};

use crate::error::{ApiError, Code};

/// Whose a key or token is. All requests that come with the same key share it.
#[derive(Debug)]
pub(crate) struct Identity {
    pub(super) role: Role,
    /// Users of this namespace only, apart from all others.
    pub(super) namespace: Option<Namespace>,
    pub(super) actor: Actor,
    pub(super) scopes: KeyScopes,
    /// From when on the key is refused. A token has its own end.
    pub(super) expires_at: Option<Timestamp>,
    /// Names whose requests are counted together: a key's, or those of one user's tokens.
    pub(super) counted_as: String,
}

/// For whom a key or token acts.
#[derive(Debug)]
pub(super) enum Role {
    User(UserId),
    Service,
    Admin,
}

/// The actor of whoever comes with a token.
const TOKEN: &str = "token";

impl Identity {
    /// The holder of a token of `user`.
    pub(super) fn of_token(user: UserId) -> Identity {
        Identity {
            counted_as: format!("{TOKEN}:{user}"),
            role: Role::User(user),
            namespace: None,
            actor: Actor::new(TOKEN),
            scopes: KeyScopes::default(),
            expires_at: None,
        }
    }

    /// The project in which a request happens that names `given`: a key for one project knows no
    /// other.
    pub(super) fn project(&self, given: Option<Project>) -> Result<Option<Project>, ApiError> {
        match (self.scopes.project(), given) {
            (Some(own), Some(other)) if *own != other => {
                let detail = format!("this key is for the project {own} alone");
                Err(ApiError::new(Code::Forbidden, detail).hint("leave out Recalld-Project"))
            }
            (Some(own), _) => Ok(Some(own.clone())),
            (None, given) => Ok(given),
        }
    }
}

impl From<KeyRecord> for Identity {
    fn from(key: KeyRecord) -> Identity {
        let actor = Actor::new(&key.id);
        Identity {
            counted_as: actor.as_str().to_owned(),
            role: match key.kind {
                KeyKind::User { user } => Role::User(user),
                KeyKind::Service => Role::Service,
                KeyKind::Admin => Role::Admin,
            },
            namespace: key.namespace,
            scopes: key.scopes,
            expires_at: key.expires_at,
            actor,
        }
    }
}
