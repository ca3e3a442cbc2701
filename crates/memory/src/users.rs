//! The users of a deployment, in figures.

use jiff::Timestamp;

use crate::id::SpaceId;
use crate::model_tokens;
use crate::ports::{Administration, EventPage, Store, StoreError};

/// A user, in figures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    pub id: String,
    pub namespace: Option<String>,
    /// Hidden ones included.
    pub memories: u64,
    pub messages: u64,
    /// Bytes of the texts of memories and messages.
    pub bytes: u64,
    /// Tokens of models that were spent for them today (UTC); counted where there is a quota.
    pub model_tokens_today: u64,
    /// When something of theirs last changed.
    pub last_active_at: Option<Timestamp>,
}

/// Some users, in the order of their ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserPage {
    pub users: Vec<User>,
    /// The space after which the next page begins, if there is one.
    pub next: Option<SpaceId>,
}

/// How many spaces are read at once.
const SPACES_READ: usize = 500;

/// Tells whether the id of the user of `space` contains `query`, whatever the case.
pub fn is_like(space: &SpaceId, query: &str) -> bool {
    let id = space.user().unwrap_or_default().to_lowercase();
    id.contains(&query.trim().to_lowercase())
}

/// Pages through the users whose spaces `shows` accepts, at most `limit`, beginning after `after`.
pub async fn list(
    store: &dyn Store,
    administration: &dyn Administration,
    shows: impl Fn(&SpaceId) -> bool,
    mut after: Option<SpaceId>,
    limit: usize,
    now: Timestamp,
) -> Result<UserPage, StoreError> {
    let mut found = Vec::new();
    loop {
        let page = administration.spaces(after.as_ref(), SPACES_READ).await?;
        let is_last = page.len() < SPACES_READ;
        after = page.last().cloned();
        found.extend(
            page.into_iter()
                .filter(|space| space.user().is_some() && shows(space)),
        );
        if is_last || limit < found.len() {
            break;
        }
    }
    let is_more = limit < found.len();
    found.truncate(limit);
    let mut users = Vec::with_capacity(found.len());
    for space in &found {
        users.push(described(store, administration, space, now).await?);
    }
    Ok(UserPage {
        users,
        next: found.pop().filter(|_| is_more),
    })
}

async fn described(
    store: &dyn Store,
    administration: &dyn Administration,
    space: &SpaceId,
    now: Timestamp,
) -> Result<User, StoreError> {
    let rows = administration.count_space(space).await?;
    let of = |kind: &str| {
        rows.iter()
            .find(|(name, _)| *name == kind)
            .map_or(0, |(_, rows)| *rows)
    };
    let newest = EventPage {
        before: None,
        subject: None,
        limit: 1,
    };
    let events = store.events(space, &newest).await?;
    Ok(User {
        id: space.user().unwrap_or_default().to_owned(),
        namespace: space.namespace().map(ToOwned::to_owned),
        memories: of("memories"),
        messages: of("messages"),
        bytes: administration.text_bytes(space).await?,
        model_tokens_today: model_tokens::spent(store, space, now).await?,
        last_active_at: events.first().map(|event| event.stamp.at),
    })
}
