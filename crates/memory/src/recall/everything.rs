//! One ranked list over everything that is kept of a user, and over what all may read.

use std::sync::Arc;

use super::global::Reach;
use super::texts::by_words;
use super::{
    Found, FoundChunk, FoundMessage, Parts, Question, Reading, answers, knowledge, messages, rerank,
};
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
    let reading = Reading::of(&search.query, ports.embedder.as_deref(), scope.now).await;
    let looking = Looking {
        ports,
        scope,
        search,
        wanted,
        depth: rerank::depth(ports, wanted),
        reading: match search.explain {
            true => reading.with_places(),
            false => reading,
        },
    };
    // Each looks at a space of its own or at another side of one: asked together, a store that is
    // far away is waited for once.
    let (mut all, shared, said, known) =
        tokio::try_join!(looking.held(), looking.shared(), looking.said(), looking.known())?;
    all.extend(shared);
    all.extend(said);
    all.extend(known);
    Ok(in_order(all, wanted))
}

/// A thing that was found, its score and what that is made of.
type Scored = (Thing, f32, Option<Parts>);

/// One search under way.
struct Looking<'a> {
    ports: &'a Ports,
    scope: &'a Scope,
    search: &'a Search,
    reading: Reading,
    wanted: usize,
    /// How many of each kind are looked at.
    depth: usize,
}

impl Looking<'_> {
    /// Memories, entities and profile of the user: all in one look.
    async fn held(&self) -> Result<Vec<Scored>, SpaceError> {
        let kinds = [Kind::Memory, Kind::Entity, Kind::Profile].map(|kind| self.asks_for(kind));
        if kinds == [false; 3] {
            return Ok(Vec::new());
        }
        let [with_memories, with_entities, with_profile] = kinds;
        let question = self.question();
        let look = |view: &SpaceView| {
            let memories = match with_memories {
                true => answers(view, &question, self.scope.now, &self.reading),
                false => Vec::new(),
            };
            (memories, things(self.ports, view, with_entities, with_profile))
        };
        let (memories, things) = self.ports.spaces.read(self.scope.space(), look).await?;
        let memories = self.second_look(memories, self.depth).await;
        let texts: Vec<&str> = things.iter().map(|(_, text)| text.as_str()).collect();
        let scores = by_words(self.reading.terms(), &texts);
        let things = things.into_iter().zip(scores).filter(|(_, score)| 0.0 < *score);
        let things = things.map(|((thing, _), score)| (thing, score, None));
        Ok(scored(memories, Reach::Own).chain(things).collect())
    }

    /// Memories that all may read.
    async fn shared(&self) -> Result<Vec<Scored>, SpaceError> {
        let shared = SpaceId::shared();
        if *self.scope.space() == shared || !self.asks_for(Kind::Memory) {
            return Ok(Vec::new());
        }
        let question = self.question();
        let look = |view: &SpaceView| answers(view, &question, self.scope.now, &self.reading);
        let found = self.ports.spaces.read(&shared, look).await?;
        let found = self.second_look(found, self.depth).await;
        Ok(scored(found, Reach::Global).collect())
    }

    /// Messages of the user.
    async fn said(&self) -> Result<Vec<Scored>, SpaceError> {
        if !self.asks_for(Kind::Message) {
            return Ok(Vec::new());
        }
        let look = |shelf: &MessageShelf| messages::on_shelf(shelf, &self.reading, None, self.depth);
        let found = self.ports.spaces.messages(self.scope.space(), look).await?;
        let found = self.second_look(found, self.wanted).await;
        let scored = |found: FoundMessage| (Thing::Message(found.message), found.score, Some(found.parts));
        Ok(found.into_iter().map(scored).collect())
    }

    /// Documents that all may read.
    async fn known(&self) -> Result<Vec<Scored>, SpaceError> {
        if !self.asks_for(Kind::Knowledge) {
            return Ok(Vec::new());
        }
        let look = |shelf: &KnowledgeShelf| knowledge::on_shelf(shelf, &self.reading, self.depth);
        let found = self.ports.spaces.knowledge(&SpaceId::shared(), look).await?;
        let found = self.second_look(found, self.wanted).await;
        let scored = |found: FoundChunk| {
            let thing = Thing::Knowledge(found.document, found.chunk);
            (thing, found.score, Some(found.parts))
        };
        Ok(found.into_iter().map(scored).collect())
    }

    fn asks_for(&self, kind: Kind) -> bool {
        self.search.kinds.is_empty() || self.search.kinds.contains(&kind)
    }

    /// Which memories may answer. What is asked was read already.
    fn question(&self) -> Question {
        Question {
            category: self.search.category.clone(),
            ..Question::new("", self.depth)
        }
    }

    async fn second_look<T: rerank::Answer>(&self, found: Vec<T>, limit: usize) -> Vec<T> {
        rerank::second_look(self.ports, &self.search.query, found, limit).await
    }
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

fn scored(found: Vec<Found>, reach: Reach) -> impl Iterator<Item = Scored> {
    found
        .into_iter()
        .map(move |found| (Thing::Memory(found.memory, reach), found.score, Some(found.parts)))
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
