//! Reads a user's interactions in portions, each interaction once.
//!
//! Interactions are named by when they arrived. The cursor is the name up to which all were read.
//! It stays a little behind, since servers' clocks differ and a write takes time, so that one may
//! still appear before the newest: those that were read after it are listed beside it.

use std::collections::BTreeSet;

use jiff::{SignedDuration, Timestamp};
use recalld_index::text::plain::shorten;
use recalld_index::text::tokens::TokenCount;
use recalld_memory::change::Effect;
use recalld_memory::ports::StoreError;
use recalld_memory::record::{Record, RecordKind};
use recalld_memory::render::one_line;
use recalld_memory::scope::Scope;
use recalld_memory::wiring::Ports;
use serde_json::{Value, json};

use super::record;
use crate::interactions::{self, Interaction, stamp};

/// The name of the cursor among the runs.
const NAME: &str = "cursor";

/// How long after its arrival an interaction with an earlier name may still appear.
const SETTLED_AFTER: SignedDuration = SignedDuration::from_mins(10);

/// The most interactions of one portion.
const PORTION_MAX: usize = 500;

/// The most tokens of interactions that the model is shown at once.
const PORTION_TOKENS_MAX: usize = 12_000;

/// The most characters of one interaction that the model is shown.
const LINE_CHARS_MAX: usize = 8_000;

/// Which interactions a run reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// All that no run has read.
    Unread,
    /// Those that arrived within some time, whether or not they were read before.
    Between { since: Timestamp, until: Timestamp },
}

/// Interactions that are read together.
#[derive(Clone, Debug, Default)]
pub(super) struct Portion {
    names: Vec<String>,
    pub(super) interactions: Vec<Interaction>,
    /// One line an interaction, the oldest first.
    pub(super) lines: Vec<String>,
}

/// Reads portions, one after the other.
#[derive(Clone, Debug)]
pub(super) struct Reader {
    /// All names up to this one were read…
    after: String,
    /// …and of the later ones these.
    also_read: BTreeSet<String>,
    /// What was read last.
    position: String,
    until: Option<String>,
}

impl Reader {
    /// Begins to read.
    pub(super) async fn new(
        ports: &Ports,
        scope: &Scope,
        selection: Selection,
    ) -> Result<Reader, StoreError> {
        if let Selection::Between { since, until } = selection {
            return Ok(Reader {
                after: stamp(since),
                also_read: BTreeSet::new(),
                position: stamp(since),
                until: Some(stamp(until)),
            });
        }
        let cursor = ports.store.record(scope.space(), RecordKind::Run, NAME).await?;
        let value = cursor.map_or(Value::Null, |cursor| cursor.value);
        let also_read = value["also_read"].as_array().into_iter().flatten();
        let after = match value["after"].as_str() {
            Some(after) => after.to_owned(),
            // Before there was a cursor, a run read everything until the time that it was for.
            None => record::last_done(ports, scope).await?.unwrap_or_default(),
        };
        Ok(Reader {
            position: after.clone(),
            after,
            also_read: also_read.filter_map(Value::as_str).map(str::to_owned).collect(),
            until: None,
        })
    }

    /// Reads the next portion; it is empty when nothing is left.
    pub(super) async fn next(&mut self, ports: &Ports, scope: &Scope) -> Result<Portion, StoreError> {
        let mut portion = Portion::default();
        let mut after = self.position.clone();
        let mut tokens = TokenCount::default();
        loop {
            let page = interactions::after(ports, scope, &after, PORTION_MAX).await?;
            let Some((last, _)) = page.last() else { break };
            after = last.clone();
            for (name, interaction) in page {
                if self.until.as_ref().is_some_and(|until| *until <= name)
                    || PORTION_MAX <= portion.names.len()
                {
                    return Ok(self.took(portion));
                }
                if self.also_read.contains(&name) {
                    continue;
                }
                if let Some(interaction) = interaction {
                    let line = line(&interaction);
                    tokens += TokenCount::of(&line);
                    if !tokens.fits(PORTION_TOKENS_MAX) && !portion.lines.is_empty() {
                        return Ok(self.took(portion));
                    }
                    portion.lines.push(line);
                    portion.interactions.push(interaction);
                }
                portion.names.push(name);
            }
        }
        Ok(self.took(portion))
    }

    fn took(&mut self, portion: Portion) -> Portion {
        if let Some(last) = portion.names.last() {
            last.clone_into(&mut self.position);
        }
        self.also_read.extend(portion.names.iter().cloned());
        portion
    }

    /// Moves the cursor over what was read and is settled at `now`, and gives the record of it.
    pub(super) fn cursor(&mut self, scope: &Scope, now: Timestamp) -> Effect {
        let settled = stamp(now.saturating_sub(SETTLED_AFTER).unwrap_or(now));
        let later = self.also_read.split_off(&settled);
        if let Some(last) = self.also_read.pop_last() {
            self.after = last;
        }
        self.also_read = later;
        Effect::Record(Record {
            kind: RecordKind::Run,
            name: NAME.to_owned(),
            value: json!({ "after": self.after, "also_read": self.also_read }),
            version: 1,
            written_at: scope.now,
        })
    }
}

impl Portion {
    pub(super) fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}

/// Writes an interaction for the model.
fn line(did: &Interaction) -> String {
    let text = did.text.as_ref();
    let text = text.map(|text| format!(", the user wrote: {:?}", one_line(text)));
    let about = match &did.data {
        Value::Null => String::new(),
        data => format!(", about: {data}"),
    };
    let line = format!("[{}] {}{}{about}", did.at, did.kind, text.unwrap_or_default());
    format!("- {}\n", shorten(&line, LINE_CHARS_MAX))
}
