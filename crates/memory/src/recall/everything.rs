//! One ranked list over everything that is kept of a user, and over what all may read.

use std::sync::Arc;

use super::global::Reach;
use super::texts::by_words;
use super::{Parts, QueryVector, Question, answers, knowledge, messages, read, rerank};
use crate::conversation::Message;
use crate::entity::Entity;
use crate::id::SpaceId;
use crate::knowledge::{Chunk, KnowledgeDocument};
use crate::memory::{Category, Memory};
use crate::ports::Ports;
use crate::profile::{self, ProfileEntry};
use crate::scope::Scope;
use crate::space::{KnowledgeShelf, MessageShelf, SpaceError, SpaceView};

/// A kind of things that can be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    Memory,
    Message,
    Entity,
    Profile,
    Knowledge,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 5] = [
        Kind::Memory,
        Kind::Message,
        Kind::Entity,
        Kind::Profile,
        Kind::Knowledge,
    ];

    /// Gives the kind's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Memory => "memory",
            Kind::Message => "message",
            Kind::Entity => "entity",
            Kind::Profile => "profile",
            Kind::Knowledge => "knowledge",
        }
    }

    /// Reads a kind's name.
    pub fn parse(raw: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.as_str() == raw)
    }
}

/// What is looked for, and among what.
#[derive(Clone, Debug)]
pub struct Search {
    pub query: String,
    pub limit: usize,
    /// None named: all kinds.
    pub kinds: Vec<Kind>,
    /// Only memories of this category; the other kinds have none.
    pub category: Option<Category>,
}

/// Something that was found.
#[derive(Clone, Debug, PartialEq)]
pub enum Thing {
    Memory(Arc<Memory>, Reach),
    Message(Arc<Message>),
    Entity(Arc<Entity>),
    Profile(ProfileEntry),
    Knowledge(Arc<KnowledgeDocument>, Arc<Chunk>),
}

impl Thing {
    /// Tells of which kind it is.
    pub fn kind(&self) -> Kind {
        match self {
            Thing::Memory(..) => Kind::Memory,
            Thing::Message(_) => Kind::Message,
            Thing::Entity(_) => Kind::Entity,
            Thing::Profile(_) => Kind::Profile,
            Thing::Knowledge(..) => Kind::Knowledge,
        }
    }
}

/// A thing in its place in the list.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    pub thing: Thing,
    /// From 0 to 1, comparable between kinds.
    pub score: f32,
    /// What the score is made of, where it has parts.
    pub parts: Option<Parts>,
    /// Its place among those of its kind, from 1.
    pub rank_in_kind: usize,
}

/// Finds what answers the query, of every kind that is asked for, the best first.
pub async fn search(ports: &Ports, scope: &Scope, search: &Search) -> Result<Vec<Ranked>, SpaceError> {
    let wanted = search.limit.min(Question::LIMIT_MAX);
    let limit = rerank::depth(ports, wanted);
    let asked = |kind: Kind| search.kinds.is_empty() || search.kinds.contains(&kind);
    let vector = QueryVector::of(ports.embedder.as_deref(), read(&search.query)).await;
    // Each looks at a space of its own or at another side of one: asked together, a store that is far away is waited
    // for once.
    let of_memories = async {
        match asked(Kind::Memory) {
            true => memories(ports, scope, search, vector.as_ref(), limit).await,
            false => Ok(Vec::new()),
        }
    };
    let of_messages = async {
        match asked(Kind::Message) {
            true => said(ports, scope, search, vector.as_ref(), limit).await,
            false => Ok(Vec::new()),
        }
    };
    let kinds = (asked(Kind::Entity), asked(Kind::Profile));
    let of_things = async {
        match kinds {
            (false, false) => Ok(Vec::new()),
            kinds => held(ports, scope, &search.query, kinds).await,
        }
    };
    let of_knowledge = async {
        match asked(Kind::Knowledge) {
            true => known(ports, search, vector.as_ref(), limit).await,
            false => Ok(Vec::new()),
        }
    };
    let (memories, messages, things, knowledge) =
        tokio::try_join!(of_memories, of_messages, of_things, of_knowledge)?;
    let all = [memories, messages, things, knowledge]
        .into_iter()
        .flatten()
        .collect();
    Ok(in_order(all, wanted))
}

/// A thing that was found, its score and what that is made of.
type Scored = (Thing, f32, Option<Parts>);

