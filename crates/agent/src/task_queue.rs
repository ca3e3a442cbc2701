//! Tasks that are stored in the same write as the messages they are about, so that no crash can
//! separate them.

use std::collections::HashSet;

use jiff::Timestamp;
use parking_lot::Mutex;
use recalld_memory::change::Effect;
use recalld_memory::id::{ConversationId, MessageId, SpaceId};
use recalld_memory::memory::Project;
use recalld_memory::record::{Record, RecordKind};
use serde_json::{Value, json};
use tokio::sync::Notify;

/// A task: extract facts from these messages of the user.
#[derive(Clone, Debug, PartialEq)]
pub struct ExtractionTask {
    /// The record's name; later ones sort after earlier ones.
    pub name: String,
    pub conversation: ConversationId,
    pub messages: Vec<MessageId>,
    pub tokens: usize,
    pub at: Timestamp,
    /// How often it was tried.
    pub attempts: u32,
    /// Not before this time.
    pub not_before: Option<Timestamp>,
    /// Who works on it, and until when nobody else may.
    pub claim: Option<(String, Timestamp)>,
    /// Whether what rules find is stored already, so that only a model has work left.
    pub ruled: bool,
    /// The project in which it was said.
    pub project: Option<Project>,
}

/// The prefix of the names of these records.
const PREFIX: &str = "extract:";

impl ExtractionTask {
    /// Makes a task for `messages`, under a name made of a fresh id.
    pub fn new(
        id: &str,
        conversation: ConversationId,
        messages: Vec<MessageId>,
        tokens: usize,
        at: Timestamp,
    ) -> ExtractionTask {
        ExtractionTask {
            name: format!("{PREFIX}{id}"),
            conversation,
            messages,
            tokens,
            at,
            attempts: 0,
            not_before: None,
            claim: None,
            ruled: false,
            project: None,
        }
    }

    /// The same task for what was said in a project.
    pub fn in_project(mut self, project: Option<&Project>) -> ExtractionTask {
        self.project = project.cloned();
        self
    }

    /// Finds in which project a conversation took place, among the tasks that read it.
    pub fn project_of(tasks: &[ExtractionTask], conversation: &ConversationId) -> Option<Project> {
        let task = tasks.iter().find(|task| task.conversation == *conversation)?;
        task.project.clone()
    }

    /// Stores the task in its present state.
    pub fn effect(&self, now: Timestamp) -> Effect {
        let messages: Vec<&str> = self.messages.iter().map(MessageId::as_str).collect();
        Effect::Record(Record {
            kind: RecordKind::Task,
            name: self.name.clone(),
            value: json!({
                "conversation": self.conversation.as_str(),
                "messages": messages,
                "tokens": self.tokens,
                "at": self.at.to_string(),
                "attempts": self.attempts,
                "not_before": self.not_before.map(|at| at.to_string()),
                "claimed_by": self.claim.as_ref().map(|(by, _)| by),
                "claimed_until": self.claim.as_ref().map(|(_, until)| until.to_string()),
                "ruled": self.ruled,
                "project": self.project.as_ref().map(Project::as_str),
            }),
            version: 1,
            written_at: now,
        })
    }

    /// Removes the task.
    pub fn done(&self) -> Effect {
        Effect::EraseRecord {
            kind: RecordKind::Task,
            name: self.name.clone(),
        }
    }

    /// Reads a record; none for any other kind of record.
    pub fn read(record: &Record) -> Option<ExtractionTask> {
        if record.kind != RecordKind::Task || !record.name.starts_with(PREFIX) {
            return None;
        }
        let value = &record.value;
        let time = |name: &str| value[name].as_str().and_then(|at| at.parse::<Timestamp>().ok());
        let messages = value["messages"].as_array()?.iter();
        let claimed_by = value["claimed_by"].as_str().map(str::to_owned);
        Some(ExtractionTask {
            name: record.name.clone(),
            conversation: ConversationId::new(value["conversation"].as_str()?).ok()?,
            messages: messages
                .filter_map(Value::as_str)
                .filter_map(|id| MessageId::new(id).ok())
                .collect(),
            tokens: value["tokens"].as_u64().unwrap_or(0) as usize,
            at: time("at").unwrap_or(record.written_at),
            attempts: value["attempts"].as_u64().unwrap_or(0) as u32,
            not_before: time("not_before"),
            claim: claimed_by.zip(time("claimed_until")),
            ruled: value["ruled"].as_bool().unwrap_or(false),
            project: value["project"].as_str().and_then(|name| Project::new(name).ok()),
        })
    }

    /// Returns when anybody may take it, if that is in the future.
    pub fn free_at(&self) -> Option<Timestamp> {
        let claimed = self.claim.as_ref().map(|(_, until)| *until);
        claimed.max(self.not_before)
    }

    /// Returns whether `who` may take it at `now`.
    pub fn is_free(&self, who: &str, now: Timestamp) -> bool {
        let claimed = self
            .claim
            .as_ref()
            .is_some_and(|(by, until)| by != who && now < *until);
        !claimed && self.not_before.is_none_or(|at| at <= now)
    }
}

/// The spaces of this process that have new tasks. It is only a hint: the tasks are in the store.
#[derive(Debug, Default)]
pub struct TaskSignal {
    spaces: Mutex<HashSet<SpaceId>>,
    arrived: Notify,
}

impl TaskSignal {
    /// How many spaces are held at the most; the others are found by a scan.
    const SPACES_MAX: usize = 100_000;

    /// Notes that a space has a new task.
    pub fn notify(&self, space: &SpaceId) {
        let mut spaces = self.spaces.lock();
        if spaces.len() < Self::SPACES_MAX {
            spaces.insert(space.clone());
        }
        drop(spaces);
        self.arrived.notify_one();
    }

    /// Takes all spaces that were noted.
    pub fn take(&self) -> Vec<SpaceId> {
        let mut spaces = self.spaces.lock();
        spaces.drain().collect()
    }

    /// Waits for a notification.
    pub async fn wait(&self) {
        self.arrived.notified().await;
    }
}
