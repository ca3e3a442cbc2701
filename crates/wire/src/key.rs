//! API keys, as administrators see them.

use recalld_memory::ports::{KeyKind, KeyRecord};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::text::TimeText;

/// What a key may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WireKeyKind {
    /// Act as one user.
    User,
    /// Act for the user that the header Recalld-User names.
    Service,
    /// Administer.
    Admin,
}

impl WireKeyKind {
    /// Gives the word that JSON uses.
    pub fn as_str(self) -> &'static str {
        match self {
            WireKeyKind::User => "user",
            WireKeyKind::Service => "service",
            WireKeyKind::Admin => "admin",
        }
    }
}

/// A key that was just created. It is shown once.
#[derive(Debug, Serialize, ToSchema)]
pub struct CreatedKey {
    /// The id by which it is listed and revoked.
    pub id: String,
    /// The key itself.
    pub key: String,
}

/// A key in a list: never the key itself.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListedKey {
    /// The id by which it is revoked.
    pub id: String,
    /// What it may do.
    pub kind: WireKeyKind,
    /// The user that a key of kind `user` acts as.
    pub user: Option<String>,
    /// The namespace to whose users it is limited.
    pub namespace: Option<String>,
    /// What its owner calls it.
    pub name: Option<String>,
    /// What it may do: `read`, `write`, and `tools:SET` if it is for one set of tools.
    pub scopes: Vec<String>,
    /// When it was created.
    #[schema(value_type = String)]
    pub created_at: TimeText,
    /// When it was last used.
    #[schema(value_type = Option<String>)]
    pub last_used_at: Option<TimeText>,
    /// From when on it is refused.
    #[schema(value_type = Option<String>)]
    pub expires_at: Option<TimeText>,
    /// When it was revoked.
    #[schema(value_type = Option<String>)]
    pub revoked_at: Option<TimeText>,
}

impl From<KeyRecord> for ListedKey {
    fn from(key: KeyRecord) -> ListedKey {
        let (kind, user) = match key.kind {
            KeyKind::User { user } => (WireKeyKind::User, Some(user.to_string())),
            KeyKind::Service => (WireKeyKind::Service, None),
            KeyKind::Admin => (WireKeyKind::Admin, None),
        };
        ListedKey {
            id: key.id,
            kind,
            user,
            namespace: key.namespace.map(|namespace| namespace.as_str().to_owned()),
            name: key.name,
            scopes: key.scopes.words(),
            created_at: TimeText(key.created_at),
            expires_at: key.expires_at.map(TimeText),
            last_used_at: key.last_used_at.map(TimeText),
            revoked_at: key.revoked_at.map(TimeText),
        }
    }
}

/// All keys.
#[derive(Debug, Serialize, ToSchema)]
pub struct KeyList {
    /// The keys, the oldest first.
    pub keys: Vec<ListedKey>,
}

impl From<Vec<KeyRecord>> for KeyList {
    fn from(keys: Vec<KeyRecord>) -> KeyList {
        KeyList {
            keys: keys.into_iter().map(ListedKey::from).collect(),
        }
    }
}
