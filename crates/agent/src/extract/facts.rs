//! Extraction by a model: a few facts, each with a quotation that must stand in what the user said.

use jiff::Timestamp;
use recalld_index::text::plain::shorten;
use recalld_memory::id::{ConversationId, MessageId};
use recalld_memory::memory::Category;
use recalld_memory::ports::chat::{OutputShape, Turn, Usage, ask};
use recalld_memory::ports::{ChatError, ChatModel, ChatRequest};
use recalld_memory::render::one_line;
use recalld_memory::slots::Slot;
use serde::Deserialize;
use serde_json::{Value, json};
use thiserror::Error;

use super::finding::Fact;

/// A message of the user that is read.
#[derive(Clone, Debug, PartialEq)]
pub struct Source {
    pub conversation: ConversationId,
    pub message: MessageId,
    pub said_at: Timestamp,
    pub text: String,
}

/// What a reading found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Extracted {
    /// Each with the number of its source.
    pub facts: Vec<(usize, Fact)>,
    /// How many the model gave without evidence, or in a form that cannot be stored.
    pub rejected: usize,
    pub usage: Usage,
}

/// Why a reading found nothing.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ExtractError {
    /// The model does not answer now.
    #[error(transparent)]
    Model(#[from] ChatError),
    /// The model answered twice with something that cannot be read.
    #[error("the model's answer cannot be read: {0}")]
    Malformed(String),
}

/// The most characters of a message that are read.
const SOURCE_CHARS_MAX: usize = 16_000;

/// A shorter quotation proves nothing.
const QUOTE_CHARS_MIN: usize = 2;

/// The most characters of a fact; as many as one of the memory document may have.
const FACT_CHARS_MAX: usize = 500;

