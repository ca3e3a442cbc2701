//! Things of another product, on their way to become ours: checked one by one, and given ids that
//! follow from what they are.

use std::collections::HashSet;

use jiff::Timestamp;
use recalld_index::text::plain;
use recalld_memory::change::{Act, Actor, Stamp, Version};
use recalld_memory::conversation::{Conversation, Message, MessageText, Role};
use recalld_memory::id::{ConversationId, MemoryId, MessageId};
use recalld_memory::memory::{Category, Confidence, Content, Key, Memory, NewMemory, Origin, Source, Tier};
use serde_json::Value;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::archive::{Contents, Fault};

/// What was read so far.
pub(super) struct Draft {
    product: &'static str,
    now: Timestamp,
    contents: Contents,
    ids: HashSet<MemoryId>,
}

/// A statement of another product.
#[derive(Debug, Default)]
pub(super) struct Foreign<'a> {
    /// Where it stands in the file.
    pub(super) place: String,
    /// Its id there.
    pub(super) id: &'a str,
    pub(super) content: &'a str,
    pub(super) key: Option<&'a str>,
    pub(super) category: Option<&'a str>,
    pub(super) confidence: Option<f64>,
    pub(super) at: Option<Timestamp>,
}

impl Draft {
    pub(super) fn new(product: &'static str, now: Timestamp) -> Draft {
        Draft {
            product,
            now,
            contents: Contents::default(),
            ids: HashSet::new(),
        }
    }

    pub(super) fn finish(mut self) -> Contents {
        // Memories lie in the order of their ids, as in an archive.
        self.contents.versions.sort_by_key(|version| version.memory.id);
        self.contents
    }

    /// Tells that something cannot be taken.
    pub(super) fn fault(&mut self, place: String, reason: &str) {
        self.contents.faults.push(Fault {
            place,
            reason: plain::shorten(reason, 300),
        });
    }

    /// Takes a statement.
    pub(super) fn statement(&mut self, foreign: &Foreign<'_>) {
        match self.memory(foreign) {
            Ok(memory) if self.ids.insert(memory.id) => {
                let stamp = Stamp {
                    at: self.now,
                    actor: Actor::new("import"),
                    conversation: None,
                    message: None,
                    source: memory.source.clone(),
                };
                self.contents.places.insert(memory.id, foreign.place.clone());
                let act = Act::Remember;
                self.contents.versions.push(Version { act, memory, stamp });
            }
            // The same thing twice in one file.
            Ok(_) => {}
            Err(reason) => self.fault(foreign.place.clone(), &reason),
        }
    }

    fn memory(&self, foreign: &Foreign<'_>) -> Result<Memory, String> {
        let content = Content::new(foreign.content).map_err(|error| error.to_string())?;
        // What was said in the future was said now.
        let at = foreign.at.unwrap_or(self.now).min(self.now);
        let confidence = foreign
            .confidence
            .map_or(Ok(Confidence::CERTAIN), Confidence::new);
        let memory = Memory::new(NewMemory {
            id: self.id_of(foreign, at),
            key: foreign.key.and_then(|key| Key::new(key).ok()),
            content,
            category: foreign
                .category
                .and_then(category)
                .unwrap_or_else(Category::unsorted),
            tier: Tier::Durable,
            confidence: confidence.map_err(|error| error.to_string())?,
            origin: Origin::Import,
            trust: Origin::Import,
            source: Source::new(&format!("import:{}", self.product)).ok(),
            conversation: None,
            message: None,
            learned_at: at,
            expires_at: None,
        });
        Ok(memory)
    }

    fn id_of(&self, foreign: &Foreign<'_>, at: Timestamp) -> MemoryId {
        let digest = Sha256::new()
            .chain_update(self.product)
            .chain_update([0])
            .chain_update(foreign.id)
            .chain_update([0])
            .chain_update(foreign.content)
            .finalize();
        let mut rest = [0; 10];
        rest.copy_from_slice(&digest[..10]);
        // What has no time of its own must have the same id whenever it is read.
        let millis = match foreign.at {
            Some(_) => u64::try_from(at.as_millisecond()).unwrap_or(0),
            None => 0,
        };
        let uuid: Uuid = uuid::Builder::from_unix_timestamp_millis(millis, &rest).into_uuid();
        MemoryId::from_uuid(uuid)
    }

    /// Takes a conversation with its messages, the oldest first.
    pub(super) fn conversation(
        &mut self,
        place: &str,
        id: &str,
        title: Option<&str>,
        said: Vec<(String, Role, String, Option<Timestamp>)>,
    ) {
        let Ok(conversation) = ConversationId::new(format!("{}:{id}", self.product)) else {
            return self.fault(place.to_owned(), "its id is not acceptable");
        };
        let times: Vec<Timestamp> = said.iter().filter_map(|(_, _, _, at)| *at).collect();
        let began_at = times.iter().min().copied().unwrap_or(self.now).min(self.now);
        let mut seq = 0;
        for (number, (message, role, text, at)) in said.into_iter().enumerate() {
            let id = match MessageId::new(message) {
                Ok(id) => id,
                Err(error) => {
                    self.fault(format!("{place} message {number}"), &error.to_string());
                    continue;
                }
            };
            match MessageText::new(text.replace('\0', "")) {
                Ok(content) => {
                    seq += 1;
                    self.contents.messages.push(Message {
                        conversation: conversation.clone(),
                        id,
                        seq,
                        role,
                        content,
                        sender: None,
                        at: at.unwrap_or(began_at).min(self.now),
                        metadata: None,
                    });
                }
                // Pictures and calls of tools leave nothing to keep.
                Err(_) if text.trim().is_empty() => {}
                Err(error) => self.fault(format!("{place} message {number}"), &error.to_string()),
            }
        }
        let touched_at = times.iter().max().copied().unwrap_or(began_at).min(self.now);
        let title = title.map(|title| plain::shorten(&title.replace('\0', ""), 200));
        self.contents.conversations.push(Conversation {
            id: conversation,
            title: title.filter(|title| !title.trim().is_empty()),
            began_at,
            touched_at: touched_at.max(began_at),
            last_seq: seq,
        });
    }
}

/// Makes a category of what another product calls one.
fn category(raw: &str) -> Option<Category> {
    let words: Vec<&str> = raw
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    Category::new(&words.join("_")).ok()
}

/// Reads a time: as text, or as seconds or milliseconds since 1970.
pub(super) fn time(value: &Value) -> Option<Timestamp> {
    if let Some(text) = value.as_str() {
        let civil = || {
            let zoned = text
                .parse::<jiff::civil::DateTime>()
                .ok()?
                .to_zoned(jiff::tz::TimeZone::UTC);
            Some(zoned.ok()?.timestamp())
        };
        return text.parse::<Timestamp>().ok().or_else(civil).map(whole);
    }
    let number = value.as_f64().filter(|number| number.is_finite())?;
    let seconds = if 1e11 < number { number / 1000.0 } else { number };
    Timestamp::from_microsecond((seconds * 1e6) as i64).ok()
}

/// To the microsecond, which is what the stores keep.
fn whole(at: Timestamp) -> Timestamp {
    Timestamp::from_microsecond(at.as_microsecond()).unwrap_or(at)
}
