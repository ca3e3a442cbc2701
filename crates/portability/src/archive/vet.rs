//! Looks for what no space of ours can hold, although each line by itself is acceptable: an archive
//! may have been made by anybody.

use std::collections::HashSet;

use jiff::Timestamp;
use recalld_memory::change::Version;
use recalld_memory::conversation::Message;
use recalld_memory::policy::duplicates::Fingerprint;
use recalld_memory::policy::secrets;
use recalld_memory::recall_stats;
use recalld_memory::record::{Record, RecordKind};

use super::contents::{Contents, Fault};
use super::report::{Fate, Imported};

/// Takes out what must not come in, and tells of it in `report`.
pub(super) fn vet(contents: &mut Contents, now: Timestamp, report: &mut Imported) {
    report.faults.append(&mut contents.faults);
    let mut refuse = |kind: &'static str, place: String, reason: &str| {
        report.count(kind, Fate::Refused);
        report.faults.push(Fault {
            place,
            reason: reason.to_owned(),
        });
    };
    let mut taken = Taken::default();
    let mut seen = HashSet::new();
    let mut kept: Vec<Version> = Vec::with_capacity(contents.versions.len());
    let versions = std::mem::take(&mut contents.versions);
    for memory in versions.chunk_by(|a, b| a.memory.id == b.memory.id) {
        let Some(last) = memory.last() else { continue };
        let place = contents.places.get(&last.memory.id).cloned();
        let name = place.unwrap_or_else(|| last.memory.id.to_string());
        if !seen.insert(last.memory.id) {
            refuse("memories", name, "its versions are scattered");
        } else if !memory.is_sorted_by(|a, b| a.memory.version < b.memory.version) {
            refuse("memories", name, "its versions are not in order");
        } else if memory.iter().any(holds_secret) {
            refuse("memories", name, "it looks like it holds a secret");
        } else if !taken.take(last, now) {
            refuse(
                "memories",
                name,
                "another one of the archive has its key or says the same",
            );
        } else {
            kept.extend_from_slice(memory);
        }
    }
    contents.versions = kept;
    redact(contents);
    let known: HashSet<String> = contents
        .versions
        .iter()
        .map(|version| version.memory.id.to_string())
        .collect();
    let strays = |record: &Record| {
        record.kind == RecordKind::Recall
            && record.name != recall_stats::SINCE
            && !known.contains(&record.name)
    };
    for record in contents.records.iter().filter(|record| strays(record)) {
        let place = format!("recall {}", record.name);
        refuse("records", place, "its memory is not in the archive");
    }
    contents.records.retain(|record| !strays(record));
    let conversations: HashSet<&str> = contents.conversations.iter().map(|one| one.id.as_str()).collect();
    let strays = |message: &Message| !conversations.contains(message.conversation.as_str());
    for message in contents.messages.iter().filter(|message| strays(message)) {
        let place = format!("{} {}", message.conversation, message.id);
        refuse("messages", place, "its conversation is not in the archive");
    }
    let known: HashSet<String> = conversations.iter().map(|id| (*id).to_owned()).collect();
    contents
        .messages
        .retain(|message| known.contains(message.conversation.as_str()));
}

/// The keys and statements that are shown.
#[derive(Default)]
struct Taken {
    keys: HashSet<String>,
    statements: HashSet<Fingerprint>,
}

impl Taken {
    /// Takes those of one memory, unless somebody has them.
    fn take(&mut self, version: &Version, now: Timestamp) -> bool {
        let memory = &version.memory;
        if !memory.is_current(now) {
            return true;
        }
        let key = memory.key.as_ref().map(|key| key.folded());
        let statement = Fingerprint::of(memory.content.as_str());
        let is_free =
            !key.as_ref().is_some_and(|key| self.keys.contains(key)) && !self.statements.contains(&statement);
        if is_free {
            self.keys.extend(key);
            self.statements.insert(statement);
        }
        is_free
    }
}

fn holds_secret(version: &Version) -> bool {
    let memory = &version.memory;
    let key = memory.key.as_ref().map(|key| key.as_str());
    let source = memory.source.as_ref().map(|source| source.as_str());
    let named = key.and_then(|key| secrets::find_named(key, memory.content.as_str()));
    named.is_some()
        || [Some(memory.content.as_str()), key, source]
            .into_iter()
            .flatten()
            .any(|text| secrets::find(text).is_some())
}

/// Replaces the secrets in everything besides memories, as every other way in does. An entity that
/// holds one loses its notes, or stays out when its name is the secret.
fn redact(contents: &mut Contents) {
    for title in contents
        .conversations
        .iter_mut()
        .filter_map(|one| one.title.as_mut())
    {
        *title = secrets::redact(title).into_owned();
    }
    contents.messages.iter_mut().for_each(Message::redact);
    for record in &mut contents.records {
        secrets::redact_json(&mut record.value);
    }
    contents
        .entities
        .retain(|entity| secrets::find(entity.name.as_str()).is_none());
    for entity in &mut contents.entities {
        entity.notes = entity
            .notes
            .take()
            .filter(|notes| secrets::find(notes.as_str()).is_none());
    }
    for (document, chunks) in &mut contents.documents {
        document.title = document
            .title
            .as_ref()
            .map(|title| secrets::redact(title).into_owned());
        for chunk in chunks {
            chunk.content = secrets::redact(&chunk.content).into_owned();
        }
    }
}
