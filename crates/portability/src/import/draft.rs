//! Things of another product on their way to become ours: checked one by one, and given ids that
//! follow from what they are.

use jiff::Timestamp;
use recalld_index::text::plain;
use recalld_memory::change::{Act, Actor, Stamp, Version};
use recalld_memory::conversation::{Conversation, Message, MessageText, Role};
use recalld_memory::id::{ConversationId, MemoryId, MessageId};
use recalld_memory::memory::{Category, Confidence, Content, Key, Memory, NewMemory, Origin, Source, Tier};
use serde_json::Value;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::archive::{ArchiveError, Staging};

/// What is read of one file.
pub(super) struct Draft<'a> {
    product: &'static str,
    now: Timestamp,
    staging: &'a mut Staging,
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

impl<'a> Draft<'a> {
    pub(super) fn new(product: &'static str, now: Timestamp, staging: &'a mut Staging) -> Draft<'a> {
        Draft {
            product,
            now,
            staging,
        }
    }

    /// Counts one more row of the file, whatever becomes of it.
    pub(super) fn count_row(&mut self) -> Result<(), ArchiveError> {
        self.staging.count_row()
    }

    /// Notes that something is left out.
    pub(super) fn fault(&mut self, place: &str, reason: &str) {
        self.staging.fault(place, reason);
    }

    /// Takes a statement.
    pub(super) fn statement(&mut self, foreign: &Foreign<'_>) -> Result<(), ArchiveError> {
        match self.memory(foreign) {
            // The same thing twice, in one file or in two.
            Ok(memory) if self.staging.has_memory(memory.id) => Ok(()),
            Ok(memory) => {
                let stamp = Stamp {
                    at: self.now,
                    actor: Actor::new("import"),
                    conversation: None,
                    message: None,
                    source: memory.source.clone(),
                };
                let act = Act::Remember;
                let version = Version { act, memory, stamp };
                self.staging.memory(&version, &foreign.place)
            }
            Err(reason) => {
                self.fault(&foreign.place, &reason);
                Ok(())
            }
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
            project: None,
            evidence: Vec::new(),
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
        said: Vec<Said>,
    ) -> Result<(), ArchiveError> {
        let Ok(conversation) = ConversationId::new(format!("{}:{id}", self.product)) else {
            self.fault(place, "its id is not acceptable");
            return Ok(());
        };
        let times = || said.iter().filter_map(|said| said.at);
        let began_at = times().min().unwrap_or(self.now).min(self.now);
        let touched_at = times().max().unwrap_or(began_at).min(self.now);
        let mut messages: Vec<(usize, Message)> = Vec::new();
        for (number, said) in said.into_iter().enumerate() {
            let seq = messages.len() as u64 + 1;
            match message(&conversation, seq, said, began_at, self.now) {
                Ok(message) => messages.extend(message.map(|message| (number, message))),
                Err(reason) => self.fault(&format!("{place} message {number}"), &reason),
            }
        }
        let title = title.map(|title| plain::shorten(&title.replace('\0', ""), 200));
        let made = Conversation {
            id: conversation,
            title: title.filter(|title| !title.trim().is_empty()),
            began_at,
            touched_at: touched_at.max(began_at),
            last_seq: messages.len() as u64,
        };
        self.staging.conversation(&made, place)?;
        for (number, message) in messages {
            self.staging
                .message(&message, &format!("{place} message {number}"))?;
        }
        Ok(())
    }
}

/// A message of another product.
#[derive(Debug)]
pub(super) struct Said {
    pub(super) id: String,
    pub(super) role: Role,
    pub(super) text: String,
    pub(super) at: Option<Timestamp>,
}

/// Makes a message; none if nothing was said in it, as with pictures and calls of tools.
fn message(
    conversation: &ConversationId,
    seq: u64,
    said: Said,
    began_at: Timestamp,
    now: Timestamp,
) -> Result<Option<Message>, String> {
    let id = MessageId::new(said.id).map_err(|error| error.to_string())?;
    let content = match MessageText::new(said.text.replace('\0', "")) {
        Ok(content) => content,
        Err(_) if said.text.trim().is_empty() => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    Ok(Some(Message {
        conversation: conversation.clone(),
        id,
        seq,
        role: said.role,
        content,
        sender: None,
        at: said.at.unwrap_or(began_at).min(now),
        metadata: None,
    }))
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
