//! On whose behalf something happens, and when.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use jiff::Timestamp;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::change::{Actor, Change, Effect, Stamp};
use crate::id::{ConversationId, MessageId, Namespace, SpaceId, UserId};
use crate::lens::Lens;
use crate::memory::{Origin, Project, Source};
use crate::ports::Ids;
use crate::trust_context::TrustContext;

/// The authenticated user of a request, with what is known about the moment.
///
/// It is the only door to a user's space: a door (CLI, REST, MCP) makes it from the caller's
/// identity, and no argument of a tool or field of a body can change it.
#[derive(Clone, Debug)]
pub struct Scope {
    space: SpaceId,
    user: UserId,
    pub actor: Actor,
    pub conversation: Option<ConversationId>,
    pub message: Option<MessageId>,
    pub now: Timestamp,
    /// The project in which it happens: nothing of another one is seen or changed. None sees all.
    pub project: Option<Project>,
    /// Whether only what belongs to the project may be changed.
    pub confined: bool,
    /// What tells this request from all others, when it must not be carried out twice: the ids it
    /// makes are derived from it, so that the same request, sent again, makes the same ones.
    pub once: Option<[u8; 32]>,
    /// What was heard besides the user, when a model acts: what it remembers is trusted no further.
    pub heard: Option<TrustContext>,
    /// How many ids this request made. Clones of a scope are the same request.
    made: Arc<AtomicU32>,
}

impl Scope {
    /// Opens the space of `user` for `actor` at `now`.
    pub fn of_user(user: UserId, actor: Actor, now: Timestamp) -> Scope {
        Scope {
            space: SpaceId::of_user(&user),
            user,
            actor,
            conversation: None,
            message: None,
            now,
            project: None,
            confined: false,
            once: None,
            heard: None,
            made: Arc::default(),
        }
    }

    /// Opens the space of `user` inside `namespace`.
    pub fn of_user_in(namespace: &Namespace, user: UserId, actor: Actor, now: Timestamp) -> Scope {
        Scope {
            space: SpaceId::of_user_in(namespace, &user),
            ..Scope::of_user(user, actor, now)
        }
    }

    /// Opens the space that all may read, for the administrator `by`. A door checks first that they
    /// are one.
    pub fn of_shared(by: UserId, actor: Actor, now: Timestamp) -> Scope {
        Scope {
            space: SpaceId::shared(),
            ..Scope::of_user(by, actor, now)
        }
    }

    /// Opens any space for recalld's own work, in which nobody's words are read or written.
    pub(crate) fn of_upkeep(space: SpaceId, now: Timestamp) -> Scope {
        let by = UserId::new("upkeep").expect("the word is a valid id");
        Scope {
            space,
            ..Scope::of_user(by, Actor::new("upkeep"), now)
        }
    }

    /// Opens the space of a user for a job that is owed to them; none for a space that is nobody's.
    pub fn of_job(space: SpaceId, actor: Actor, now: Timestamp) -> Option<Scope> {
        let user = UserId::new(space.user()?).ok()?;
        Some(Scope {
            space,
            ..Scope::of_user(user, actor, now)
        })
    }

    /// Makes an id that nobody has used and that sorts after earlier ones. For a request that must
    /// not be carried out twice, all of it but the time is always the same: see
    /// [`made_by_same_request`].
    pub fn fresh_id(&self, ids: &dyn Ids) -> Uuid {
        let Some(derived) = self.derived() else {
            return ids.next(self.now);
        };
        let mut rest = [0; 10];
        rest.copy_from_slice(&derived[..10]);
        let millis = u64::try_from(self.now.as_millisecond()).unwrap_or(0);
        uuid::Builder::from_unix_timestamp_millis(millis, &rest).into_uuid()
    }

    /// Makes an id that nobody has used, for things whose ids need no order. For a request that
    /// must not be carried out twice it is always the same.
    pub fn fresh_name(&self, ids: &dyn Ids) -> String {
        match self.derived() {
            Some(derived) => uuid::Builder::from_custom_bytes(derived).into_uuid().to_string(),
            None => ids.next(self.now).to_string(),
        }
    }

    fn derived(&self) -> Option<[u8; 16]> {
        let seed = self.once?;
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        Some(derived(&self.space, &seed, number))
    }

    /// Names the space.
    pub fn space(&self) -> &SpaceId {
        &self.space
    }

    /// Names the user.
    pub fn user(&self) -> &UserId {
        &self.user
    }

    /// Tells what is seen here.
    pub fn lens(&self) -> Lens<'_> {
        Lens::of_project(self.now, self.project.as_ref())
    }

    /// Tells what may be changed here.
    pub fn lens_to_change(&self) -> Lens<'_> {
        Lens {
            own_only: self.confined,
            ..self.lens()
        }
    }

    /// Tells how far a statement can be trusted that is given here as one of `origin`.
    pub fn trust(&self, statement: &str, origin: Origin) -> Origin {
        match &self.heard {
            Some(heard) => heard.trust(statement, origin),
            None => origin,
        }
    }

    /// Stamps what is done in this scope.
    pub fn stamp(&self, source: Option<Source>) -> Stamp {
        Stamp {
            at: self.now,
            actor: self.actor.clone(),
            conversation: self.conversation.clone(),
            message: self.message.clone(),
            source,
        }
    }

    /// Makes a change of `effect`, stamped.
    pub fn change(&self, source: Option<Source>, effect: Effect) -> Change {
        Change {
            stamp: self.stamp(source),
            effect,
        }
    }
}

/// Tells whether two ids of [`Scope::fresh_id`] came from one request, carried out at two times.
pub fn made_by_same_request(a: Uuid, b: Uuid) -> bool {
    const TIME_BITS: u32 = 48;
    a.as_u128() << TIME_BITS == b.as_u128() << TIME_BITS
}

/// What the request `seed` makes as its `number`th. The space is part of it: two users may send the
/// same seed.
fn derived(space: &SpaceId, seed: &[u8; 32], number: u32) -> [u8; 16] {
    let mut hash = Sha256::new();
    hash.update(seed);
    hash.update(number.to_be_bytes());
    hash.update(space.as_str());
    let digest: [u8; 32] = hash.finalize().into();
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_sent_again_makes_the_same_ids() {
        let ana = SpaceId::of_user(&UserId::new("ana").unwrap());
        let bob = SpaceId::of_user(&UserId::new("bob").unwrap());
        assert_eq!(derived(&ana, &[7; 32], 0), derived(&ana, &[7; 32], 0));
        let others = [
            derived(&ana, &[7; 32], 1),
            derived(&ana, &[8; 32], 0),
            derived(&bob, &[7; 32], 0),
        ];
        assert!(others.iter().all(|other| *other != derived(&ana, &[7; 32], 0)));
    }

    #[test]
    fn an_id_tells_its_request_whenever_it_was_made() {
        let made = |millis: u64, rest: u8| {
            uuid::Builder::from_unix_timestamp_millis(millis, &[rest; 10]).into_uuid()
        };
        assert!(made_by_same_request(made(1, 5), made(2, 5)));
        assert!(!made_by_same_request(made(1, 5), made(1, 6)));
        assert!(made(1, 9) < made(2, 1));
    }
}
