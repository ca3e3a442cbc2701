//! Places, accounts and people: adding, mentioning, listing, and what is known about one.

mod account;

use std::sync::Arc;

pub use account::{Account, account};
use thiserror::Error;

use crate::change::{Act, Effect};
use crate::entity::{Entity, EntityKind, EntityName, Mention};
use crate::id::{ConversationId, EntityId, MessageId};
use crate::memory::{Content, Origin};
use crate::scope::Scope;
use crate::screening::secrets;
use crate::space::{Decision, SpaceError, SpaceView};
use crate::wiring::Ports;

/// An entity that somebody wants remembered.
#[derive(Clone, Debug)]
pub struct NewEntity {
    pub id: EntityId,
    pub kind: EntityKind,
    pub name: EntityName,
    pub notes: Option<Content>,
    /// Who says so.
    pub origin: Origin,
}

/// What became of it.
#[derive(Clone, Debug, PartialEq)]
pub enum Added {
    New(Arc<Entity>),
    /// It was known; its name and notes are now as given.
    Revised(Arc<Entity>),
    /// It was known just like that.
    Unchanged(Arc<Entity>),
    /// It was known from somebody who is trusted more, and stays as it was.
    Kept(Arc<Entity>),
}

impl Added {
    /// Gives the entity.
    pub fn entity(&self) -> &Arc<Entity> {
        match self {
            Added::New(entity) | Added::Revised(entity) | Added::Unchanged(entity) | Added::Kept(entity) => {
                entity
            }
        }
    }
}

