//! One ranked list over everything that is stored of a user, and over what all users may read.

use std::sync::Arc;

use recalld_index::rank::calibrated;

use super::item::ChunkOfDocument;
use super::knowledge;
use super::{
    Hit, Item, ItemKind, PreparedQuery, Question, Reach, answers, events, messages, overview, rerank,
};
use crate::conversation::Message;
use crate::id::SpaceId;
use crate::memory::Memory;
use crate::profile;
use crate::scope::Scope;
use crate::space::{KnowledgeIndex, MessageIndex, SpaceError, SpaceView};
use crate::text_ranking::by_words;
use crate::trace;
use crate::wiring::Ports;

/// What a search found.
#[derive(Debug)]
pub struct Searched {
    pub hits: Vec<Hit<Item>>,
    /// Whether what all users may read could not be read: of a distributed store, that part may be
    /// away while the user's own is there.
    pub lacks_shared: bool,
}

/// Finds what answers the question, of every kind that it asks for, the best first.
pub async fn search(ports: &Ports, scope: &Scope, question: &Question) -> Result<Vec<Hit<Item>>, SpaceError> {
    Ok(search_what_is_there(ports, scope, question).await?.hits)
}

/// Searches as [`search`] does, and tells whether a part is missing.
pub async fn search_what_is_there(
    ports: &Ports,
    scope: &Scope,
    question: &Question,
) -> Result<Searched, SpaceError> {
    trace::operation(
        "search_memory",
        scope,
        search_all(ports, scope, question),
        |found, span| {
            span.set("gen_ai.memory.record.count", found.hits.len() as i64);
            span.content("gen_ai.memory.query.text", || question.text.clone());
        },
    )
    .await
}

async fn search_all(ports: &Ports, scope: &Scope, question: &Question) -> Result<Searched, SpaceError> {
    let query = PreparedQuery::of(&question.text, ports.embedder.as_deref(), scope.now).await;
    let query = in_time(ports, scope, question, query).await?;
    let wanted = question.limit.min(Question::LIMIT_MAX);
    let search = Search {
        ports,
        scope,
        question,
        wanted,
        depth: rerank::depth(ports, wanted),
        query: match question.explain {
            true => query.with_ranks(),
            false => query,
        },
    };
    // Each reads a space of its own or another part of one: asked together, a store that is far
    // away is waited for once.
    let own = async { tokio::try_join!(search.own_items(), search.messages()) };
    let (own, shared, knowledge) = tokio::join!(own, search.shared_memories(), search.knowledge());
    let (mut all, messages) = own?;
    let mut lacks_shared = false;
    for found in [shared, Ok(messages), knowledge] {
        match found {
            Ok(found) => all.extend(found),
            Err(error) if error.is_unavailable() => lacks_shared = true,
            Err(error) => return Err(error),
        }
    }
    let hits = in_order(all, wanted);
    if question.counted {
        let own = hits.iter().filter_map(Hit::own_memory);
        ports.recall_counts.note(scope, own);
    }
    Ok(Searched { hits, lacks_shared })
}

/// Finds the time of the event that a question names, so that messages are searched by it, too.
async fn in_time(
    ports: &Ports,
    scope: &Scope,
    question: &Question,
    query: PreparedQuery,
) -> Result<PreparedQuery, SpaceError> {
    if query.event().is_none() {
        return Ok(query);
    }
    let known = question.as_of.map_or(i64::MAX, |at| at.as_millisecond());
    let look = |view: &SpaceView| events::resolve(view, &query, scope.lens(), known);
    let resolved = ports.spaces.read(scope.space(), look).await?;
    Ok(resolved.unwrap_or(query))
}

/// One search under way.
struct Search<'a> {
    ports: &'a Ports,
    scope: &'a Scope,
    question: &'a Question,
    query: PreparedQuery,
    wanted: usize,
    /// How many items of each kind are looked at.
    depth: usize,
}

