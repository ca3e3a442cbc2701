//! Places, accounts and people: adding, mentioning, listing, and what is known about one.

use std::sync::Arc;

use thiserror::Error;

use crate::change::{Act, Effect};
use crate::entity::{Entity, EntityKind, EntityName, Mention};
use crate::id::{ConversationId, EntityId, MessageId};
use crate::memory::{Content, Memory, Origin};
use crate::recall::{self, Hit, Question};
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
}

/// What became of it.
#[derive(Clone, Debug, PartialEq)]
pub enum Added {
    New(Arc<Entity>),
    /// It was known; its name and notes are now as given.
    Revised(Arc<Entity>),
    /// It was known just like that.
    Unchanged(Arc<Entity>),
}

impl Added {
    /// Gives the entity.
    pub fn entity(&self) -> &Arc<Entity> {
        match self {
            Added::New(entity) | Added::Revised(entity) | Added::Unchanged(entity) => entity,
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
/// count as a mention. What only a document or a tool says of it stays out of the memory document,
/// and changes nothing there.
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
    let known = view.entity(&new.id);
    let notes = new.notes.as_ref().map_or("", |notes| notes.as_str());
    let said = format!("{} {notes}", new.name.as_str());
    let trusted = scope.trust(&said, Origin::Assistant).may_be_injected();
    let shown = known.filter(|known| known.in_document && !known.retired && !trusted);
    let mut entity = Entity {
        id: new.id.clone(),
        kind: new.kind,
        name: new.name.clone(),
        notes: new
            .notes
            .clone()
            .or_else(|| known.and_then(|known| known.notes.clone())),
        added_at: known.map_or(scope.now, |known| known.added_at),
        revised_at: scope.now,
        retired: false,
        in_document: trusted,
        mentions: known.map(|known| known.mentions.clone()).unwrap_or_default(),
    };
    if let Some(shown) = shown {
        entity = Entity::clone(shown);
    }
    let same = known.is_some_and(|known| {
        !known.retired
            && known.kind == entity.kind
            && known.name == entity.name
            && known.notes == entity.notes
    });
    let act = if known.is_some() {
        Act::Revise
    } else {
        Act::Remember
    };
    let mut changes = Vec::new();
    if !same {
        changes.push(scope.change(
            None,
            Effect::Entity {
                act,
                entity: entity.clone(),
            },
        ));
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
    let outcome = match (same, act) {
        (true, _) => Added::Unchanged(Arc::new(entity)),
        (false, Act::Remember) => Added::New(Arc::new(entity)),
        (false, _) => Added::Revised(Arc::new(entity)),
    };
    Decision { changes, outcome }
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

/// What is remembered of a company.
#[derive(Clone, Debug)]
pub struct Account {
    /// Known under that name, if any is.
    pub entity: Option<Arc<Entity>>,
    /// What was said of it, the most telling first.
    pub memories: Vec<Hit<Arc<Memory>>>,
}

/// How many memories an account's context shows.
const ACCOUNT_MEMORIES_MAX: usize = 20;

/// Gathers what is remembered of the company called `name`; `about` narrows it, such as to
/// `previous research`.
pub async fn account(
    ports: &Ports,
    scope: &Scope,
    name: &str,
    about: Option<&str>,
) -> Result<Account, SpaceError> {
    let wanted = folded(name);
    let look = |view: &SpaceView| {
        let is_it = |entity: &&Arc<Entity>| {
            entity.kind == EntityKind::Account
                && (folded(entity.name.as_str()) == wanted || folded(entity.id.as_str()) == wanted)
        };
        let entity = view.entities().find(is_it).cloned();
        let question = Question::new(name, Question::LIMIT_MAX);
        // Only what names the company: a memory that shares one of its words is not about it.
        let naming = recall::in_view(view, &question, scope.now)
            .into_iter()
            .filter(|hit| names(hit, &wanted));
        let mut memories: Vec<Hit<Arc<Memory>>> = naming.collect();
        if let Some(about) = about {
            narrow(view, scope, about, &mut memories);
        }
        memories.truncate(ACCOUNT_MEMORIES_MAX);
        Account { entity, memories }
    };
    ports.spaces.read(scope.space(), look).await
}

fn names(hit: &Hit<Arc<Memory>>, wanted: &str) -> bool {
    let key = hit.item.key.as_ref().map_or("", |key| key.as_str());
    folded(hit.item.content.as_str()).contains(wanted) || folded(key).contains(wanted)
}

/// Puts first what answers `about`, and leaves out the rest when anything does.
fn narrow(view: &SpaceView, scope: &Scope, about: &str, memories: &mut Vec<Hit<Arc<Memory>>>) {
    let question = Question::new(about.replace('_', " "), Question::LIMIT_MAX);
    let telling: Vec<_> = recall::in_view(view, &question, scope.now)
        .into_iter()
        .map(|hit| hit.item.id)
        .collect();
    let place = |hit: &Hit<Arc<Memory>>| telling.iter().position(|id| *id == hit.item.id);
    if memories.iter().any(|hit| place(hit).is_some()) {
        memories.retain(|hit| place(hit).is_some());
        memories.sort_by_key(|hit| place(hit));
    }
}

fn folded(name: &str) -> String {
    name.replace(['_', '-'], " ")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .to_lowercase()
}