/// Why an entity cannot be remembered.
#[derive(Debug, Error)]
pub enum AddError {
    /// It holds what must not be stored.
    #[error("the entity looks like it holds a secret ({})", .0.as_str())]
    Secret(secrets::Secret),
    /// The space could not be written.
    #[error(transparent)]
    Space(#[from] SpaceError),
}

/// Adds an entity or brings it up to date; when the scope has a conversation and a message, they
/// count as a mention. Whoever is trusted less changes nothing of what is known. What a document or
/// a tool says, and what reads like an instruction, stays out of the memory document.
pub async fn add(ports: &Ports, scope: &Scope, new: NewEntity) -> Result<Added, AddError> {
    let notes = new.notes.as_ref().map(|notes| notes.as_str());
    if let Some(secret) = [Some(new.id.as_str()), Some(new.name.as_str()), notes]
        .into_iter()
        .flatten()
        .find_map(secrets::find)
    {
        return Err(AddError::Secret(secret));
    }
    let decided_for = scope.clone();
    let decide = move |view: &SpaceView| decide_add(view, &decided_for, &new);
    Ok(ports.spaces.write(scope.space(), decide).await?)
}

fn decide_add(view: &SpaceView, scope: &Scope, new: &NewEntity) -> Decision<Added> {
    let known = view.entity(&new.id).map(|known| &**known);
    let entity = added(known, scope, new);
    let standing = known.filter(|known| !known.retired);
    let (mut entity, kind): (Entity, fn(Arc<Entity>) -> Added) = match standing {
        Some(known) if says_the_same(known, &entity) => (known.clone(), Added::Unchanged),
        Some(known) if !entity.trust.may_replace(known.trust) => (known.clone(), Added::Kept),
        _ if known.is_some() => (entity, Added::Revised),
        _ => (entity, Added::New),
    };
    let act = match known {
        Some(_) => Act::Revise,
        None => Act::Remember,
    };
    let mut changes = Vec::new();
    if standing != Some(&entity) {
        let entity = entity.clone();
        changes.push(scope.change(None, Effect::Entity { act, entity }));
    }
    if let Some(mention) = mention_of(scope) {
        entity.mentions.push(mention.clone());
        changes.push(scope.change(
            None,
            Effect::Mention {
                entity: entity.id.clone(),
                mention,
            },
        ));
    }
    Decision {
        changes,
        outcome: kind(Arc::new(entity)),
    }
}

/// Gives the entity as `new` would have it. Notes that are not given again stay, with their trust.
fn added(known: Option<&Entity>, scope: &Scope, new: &NewEntity) -> Entity {
    let notes = new.notes.as_ref().map_or("", |notes| notes.as_str());
    let trust = scope.trust(&format!("{} {notes}", new.name.as_str()), new.origin);
    let inherited = known.filter(|known| new.notes.is_none() && known.notes.is_some());
    let mut entity = Entity {
        id: new.id.clone(),
        kind: new.kind,
        name: new.name.clone(),
        notes: new
            .notes
            .clone()
            .or_else(|| inherited.and_then(|known| known.notes.clone())),
        added_at: known.map_or(scope.now, |known| known.added_at),
        revised_at: scope.now,
        retired: false,
        in_document: false,
        trust: inherited.map_or(trust, |known| trust.least_trusted(known.trust)),
        mentions: known.map(|known| known.mentions.clone()).unwrap_or_default(),
    };
    entity.in_document = entity.belongs_in_document();
    entity
}

/// Tells whether `new` brings nothing: neither another word nor more trust.
fn says_the_same(known: &Entity, new: &Entity) -> bool {
    let same = known.kind == new.kind && known.name == new.name && known.notes == new.notes;
    same && known.trust <= new.trust
}

/// Confirms an entity, for the user of `scope`: it counts as the user's own from then on. Gives
/// none when there is no such entity.
pub async fn confirm(ports: &Ports, scope: &Scope, id: EntityId) -> Result<Option<Arc<Entity>>, SpaceError> {
    let decided_for = scope.clone();
    let decide = move |view: &SpaceView| {
        let Some(known) = view.entity(&id).filter(|known| !known.retired) else {
            return Decision::nothing(None);
        };
        if known.trust == Origin::User {
            return Decision::nothing(Some(Arc::clone(known)));
        }
        let mut entity = Entity {
            trust: Origin::User,
            revised_at: decided_for.now,
            ..Entity::clone(known)
        };
        entity.in_document = entity.belongs_in_document();
        let effect = Effect::Entity {
            act: Act::Revise,
            entity: entity.clone(),
        };
        Decision {
            changes: vec![decided_for.change(None, effect)],
            outcome: Some(Arc::new(entity)),
        }
    };
    ports.spaces.write(scope.space(), decide).await
}

/// Lists the entities that wait for review: they are not in the user's own words and read like an
/// instruction.
pub async fn quarantined(ports: &Ports, scope: &Scope) -> Result<Vec<Arc<Entity>>, SpaceError> {
    let look = |view: &SpaceView| {
        let waits = |entity: &&Arc<Entity>| entity.quarantine().is_some();
        let mut entities: Vec<Arc<Entity>> = view.entities().filter(waits).cloned().collect();
        entities.sort_by(|a, b| (b.revised_at, &a.id).cmp(&(a.revised_at, &b.id)));
        entities
    };
    ports.spaces.read(scope.space(), look).await
}

fn mention_of(scope: &Scope) -> Option<Mention> {
    let (conversation, message) = scope.conversation.clone().zip(scope.message.clone())?;
    Some(Mention {
        conversation,
        message,
        at: scope.now,
    })
}

/// Notes that a message mentions an entity. Gives none when there is no such entity.
pub async fn mention(
    ports: &Ports,
    scope: &Scope,
    id: EntityId,
    conversation: ConversationId,
    message: MessageId,
) -> Result<Option<Arc<Entity>>, SpaceError> {
    let decided_for = scope.clone();
    let decide = move |view: &SpaceView| {
        let Some(known) = view.entity(&id).filter(|known| !known.retired) else {
            return Decision::nothing(None);
        };
        let mention = Mention {
            conversation: conversation.clone(),
            message: message.clone(),
            at: decided_for.now,
        };
        let mut entity = Entity::clone(known);
        entity.mentions.push(mention.clone());
        let change = decided_for.change(
            None,
            Effect::Mention {
                entity: id.clone(),
                mention,
            },
        );
        Decision {
            changes: vec![change],
            outcome: Some(Arc::new(entity)),
        }
    };
    ports.spaces.write(scope.space(), decide).await
}

/// Hides an entity. Tells whether there was one.
pub async fn retire(ports: &Ports, scope: &Scope, id: EntityId) -> Result<bool, SpaceError> {
    let decided_for = scope.clone();
    let decide = move |view: &SpaceView| {
        let Some(known) = view.entity(&id).filter(|known| !known.retired) else {
            return Decision::nothing(false);
        };
        let entity = Entity {
            retired: true,
            revised_at: decided_for.now,
            ..Entity::clone(known)
        };
        let change = decided_for.change(
            None,
            Effect::Entity {
                act: Act::Retire,
                entity,
            },
        );
        Decision {
            changes: vec![change],
            outcome: true,
        }
    };
    ports.spaces.write(scope.space(), decide).await
}

/// Lists the entities that are shown, of one kind or of all, in the order in which they were added.
pub async fn list(
    ports: &Ports,
    scope: &Scope,
    kind: Option<EntityKind>,
) -> Result<Vec<Arc<Entity>>, SpaceError> {
    let look = |view: &SpaceView| {
        let wanted = |entity: &&Arc<Entity>| kind.is_none_or(|kind| entity.kind == kind);
        let mut entities: Vec<Arc<Entity>> = view.entities().filter(wanted).cloned().collect();
        entities.sort_by(|a, b| (a.added_at, &a.id).cmp(&(b.added_at, &b.id)));
        entities
    };
    ports.spaces.read(scope.space(), look).await
}
