//! One ranked list over everything that is kept of a user, and over what all may read.

use std::sync::Arc;

use super::global::Reach;
use super::texts::by_words;
use super::{Found, Parts, Question, Reading, answers, knowledge, messages, rerank};
use crate::conversation::Message;
use crate::entity::Entity;
use crate::id::{MemoryId, SpaceId};
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
    /// Whether each result tells its place in each arm's own order.
    pub explain: bool,
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

impl Ranked {
    /// Names the memory of the user's own that it is, if it is one.
    pub fn own_memory(&self) -> Option<MemoryId> {
        match &self.thing {
            Thing::Memory(memory, Reach::Own) => Some(memory.id),
            _ => None,
        }
    }
}

/// Finds what answers the query, of every kind that is asked for, the best first.
pub async fn search(ports: &Ports, scope: &Scope, search: &Search) -> Result<Vec<Ranked>, SpaceError> {
    let wanted = search.limit.min(Question::LIMIT_MAX);
    let limit = rerank::depth(ports, wanted);
    let reading = Reading::of(&search.query, ports.embedder.as_deref(), scope.now).await;
    let reading = &match search.explain {
        true => reading.with_places(),
        false => reading,
    };
    // Each looks at a space of its own or at another side of one: asked together, a store that is far away is waited
    // for once.
    let of_messages = async {
        match search.asks_for(Kind::Message) {
            true => said(ports, scope, search, reading, limit).await,
            false => Ok(Vec::new()),
        }
    };
    let of_knowledge = async {
        match search.asks_for(Kind::Knowledge) {
            true => known(ports, search, reading, limit).await,
            false => Ok(Vec::new()),
        }
    };
    let (mut all, global, messages, knowledge) = tokio::try_join!(
        held(ports, scope, search, reading, limit),
        shared(ports, scope, search, reading, limit),
        of_messages,
        of_knowledge
    )?;
    all.extend(global);
    all.extend(messages);
    all.extend(knowledge);
    Ok(in_order(all, wanted))
}

/// A thing that was found, its score and what that is made of.
type Scored = (Thing, f32, Option<Parts>);

impl Search {
    fn asks_for(&self, kind: Kind) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&kind)
    }

    fn question(&self, limit: usize) -> Question {
        Question {
            category: self.category.clone(),
            ..Question::new(self.query.as_str(), limit)
        }
    }
}

/// Memories, entities and profile of the user: all in one look.
async fn held(
    ports: &Ports,
    scope: &Scope,
    search: &Search,
    reading: &Reading,
    limit: usize,
) -> Result<Vec<Scored>, SpaceError> {
    let kinds = [Kind::Memory, Kind::Entity, Kind::Profile].map(|kind| search.asks_for(kind));
    let [with_memories, with_entities, with_profile] = kinds;
    if kinds == [false; 3] {
        return Ok(Vec::new());
    }
    let question = search.question(limit);
    let look = |view: &SpaceView| {
        let memories = match with_memories {
            true => answers(view, &question, scope.now, reading),
            false => Vec::new(),
        };
        (memories, things(ports, view, with_entities, with_profile))
    };
    let (memories, things) = ports.spaces.read(scope.space(), look).await?;
    let memories = rerank::second_look(ports, &search.query, memories, limit).await;
    let texts: Vec<&str> = things.iter().map(|(_, text)| text.as_str()).collect();
    let scores = by_words(reading.terms(), &texts);
    let things = things.into_iter().zip(scores).filter(|(_, score)| 0.0 < *score);
    let things = things.map(|((thing, _), score)| (thing, score, None));
    Ok(scored(memories, Reach::Own).chain(things).collect())
}

/// Entities and profile are few, so they are ranked where they stand.
fn things(ports: &Ports, view: &SpaceView, with_entities: bool, with_profile: bool) -> Vec<(Thing, String)> {
    let entities = view.entities().filter(|_| with_entities).map(|entity| {
        let notes = entity.notes.as_ref().map_or("", |notes| notes.as_str());
        let text = format!("{} {notes}", entity.name.as_str());
        (Thing::Entity(Arc::clone(entity)), text)
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
}

/// Memories that all may read.
async fn shared(
    ports: &Ports,
    scope: &Scope,
    search: &Search,
    reading: &Reading,
    limit: usize,
) -> Result<Vec<Scored>, SpaceError> {
    let shared = SpaceId::shared();
    if *scope.space() == shared || !search.asks_for(Kind::Memory) {
        return Ok(Vec::new());
    }
    let question = search.question(limit);
    let look = |view: &SpaceView| answers(view, &question, scope.now, reading);
    let found = ports.spaces.read(&shared, look).await?;
    let found = rerank::second_look(ports, &search.query, found, limit).await;
    Ok(scored(found, Reach::Global).collect())
}

fn scored(found: Vec<Found>, reach: Reach) -> impl Iterator<Item = Scored> {
    found
        .into_iter()
        .map(move |found| (Thing::Memory(found.memory, reach), found.score, Some(found.parts)))
}

async fn said(
    ports: &Ports,
    scope: &Scope,
    search: &Search,
    reading: &Reading,
    limit: usize,
) -> Result<Vec<Scored>, SpaceError> {
    let look = |shelf: &MessageShelf| messages::on_shelf(shelf, reading, None, limit);
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
    reading: &Reading,
    limit: usize,
) -> Result<Vec<Scored>, SpaceError> {
    let look = |shelf: &KnowledgeShelf| knowledge::on_shelf(shelf, reading, limit);
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