async fn memories(
    ports: &Ports,
    scope: &Scope,
    search: &Search,
    vector: Option<&QueryVector>,
    limit: usize,
) -> Result<Vec<Scored>, SpaceError> {
    let question = Question {
        category: search.category.clone(),
        ..Question::new(search.query.as_str(), limit)
    };
    let (own, shared) = (scope.space(), &SpaceId::shared());
    let reached = async |space: &SpaceId, reach: Reach| {
        if reach == Reach::Global && own == space {
            return Ok(Vec::new());
        }
        let look = |view: &SpaceView| answers(view, &question, scope.now, vector);
        let found = ports.spaces.read(space, look).await?;
        let found = rerank::second_look(ports, &search.query, found, limit).await;
        let mut scored: Vec<Scored> = Vec::with_capacity(found.len());
        for found in found {
            scored.push((Thing::Memory(found.memory, reach), found.score, Some(found.parts)));
        }
        Ok::<_, SpaceError>(scored)
    };
    let (mut all, global) = tokio::try_join!(reached(own, Reach::Own), reached(shared, Reach::Global))?;
    all.extend(global);
    Ok(all)
}

async fn said(
    ports: &Ports,
    scope: &Scope,
    search: &Search,
    vector: Option<&QueryVector>,
    limit: usize,
) -> Result<Vec<Scored>, SpaceError> {
    let look = |shelf: &MessageShelf| {
        messages::on_shelf(shelf, search.query.as_str(), vector, scope.now, None, limit)
    };
    let found = ports.spaces.messages(scope.space(), look).await?;
    let wanted = search.limit.min(Question::LIMIT_MAX);
    let found = rerank::second_look(ports, &search.query, found, wanted).await;
    let scored = found.into_iter();
    Ok(scored
        .map(|found| (Thing::Message(found.message), found.score, Some(found.parts)))
        .collect())
}

async fn known(
    ports: &Ports,
    search: &Search,
    vector: Option<&QueryVector>,
    limit: usize,
) -> Result<Vec<Scored>, SpaceError> {
    let look = |shelf: &KnowledgeShelf| knowledge::on_shelf(shelf, &search.query, vector, limit);
    let found = ports.spaces.knowledge(&SpaceId::shared(), look).await?;
    let wanted = search.limit.min(Question::LIMIT_MAX);
    let found = rerank::second_look(ports, &search.query, found, wanted).await;
    let scored = found.into_iter();
    Ok(scored
        .map(|found| {
            let thing = Thing::Knowledge(found.document, found.chunk);
            (thing, found.score, Some(found.parts))
        })
        .collect())
}

/// Entities and profile are few, so they are ranked where they stand.
async fn held(
    ports: &Ports,
    scope: &Scope,
    query: &str,
    (with_entities, with_profile): (bool, bool),
) -> Result<Vec<Scored>, SpaceError> {
    let look = |view: &SpaceView| {
        let entities = view.entities().filter(|_| with_entities).map(|entity| {
            let notes = entity.notes.as_ref().map_or("", |notes| notes.as_str());
            (
                Thing::Entity(Arc::clone(entity)),
                format!("{} {notes}", entity.name.as_str()),
            )
        });
        let mut things: Vec<(Thing, String)> = entities.collect();
        if with_profile {
            let entries = profile::entries(view, &ports.settings.profile).into_iter();
            things.extend(entries.map(|entry| {
                let text = entry.text.clone();
                (Thing::Profile(entry), text)
            }));
        }
        things
    };
    let things = ports.spaces.read(scope.space(), look).await?;
    let texts: Vec<&str> = things.iter().map(|(_, text)| text.as_str()).collect();
    let scores = by_words(read(query), &texts);
    let scored = things.into_iter().zip(scores).filter(|(_, score)| 0.0 < *score);
    Ok(scored.map(|((thing, _), score)| (thing, score, None)).collect())
}

/// Puts the best first; of equals, kinds in their order, and each kind in its own.
fn in_order(mut all: Vec<Scored>, limit: usize) -> Vec<Ranked> {
    all.sort_by(|(a, a_score, _), (b, b_score, _)| b_score.total_cmp(a_score).then(a.kind().cmp(&b.kind())));
    let mut seen = [0_usize; Kind::ALL.len()];
    let mut ranked = Vec::with_capacity(all.len().min(limit));
    for (thing, score, parts) in all.into_iter().take(limit) {
        let rank = &mut seen[thing.kind() as usize];
        *rank += 1;
        ranked.push(Ranked {
            rank_in_kind: *rank,
            thing,
            score,
            parts,
        });
    }
    ranked
}
