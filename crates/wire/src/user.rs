//! The users of a deployment, as administrators see them.

use recalld_memory::users::{User, UserPage};
use serde::Serialize;
use utoipa::ToSchema;

use crate::text::TimeText;

/// A user, in figures.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListedUser {
    /// The user's id.
    pub id: String,
    /// The namespace of the user.
    pub namespace: Option<String>,
    /// Memories, hidden ones included.
    pub memories: u64,
    /// Messages of all conversations.
    pub messages: u64,
    /// Bytes of the texts of memories and messages.
    pub bytes: u64,
    /// Tokens of models that were spent for them today (UTC); counted where
    /// `quotas.model_tokens_per_day_max` is set.
    pub model_tokens_today: u64,
    /// When something of theirs last changed; null if nothing is logged.
    #[schema(value_type = Option<String>)]
    pub last_active_at: Option<TimeText>,
}

impl From<User> for ListedUser {
    fn from(user: User) -> ListedUser {
        ListedUser {
            id: user.id,
            namespace: user.namespace,
            memories: user.memories,
            messages: user.messages,
            bytes: user.bytes,
            model_tokens_today: user.model_tokens_today,
            last_active_at: user.last_active_at.map(TimeText),
        }
    }
}

/// Some users, and where to go on.
#[derive(Debug, Serialize, ToSchema)]
pub struct UserList {
    /// The users, in the order of their ids.
    pub users: Vec<ListedUser>,
    /// Give it as `after` to read on; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_page: Option<String>,
}

impl From<UserPage> for UserList {
    fn from(page: UserPage) -> UserList {
        UserList {
            users: page.users.into_iter().map(ListedUser::from).collect(),
            next_page: page.next.map(|space| space.as_str().to_owned()),
        }
    }
}
