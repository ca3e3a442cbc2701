//! What a user did in the product around the agent: reactions, discussions, saves, or any event
//! with a type.

use std::collections::HashMap;

use jiff::{SignedDuration, Timestamp};
use recalld_index::text::plain::shorten;
use recalld_memory::change::{Change, Effect};
use recalld_memory::ports::StoreError;
use recalld_memory::record::{Record, RecordKind};
use recalld_memory::scope::Scope;
use recalld_memory::screening::secrets;
use recalld_memory::space::{Decision, SpaceError, SpaceView};
use recalld_memory::wiring::Ports;
use serde_json::{Value, json};
use thiserror::Error;

/// Something the user did.
#[derive(Clone, Debug, PartialEq)]
pub struct Interaction {
    /// What kind of thing, such as `reaction`, `discussion` or `save`.
    pub kind: String,
    pub at: Timestamp,
    /// What the user wrote, if anything.
    pub text: Option<String>,
    /// What it is about, as the product tells it.
    pub data: Value,
}

/// Why an interaction cannot be stored.
#[derive(Debug, Error)]
pub enum InteractionError {
    /// Its type is no short name.
    #[error("the type {given:?} must be 1 to 64 lower-case letters, digits, _ and -")]
    Kind { given: String },
    /// It is larger than it may be.
    #[error("the interaction is {bytes} bytes, over the limit of {limit}", limit = BYTES_MAX)]
    TooLong { bytes: usize },
    /// The space could not be written.
    #[error(transparent)]
    Space(#[from] SpaceError),
}

/// The most bytes of an interaction.
pub const BYTES_MAX: usize = 16 * 1024;

/// The most interactions that are noted at once.
pub const AT_ONCE_MAX: usize = 100;

impl Interaction {
    fn check(&self) -> Result<(), InteractionError> {
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-';
        if !(1..=64).contains(&self.kind.len()) || !self.kind.chars().all(fits) {
            let given = shorten(&self.kind, 80);
            return Err(InteractionError::Kind { given });
        }
        let bytes = self.data.to_string().len() + self.text.as_ref().map_or(0, String::len);
        match bytes <= BYTES_MAX {
            true => Ok(()),
            false => Err(InteractionError::TooLong { bytes }),
        }
    }

    /// Replaces the secrets in what the user wrote and what the product says about it.
    fn redact(&mut self) {
        if let Some(text) = &mut self.text {
            *text = secrets::redact(text).into_owned();
        }
        secrets::redact_json(&mut self.data);
    }

    fn read(record: &Record) -> Option<Interaction> {
        let value = &record.value;
        Some(Interaction {
            kind: value["type"].as_str()?.to_owned(),
            at: value["at"].as_str()?.parse().ok()?,
            text: value["text"].as_str().map(str::to_owned),
            data: value["data"].clone(),
        })
    }
}

/// How the time of arrival is part of a name, so that names sort by it.
pub(crate) fn stamp(at: Timestamp) -> String {
    format!("{at:.6}")
}

/// Stores interactions, all or none, with secrets redacted. Returns their names.
pub async fn note(
    ports: &Ports,
    scope: &Scope,
    mut interactions: Vec<Interaction>,
) -> Result<Vec<String>, InteractionError> {
    interactions.iter().try_for_each(Interaction::check)?;
    interactions.iter_mut().for_each(Interaction::redact);
    let names: Vec<String> = interactions
        .iter()
        .map(|_| format!("{} {}", stamp(scope.now), scope.fresh_name(&*ports.ids)))
        .collect();
    if let Some(noted) = noted_before(ports, scope, &names)
        .await
        .map_err(SpaceError::from)?
    {
        return Ok(noted);
    }
    let record = |(interaction, name): (Interaction, &String)| {
        let record = Record {
            kind: RecordKind::Interaction,
            name: name.clone(),
            value: json!({
                "type": interaction.kind, "at": interaction.at.to_string(),
                "text": interaction.text, "data": interaction.data,
            }),
            version: 1,
            written_at: scope.now,
        };
        scope.change(None, Effect::Record(record))
    };
    let changes: Vec<Change> = interactions.into_iter().zip(&names).map(record).collect();
    let decide = move |_: &SpaceView| Decision {
        changes: changes.clone(),
        outcome: (),
    };
    ports.spaces.write(scope.space(), decide).await?;
    Ok(names)
}

/// How long ago an earlier run of a request that is sent again may have been.
const SENT_AGAIN_WITHIN: SignedDuration = SignedDuration::from_hours(24);

/// How many interactions are looked through for it.
const LOOKED_THROUGH_MAX: usize = 10_000;

/// Finds what an earlier run of this very request noted, should the process have died before it
/// could answer. All were stored or none.
async fn noted_before(
    ports: &Ports,
    scope: &Scope,
    names: &[String],
) -> Result<Option<Vec<String>>, StoreError> {
    if scope.once.is_none() || names.is_empty() {
        return Ok(None);
    }
    let since = scope.now.saturating_sub(SENT_AGAIN_WITHIN).unwrap_or(scope.now);
    let records = ports
        .store
        .records(
            scope.space(),
            RecordKind::Interaction,
            Some(&stamp(since)),
            LOOKED_THROUGH_MAX,
        )
        .await?;
    let known: HashMap<&str, &String> = records
        .iter()
        .map(|record| (without_time(&record.name), &record.name))
        .collect();
    let noted = |name: &String| known.get(without_time(name)).map(|name| (*name).clone());
    Ok(names.iter().map(noted).collect())
}

/// Gives the part of a name that does not change when its request is sent again.
fn without_time(name: &str) -> &str {
    name.split_once(' ').map_or(name, |(_, rest)| rest)
}

/// Reads the interactions whose names come after `after`, in the order of their arrival, at most
/// `limit`. None stands for one that cannot be understood.
pub(crate) async fn after(
    ports: &Ports,
    scope: &Scope,
    after: &str,
    limit: usize,
) -> Result<Vec<(String, Option<Interaction>)>, StoreError> {
    let records = ports
        .store
        .records(scope.space(), RecordKind::Interaction, Some(after), limit)
        .await?;
    let read = |record: Record| {
        let interaction = Interaction::read(&record);
        (record.name, interaction)
    };
    Ok(records.into_iter().map(read).collect())
}

/// Reads the interactions that arrived from `since` to before `until`, the oldest first, at most
/// `limit`.
pub async fn between(
    ports: &Ports,
    scope: &Scope,
    since: Timestamp,
    until: Timestamp,
    limit: usize,
) -> Result<Vec<Interaction>, StoreError> {
    let until = stamp(until);
    let found = after(ports, scope, &stamp(since), limit).await?;
    let found = found.into_iter().take_while(|(name, _)| *name < until);
    Ok(found.filter_map(|(_, interaction)| interaction).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_sort_by_time() {
        let at = |raw: &str| stamp(raw.parse().unwrap());
        let mut times = [
            at("2026-03-01T10:00:00.5Z"),
            at("2026-03-01T10:00:00Z"),
            at("2026-02-28T23:59:59.999999Z"),
        ];
        times.sort();
        assert_eq!(times[0], "2026-02-28T23:59:59.999999Z");
        assert_eq!(times[2], "2026-03-01T10:00:00.500000Z");
    }
}