/// Asks `model` for the facts in `sources`. What is `known` need not be found again.
pub async fn extract(
    model: &dyn ChatModel,
    sources: &[Source],
    known: &[String],
    facts_max: usize,
) -> Result<Extracted, ExtractError> {
    let mut request = ChatRequest {
        turns: vec![
            Turn::System(include_str!("facts.md").replace("{facts_max}", &facts_max.to_string())),
            Turn::user(shown(sources, known)),
        ],
        output: Some(OutputShape {
            name: "facts".to_owned(),
            schema: schema(facts_max),
        }),
        // With room for models that think before they answer.
        tokens_max: Some(8_000 + 100 * facts_max as u32),
        ..ChatRequest::default()
    };
    let mut usage = Usage::default();
    let mut reason = String::new();
    for _ in 0..2 {
        let answer = match ask(model, &request).await {
            Ok(answer) => answer,
            Err(ChatError::BadAnswer { reason: why, .. }) => {
                reason = why;
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        usage += answer.usage;
        match read(&answer.text) {
            Ok(given) => {
                let extracted = checked(given, sources, facts_max);
                return Ok(Extracted { usage, ..extracted });
            }
            Err(why) => {
                let again = format!("That cannot be read ({why}). Answer with the JSON object alone.");
                request.turns.push(Turn::assistant(shorten(&answer.text, 2_000)));
                request.turns.push(Turn::user(again));
                reason = why;
            }
        }
    }
    Err(ExtractError::Malformed(reason))
}

fn shown(sources: &[Source], known: &[String]) -> String {
    let mut text = String::from("Messages of the user:\n");
    for (at, source) in sources.iter().enumerate() {
        let said = shorten(&source.text, SOURCE_CHARS_MAX);
        text.push_str(&format!("\n[{}] said at {}\n{said}\n", at + 1, source.said_at));
    }
    if !known.is_empty() {
        text.push_str("\nKnown already:\n");
        for line in known {
            text.push_str(&format!("- {}\n", one_line(line)));
        }
    }
    text
}

/// Strict mode wants every field required and nothing else allowed.
fn schema(facts_max: usize) -> Value {
    json!({
        "type": "object",
        "properties": {
            "facts": {
                "type": "array",
                "description": format!("At most {facts_max}"),
                "items": {
                    "type": "object",
                    "properties": {
                        "content": { "type": "string" },
                        "quote": { "type": "string" },
                        "message": { "type": "integer" },
                        "category": { "type": "string", "enum": Category::KNOWN },
                        "key": { "type": ["string", "null"] },
                        "confidence": { "type": "number" },
                    },
                    "required": ["content", "quote", "message", "category", "key", "confidence"],
                    "additionalProperties": false,
                },
            },
        },
        "required": ["facts"],
        "additionalProperties": false,
    })
}

#[derive(Debug, Deserialize)]
struct Given {
    facts: Vec<Value>,
}

#[derive(Debug, Deserialize)]
struct GivenFact {
    content: String,
    quote: String,
    message: Option<usize>,
    category: Option<String>,
    key: Option<String>,
    confidence: Option<f64>,
}

/// Reads the JSON object of an answer, also out of a fence or a sentence around it.
fn read(answer: &str) -> Result<Given, String> {
    let object = answer.find('{').zip(answer.rfind('}'));
    let Some((first, last)) = object.filter(|(first, last)| first < last) else {
        return Err("it holds no JSON object".to_owned());
    };
    serde_json::from_str(&answer[first..=last]).map_err(|error| error.to_string())
}

fn checked(given: Given, sources: &[Source], facts_max: usize) -> Extracted {
    let mut extracted = Extracted::default();
    for fact in given.facts {
        let fact = serde_json::from_value::<GivenFact>(fact).ok();
        let proven = fact.and_then(|fact| proven(fact, sources));
        match proven.filter(|_| extracted.facts.len() < facts_max) {
            Some(fact) => extracted.facts.push(fact),
            None => extracted.rejected += 1,
        }
    }
    extracted
}

/// The fact, if the user said what it quotes.
fn proven(fact: GivenFact, sources: &[Source]) -> Option<(usize, Fact)> {
    let quote = plain(&fact.quote);
    if quote.chars().count() < QUOTE_CHARS_MIN || FACT_CHARS_MAX < fact.content.chars().count() {
        return None;
    }
    let named = fact.message.and_then(|number| number.checked_sub(1));
    let order = named.into_iter().chain(0..sources.len());
    let mut holding = order.filter(|&at| {
        sources
            .get(at)
            .is_some_and(|source| plain(&source.text).contains(&quote))
    });
    let at = holding.next()?;
    let category = fact
        .category
        .and_then(|name| Category::KNOWN.into_iter().find(|known| *known == name));
    Some((
        at,
        Fact {
            content: fact.content.trim().to_owned(),
            about: String::new(),
            slot: Slot::of(&fact.content),
            key: fact.key.filter(|key| !key.trim().is_empty()),
            category: category.unwrap_or("personal_context"),
            confidence: fact.confidence.unwrap_or(0.7).clamp(0.0, 1.0),
            quote: fact.quote,
            since: None,
            opposite: None,
            rule: None,
        },
    ))
}

/// Text as it is compared: white space and the style of quotation marks do not count.
fn plain(text: &str) -> String {
    one_line(text).replace(['’', '‘'], "'").replace(['“', '”'], "\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources() -> Vec<Source> {
        let source = |id: &str, text: &str| Source {
            conversation: ConversationId::new("c").unwrap(),
            message: MessageId::new(id).unwrap(),
            said_at: "2026-03-01T10:00:00Z".parse().unwrap(),
            text: text.to_owned(),
        };
        vec![source("1", "I'm  moving to\nPorto"), source("2", "My dog is Rex")]
    }

    fn fact(quote: &str, message: usize) -> Value {
        json!({ "content": "x", "quote": quote, "message": message, "category": "preference", "key": null, "confidence": 0.9 })
    }

    fn found(facts: Vec<Value>) -> (Vec<usize>, usize) {
        let extracted = checked(Given { facts }, &sources(), 5);
        (
            extracted.facts.iter().map(|(at, _)| *at).collect(),
            extracted.rejected,
        )
    }

    #[test]
    fn a_fact_needs_the_words_of_the_user() {
        assert_eq!(
            found(vec![fact("I’m moving to Porto", 1), fact("My dog is Rex", 1)]),
            (vec![0, 1], 0)
        );
        assert_eq!(
            found(vec![
                fact("I live in Rome", 1),
                fact("", 1),
                json!({ "content": 7 })
            ]),
            (vec![], 3)
        );
        assert_eq!(found(vec![fact("Rex", 2); 7]).0.len(), 5);
    }

    #[test]
    fn an_answer_is_read_out_of_what_stands_around_it() {
        assert_eq!(
            read("Sure!\n```json\n{\"facts\": []}\n```").unwrap().facts.len(),
            0
        );
        for bad in ["", "none", "}{", "{\"facts\": 1}", "{\"facts\": [}"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