impl Search<'_> {
    /// Memories, entities and profile of the user: all in one read.
    async fn own_items(&self) -> Result<Vec<Hit<Item>>, SpaceError> {
        let kinds = [ItemKind::Memory, ItemKind::Entity, ItemKind::Profile];
        let [with_memories, with_entities, with_profile] = kinds.map(|kind| self.question.asks_for(kind));
        if !(with_memories || with_entities || with_profile) {
            return Ok(Vec::new());
        }
        let look = |view: &SpaceView| {
            let memories = match with_memories {
                true => self.memories(view),
                false => Vec::new(),
            };
            (
                memories,
                small_items(self.ports, view, with_entities, with_profile),
            )
        };
        let (memories, items) = self.ports.spaces.read(self.scope.space(), look).await?;
        let memories = self.rerank(memories, self.depth).await;
        if self.query.is_overview() {
            let profile = items
                .into_iter()
                .filter(|(item, _)| item.kind() == ItemKind::Profile);
            let profile = profile.enumerate().map(|(at, (item, _))| Hit {
                item,
                score: overview::score_at(at),
                parts: None,
                rank: 0,
                validity: None,
                weak: false,
            });
            return Ok(with_reach(memories, Reach::Own).chain(profile).collect());
        }
        let texts: Vec<&str> = items.iter().map(|(_, text)| text.as_str()).collect();
        let scores = by_words(self.query.terms(), &texts);
        let items = items.into_iter().zip(scores).filter(|(_, score)| 0.0 < *score);
        let items = items.map(|((item, _), score)| Hit {
            item,
            score: calibrated(score),
            parts: None,
            rank: 0,
            validity: None,
            weak: false,
        });
        Ok(with_reach(memories, Reach::Own).chain(items).collect())
    }

    /// Memories that all users may read.
    async fn shared_memories(&self) -> Result<Vec<Hit<Item>>, SpaceError> {
        let shared = SpaceId::shared();
        let is_own = *self.scope.space() == shared;
        if is_own || self.query.is_overview() || !self.question.asks_for(ItemKind::Memory) {
            return Ok(Vec::new());
        }
        let look = |view: &SpaceView| self.memories(view);
        let found = self.ports.spaces.read(&shared, look).await?;
        let found = self.rerank(found, self.depth).await;
        Ok(with_reach(found, Reach::Global).collect())
    }

    fn memories(&self, view: &SpaceView) -> Vec<Hit<Arc<Memory>>> {
        let deeper = Question {
            limit: self.depth,
            // What is asked was read already.
            text: String::new(),
            kinds: Vec::new(),
            ..self.question.clone()
        };
        answers(view, &deeper, self.scope.lens(), &self.query)
    }

    /// Messages of the user.
    async fn messages(&self) -> Result<Vec<Hit<Item>>, SpaceError> {
        // A conversation belongs to no project.
        let may_answer = self.question.asks_for(ItemKind::Message) && !self.scope.confined;
        if self.query.is_overview() || !may_answer {
            return Ok(Vec::new());
        }
        let lens = self.scope.lens();
        let look =
            |index: &MessageIndex| messages::answers(index, self.question, lens, &self.query, self.depth);
        let found = self.ports.spaces.messages(self.scope.space(), look).await?;
        let found = self.rerank(found, self.wanted).await;
        let item = |message: Arc<Message>| Item::Message(message);
        Ok(found.into_iter().map(|hit| hit.map(item)).collect())
    }

    /// Documents that all users may read.
    async fn knowledge(&self) -> Result<Vec<Hit<Item>>, SpaceError> {
        if self.query.is_overview() || !self.question.asks_for(ItemKind::Knowledge) {
            return Ok(Vec::new());
        }
        let look = |index: &KnowledgeIndex| knowledge::answers(index, &self.query, self.depth);
        let found = self.ports.spaces.knowledge(&SpaceId::shared(), look).await?;
        let found = self.rerank(found, self.wanted).await;
        let item = |(document, chunk): ChunkOfDocument| Item::Knowledge(document, chunk);
        Ok(found.into_iter().map(|hit| hit.map(item)).collect())
    }

    async fn rerank<T: rerank::Passage>(&self, hits: Vec<Hit<T>>, limit: usize) -> Vec<Hit<T>> {
        rerank::rerank(self.ports, &self.question.text, hits, limit).await
    }
}

/// Entities and profile entries are few, so they are ranked without an index, by these texts.
fn small_items(
    ports: &Ports,
    view: &SpaceView,
    with_entities: bool,
    with_profile: bool,
) -> Vec<(Item, String)> {
    let entities = view.entities().filter(|_| with_entities).map(|entity| {
        let notes = entity.notes.as_ref().map_or("", |notes| notes.as_str());
        let text = format!("{} {notes}", entity.name.as_str());
        (Item::Entity(Arc::clone(entity)), text)
    });
    let mut items: Vec<(Item, String)> = entities.collect();
    if with_profile {
        let entries = profile::entries(view, &ports.settings.profile).into_iter();
        items.extend(entries.map(|entry| {
            let text = entry.text.clone();
            (Item::Profile(entry), text)
        }));
    }
    items
}

fn with_reach(found: Vec<Hit<Arc<Memory>>>, reach: Reach) -> impl Iterator<Item = Hit<Item>> {
    found
        .into_iter()
        .map(move |hit| hit.map(|memory| Item::Memory(memory, reach)))
}

/// Puts the best first; of equals, kinds in their order, and each kind in its own.
fn in_order(mut all: Vec<Hit<Item>>, limit: usize) -> Vec<Hit<Item>> {
    all.sort_by(|a, b| {
        let best_first = b.score.total_cmp(&a.score);
        best_first.then(a.item.kind().cmp(&b.item.kind()))
    });
    all.truncate(limit);
    let mut seen = [0_usize; ItemKind::ALL.len()];
    for hit in &mut all {
        let rank = &mut seen[hit.item.kind() as usize];
        *rank += 1;
        hit.rank = *rank;
    }
    all
}
