//! Sessions of clients that speak a revision with a handshake. A session belongs to the caller that
//! opened it, and for everybody else it does not exist.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;
use recalld_memory::change::Actor;
use recalld_memory::id::SpaceId;
use rmcp::model::ProtocolVersion;
use rmcp::transport::streamable_http_server::session::{
    SessionId, SessionManager, local::LocalSessionManager,
};

use crate::auth::Caller;
use crate::error::{ApiError, Code};

const SESSION: &str = "mcp-session-id";
const VERSION: &str = "mcp-protocol-version";

/// How long a session may rest. Many clients do not open a new one by themselves when theirs has
/// ended, and are left open overnight.
const REST_MAX: Duration = Duration::from_hours(12);

/// How many sessions a caller has at the most; the one that rested longest ends first.
const PER_CALLER_MAX: usize = 32;

/// How many sessions there are in all at the most.
const ALL_MAX: usize = 10_000;

/// The open sessions and their owners.
#[derive(Debug)]
pub(super) struct Sessions {
    manager: Arc<LocalSessionManager>,
    open: Mutex<HashMap<SessionId, Open>>,
}

#[derive(Debug)]
struct Open {
    owner: Owner,
    used: Instant,
}

/// Whose a session is: the same user, by the same key or by tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Owner {
    space: SpaceId,
    actor: Actor,
}

impl Default for Sessions {
    fn default() -> Sessions {
        let mut manager = LocalSessionManager::default();
        manager.session_config.keep_alive = Some(REST_MAX);
        Sessions {
            manager: Arc::new(manager),
            open: Mutex::default(),
        }
    }
}

impl Sessions {
    /// Gives what runs the sessions.
    pub(super) fn manager(&self) -> Arc<LocalSessionManager> {
        Arc::clone(&self.manager)
    }

    /// Tells whether `id` is an open session of `owner`, and notes that it is in use.
    fn belongs_to(&self, id: &str, owner: &Owner) -> bool {
        let mut open = self.open();
        let session = open.get_mut(id).filter(|session| session.owner == *owner);
        session.map(|session| session.used = Instant::now()).is_some()
    }

    /// Notes whose a new session is, and ends those that are too many.
    async fn opened(&self, id: SessionId, owner: Owner) {
        let running = self
            .manager
            .sessions
            .read()
            .await
            .keys()
            .cloned()
            .collect::<std::collections::HashSet<_>>();
        let surplus: Vec<SessionId> = {
            let mut open = self.open();
            open.retain(|id, _| running.contains(id));
            open.insert(
                id,
                Open {
                    owner: owner.clone(),
                    used: Instant::now(),
                },
            );
            let own = surplus(&open, PER_CALLER_MAX, |session| session.owner == owner);
            let surplus = own.or_else(|| surplus(&open, ALL_MAX, |_| true));
            surplus.into_iter().inspect(|id| drop(open.remove(id))).collect()
        };
        for id in surplus {
            if let Err(error) = self.manager.close_session(&id).await {
                tracing::warn!(%error, "a session could not be closed");
            }
        }
    }

    fn open(&self) -> MutexGuard<'_, HashMap<SessionId, Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Of more than `most` sessions that `counts` counts, the one that rested longest.
fn surplus(
    open: &HashMap<SessionId, Open>,
    most: usize,
    counts: impl Fn(&Open) -> bool,
) -> Option<SessionId> {
    let counted = || open.iter().filter(|(_, session)| counts(session));
    let longest = counted().min_by_key(|(_, session)| session.used);
    longest
        .filter(|_| most < counted().count())
        .map(|(id, _)| Arc::clone(id))
}

/// Lets a request into a session only if it is the caller's own.
pub(super) async fn layer(
    State(sessions): State<Arc<Sessions>>,
    caller: Caller,
    mut request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let scope = caller.scope()?;
    let owner = Owner {
        space: scope.space().clone(),
        actor: scope.actor.clone(),
    };
    if stands_alone(request.headers()) {
        // Such a request has no session; what it carries must not lead it into one.
        request.headers_mut().remove(SESSION);
    }
    let named = named(request.headers())?.map(str::to_owned);
    if named.as_ref().is_some_and(|id| !sessions.belongs_to(id, &owner)) {
        return Err(ApiError::not_found("session").hint("send initialize to open one"));
    }
    let ends = request.method() == Method::DELETE;
    let mut response = next.run(request).await;
    if ends && response.status() == StatusCode::ACCEPTED {
        // It is done and not only taken on, and some clients report any other answer as a failure.
        *response.status_mut() = StatusCode::NO_CONTENT;
    }
    let opened = response.headers().get(SESSION).and_then(|id| id.to_str().ok());
    if let Some(id) = opened.map(SessionId::from).filter(|_| named.is_none()) {
        sessions.opened(id, owner).await;
    }
    Ok(response)
}

/// Tells whether the request speaks a revision without sessions.
fn stands_alone(headers: &HeaderMap) -> bool {
    let version = headers.get(VERSION).and_then(|version| version.to_str().ok());
    version.is_some_and(|version| ProtocolVersion::V_2026_07_28.as_str() <= version)
}

fn named(headers: &HeaderMap) -> Result<Option<&str>, ApiError> {
    let mut values = headers
        .get_all(SESSION)
        .iter()
        .map(|id| id.to_str().unwrap_or_default());
    match (values.next(), values.next()) {
        (named, None) => Ok(named),
        (_, Some(_)) => Err(ApiError::new(
            Code::InvalidRequest,
            "header mcp-session-id: it is given twice",
        )),
    }
}

#[cfg(test)]
mod tests {
    use recalld_memory::id::UserId;

    use super::*;

    fn owner(user: &str) -> Owner {
        Owner {
            space: SpaceId::of_user(&UserId::new(user).unwrap()),
            actor: Actor::new("key"),
        }
    }

    #[tokio::test]
    async fn a_session_is_there_for_its_owner_alone() {
        let sessions = Sessions::default();
        let (id, _transport) = sessions.manager.create_session().await.unwrap();
        sessions.opened(Arc::clone(&id), owner("ana")).await;
        assert!(sessions.belongs_to(&id, &owner("ana")));
        assert!(!sessions.belongs_to(&id, &owner("bob")));
        assert!(!sessions.belongs_to("none", &owner("ana")));
    }

    #[tokio::test]
    async fn a_caller_who_opens_too_many_loses_the_oldest() {
        let sessions = Sessions::default();
        let mut ids = Vec::new();
        let mut transports = Vec::new();
        for _ in 0..=PER_CALLER_MAX {
            let (id, transport) = sessions.manager.create_session().await.unwrap();
            transports.push(transport);
            sessions.opened(Arc::clone(&id), owner("ana")).await;
            ids.push(id);
        }
        assert!(!sessions.belongs_to(&ids[0], &owner("ana")));
        assert!(ids[1..].iter().all(|id| sessions.belongs_to(id, &owner("ana"))));
        assert_eq!(sessions.manager.sessions.read().await.len(), PER_CALLER_MAX);
    }
}
