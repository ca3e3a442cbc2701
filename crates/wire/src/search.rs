//! The result of a search over everything.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;
use recalld_index::rank::{ArmScore, RERANK_WEIGHT};
use recalld_index::text::tokens::TokenCount;
use recalld_memory::memory;
use recalld_memory::recall::{Hit, Item, ItemKind, Reach};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use utoipa::ToSchema;

use crate::context::Tokens;
use crate::conversation::Message;
use crate::entity::Entity;
use crate::knowledge::FoundChunk;
use crate::memory::Memory;
use crate::validity::WireValidity;

/// A kind of result.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WireItemKind {
    /// A memory.
    Memory,
    /// A message of a conversation.
    Message,
    /// A place, account or person.
    Entity,
    /// An entry of the user's structured context.
    Profile,
    /// A piece of a document of the knowledge base.
    Knowledge,
}

impl From<WireItemKind> for ItemKind {
    fn from(kind: WireItemKind) -> ItemKind {
        match kind {
            WireItemKind::Memory => ItemKind::Memory,
            WireItemKind::Message => ItemKind::Message,
            WireItemKind::Entity => ItemKind::Entity,
            WireItemKind::Profile => ItemKind::Profile,
            WireItemKind::Knowledge => ItemKind::Knowledge,
        }
    }
}

/// The results, the best first.
#[derive(Debug, Serialize, ToSchema)]
pub struct SearchResult {
    results: Vec<SearchHit>,
    /// The tokens of the texts of all results.
    tokens: Tokens,
    /// How many results did not fit `max_tokens`.
    left_out: usize,
}

impl SearchResult {
    /// Takes the hits in their order, up to the first that no longer fits `max_tokens`.
    pub fn new(
        found: Vec<Hit<Item>>,
        max_tokens: Option<usize>,
        explain: Explaining,
        now: Timestamp,
    ) -> SearchResult {
        let offered = found.len();
        let mut total = TokenCount::default();
        let mut results = Vec::with_capacity(offered);
        for hit in found {
            let thing = SearchHit::new(hit, explain, now);
            let with = total + thing.text.tokens();
            if max_tokens.is_some_and(|most| !with.fits(most)) {
                break;
            }
            total = with;
            results.push(thing);
        }
        SearchResult {
            left_out: offered - results.len(),
            results,
            tokens: total.into(),
        }
    }
}

/// Whether results explain their rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Explaining {
    /// Each result comes with its explanation.
    Yes,
    /// None does.
    No,
}

/// One result. The field named like its kind holds it.
#[derive(Debug, Serialize, ToSchema)]
struct SearchHit {
    kind: WireItemKind,
    /// From 0 to 1, comparable between kinds.
    score: f32,
    /// What it says, for a prompt.
    #[schema(value_type = String)]
    text: Text,
    /// Whether it is for all users.
    shared: bool,
    /// Whether neither a word nor its meaning speaks for it: it fills the list up.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    weak: bool,
    /// When it holds, if it is a memory about something that has one value at a time.
    #[serde(skip_serializing_if = "Option::is_none")]
    validity: Option<WireValidity>,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<Memory>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
    #[serde(skip_serializing_if = "Option::is_none")]
    entity: Option<Entity>,
    #[serde(skip_serializing_if = "Option::is_none")]
    profile: Option<ProfileEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    knowledge: Option<FoundChunk>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explain: Option<SearchExplanation>,
}

/// What a result says: shared with the memory, if it is one.
#[derive(Debug)]
enum Text {
    Of(Arc<memory::Memory>),
    Made(String),
}

impl Text {
    fn as_str(&self) -> &str {
        match self {
            Text::Of(memory) => memory.content.as_str(),
            Text::Made(text) => text,
        }
    }

