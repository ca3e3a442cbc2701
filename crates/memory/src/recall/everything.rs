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
    let mut all: Vec<Scored> = Vec::new();
    if asked(Kind::Memory) {
        all.extend(memories(ports, scope, search, vector.as_ref(), limit).await?);
    }
    if asked(Kind::Message) {
        let look = |shelf: &MessageShelf| {
            let query = search.query.as_str();
            messages::on_shelf(shelf, query, vector.as_ref(), scope.now, None, limit)
        };
        let found = ports.spaces.messages(scope.space(), look).await?;
        let found = rerank::second_look(ports, &search.query, found, wanted)
            .await
            .into_iter();
        all.extend(found.map(|found| (Thing::Message(found.message), found.score, Some(found.parts))));
    }
    if asked(Kind::Entity) || asked(Kind::Profile) {
        let kinds = (asked(Kind::Entity), asked(Kind::Profile));
        all.extend(held(ports, scope, &search.query, kinds).await?);
    }
    if asked(Kind::Knowledge) {
        let look = |shelf: &KnowledgeShelf| knowledge::on_shelf(shelf, &search.query, vector.as_ref(), limit);
        let found = ports
            .spaces
            .knowledge(&SpaceId::shared(), look)
            .await?
            .into_iter();
        all.extend(found.map(|found| {
            let thing = Thing::Knowledge(found.document, found.chunk);
            (thing, found.score, Some(found.parts))
        }));
    }
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
    let mut all = Vec::new();
    for (space, reach) in [(scope.space(), Reach::Own), (&SpaceId::shared(), Reach::Global)] {
        if reach == Reach::Global && scope.space() == space {
            continue;
        }
        let look = |view: &SpaceView| answers(view, &question, scope.now, vector);
        let found = ports.spaces.read(space, look).await?;
        let found = rerank::second_look(ports, &search.query, found, limit)
            .await
            .into_iter();
        all.extend(found.map(|f| (Thing::Memory(f.memory, reach), f.score, Some(f.parts))));
    }
    Ok(all)
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
