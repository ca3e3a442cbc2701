//! A turn that was accepted and is still to be answered. It is stored before the platform is told
//! that it arrived, so that no crash loses it.

use jiff::Timestamp;
use recalld_memory::change::Effect;
use recalld_memory::record::{Record, RecordKind};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::message::IncomingMessage;

/// The prefix of the names of these records.
const PREFIX: &str = "channel:";

/// A turn to be answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PendingTurn {
    pub(crate) platform: String,
    pub(crate) message: IncomingMessage,
    /// The reply, once there is one: from then on it only has to be sent.
    pub(crate) reply: Option<String>,
    /// Whether sending has begun, so that some of the reply may have arrived.
    #[serde(default)]
    pub(crate) is_begun: bool,
    /// How often answering or sending failed.
    pub(crate) attempts: u32,
    /// Not before this time.
    pub(crate) not_before: Option<Timestamp>,
}

impl PendingTurn {
    pub(crate) fn new(platform: &str, message: IncomingMessage) -> PendingTurn {
        PendingTurn {
            platform: platform.to_owned(),
            message,
            reply: None,
            is_begun: false,
            attempts: 0,
            not_before: None,
        }
    }

    /// The name of the turn's record: one for each event of a platform.
    pub(crate) fn name(&self) -> String {
        format!("{PREFIX}{}:{}", self.platform, self.message.event)
    }

    /// Stores the turn in its present state.
    pub(crate) fn effect(&self, now: Timestamp) -> Effect {
        let value = serde_json::to_value(self).expect("a turn has nothing that JSON lacks");
        Effect::Record(self.record(RecordKind::Task, value, now))
    }

    /// Removes the turn, and notes that its event is done with.
    pub(crate) fn done(&self, outcome: &str, now: Timestamp) -> [Effect; 2] {
        let receipt = self.record(RecordKind::Receipt, json!({ "channel": outcome }), now);
        let gone = Effect::EraseRecord {
            kind: RecordKind::Task,
            name: self.name(),
        };
        [gone, Effect::Record(receipt)]
    }

    fn record(&self, kind: RecordKind, value: Value, now: Timestamp) -> Record {
        Record {
            kind,
            name: self.name(),
            value,
            version: 1,
            written_at: now,
        }
    }

    /// Reads a record; none for any other kind of record.
    pub(crate) fn read(record: &Record) -> Option<PendingTurn> {
        let is_turn = record.kind == RecordKind::Task && record.name.starts_with(PREFIX);
        let value = is_turn.then(|| record.value.clone())?;
        serde_json::from_value(value).ok()
    }

    /// Whether it may be taken up at `now`.
    pub(crate) fn is_due(&self, now: Timestamp) -> bool {
        self.not_before.is_none_or(|at| at <= now)
    }
}