    fn tokens(&self) -> TokenCount {
        match self {
            Text::Of(memory) => memory.content.tokens(),
            Text::Made(text) => TokenCount::of(text),
        }
    }
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// One entry of the user's structured context.
#[derive(Debug, Serialize, ToSchema)]
struct ProfileEntry {
    category: String,
    /// The names or numbers that lead to it within its category.
    path: Vec<String>,
    value: Value,
}

/// How a result got its rank: the weighted mean of the arms' shares, times every factor.
#[derive(Debug, Serialize, ToSchema)]
struct SearchExplanation {
    /// Its place among the results of its kind, from 1.
    rank: usize,
    /// The ways of searching that found it.
    arms: Vec<SearchArm>,
    /// What the mean is multiplied by, each with its name.
    factors: BTreeMap<&'static str, f32>,
    /// Whether the vector that tells its meaning is still to come. Until then the semantic score is
    /// that of what stands in for it, or missing.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    waits_for_vector: bool,
}

/// One way of searching that found it.
#[derive(Debug, Serialize, ToSchema)]
struct SearchArm {
    /// `lexical`, `semantic`, or `rerank` for a second look at the best.
    name: &'static str,
    /// Its place in this arm's own order, from 1, if it is among the candidates there.
    rank: Option<usize>,
    /// BM25, or the cosine.
    score: f32,
    /// The score on the span from 0 to 1.
    share: f32,
    /// How much the arm counts for this query.
    weight: f32,
}

impl SearchExplanation {
    fn of(hit: &Hit<Item>) -> SearchExplanation {
        let Some(parts) = hit.parts else {
            let arm = SearchArm {
                name: "lexical",
                rank: Some(hit.rank),
                score: hit.score,
                share: hit.score,
                weight: 1.0,
            };
            return SearchExplanation {
                rank: hit.rank,
                arms: vec![arm],
                factors: BTreeMap::new(),
                waits_for_vector: false,
            };
        };
        let arm = |name, arm: Option<ArmScore>, weight| {
            arm.map(|arm| SearchArm {
                name,
                rank: arm.rank,
                score: arm.raw,
                share: arm.share,
                weight,
            })
        };
        let words = arm("lexical", parts.words, parts.weights.words);
        let meaning = arm("semantic", parts.meaning, parts.weights.meaning);
        let second = parts.reranked.map(|score| SearchArm {
            name: "rerank",
            rank: None,
            score,
            share: score,
            weight: RERANK_WEIGHT,
        });
        SearchExplanation {
            rank: hit.rank,
            arms: words.into_iter().chain(meaning).chain(second).collect(),
            factors: parts.factors().into_iter().collect(),
            waits_for_vector: parts.waits,
        }
    }
}

impl SearchHit {
    fn new(hit: Hit<Item>, explain: Explaining, now: Timestamp) -> SearchHit {
        let score = hit.score;
        let explain = (explain == Explaining::Yes).then(|| SearchExplanation::of(&hit));
        let mut thing = SearchHit {
            kind: WireItemKind::Memory,
            score,
            text: Text::Made(String::new()),
            shared: false,
            weak: hit.weak,
            validity: hit.validity.map(WireValidity::from),
            memory: None,
            message: None,
            entity: None,
            profile: None,
            knowledge: None,
            explain,
        };
        match hit.item {
            Item::Memory(memory, reach) => {
                thing.text = Text::Of(Arc::clone(&memory));
                thing.shared = reach == Reach::Global;
                thing.memory = Some(Memory::at(memory, now));
            }
            Item::Message(message) => {
                thing.kind = WireItemKind::Message;
                thing.text = Text::Made(message.content.as_str().to_owned());
                thing.message = Some((&*message).into());
            }
            Item::Entity(entity) => {
                thing.kind = WireItemKind::Entity;
                let notes = entity
                    .notes
                    .as_ref()
                    .map(|notes| format!(": {notes}"))
                    .unwrap_or_default();
                thing.text = Text::Made(format!("{}{notes}", entity.name.as_str()));
                thing.entity = Some((&*entity).into());
            }
            Item::Profile(entry) => {
                thing.kind = WireItemKind::Profile;
                thing.text = Text::Made(entry.text);
                thing.profile = Some(ProfileEntry {
                    category: entry.category,
                    path: entry.path,
                    value: entry.value,
                });
            }
            Item::Knowledge(document, chunk) => {
                thing.kind = WireItemKind::Knowledge;
                thing.shared = true;
                thing.text = Text::Made(chunk.content.clone());
                thing.knowledge = Some(FoundChunk::new(&document, &chunk, score));
            }
        }
        thing
    }
}
