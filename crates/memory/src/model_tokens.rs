//! How many tokens of models are spent for a user on a day, and how many may be. The count is a
//! record of the user's space: it survives a restart, and holds for all servers together.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use futures::StreamExt;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use recalld_index::text::tokens::TokenCount;
use serde_json::json;

use crate::change::{Change, Effect};
use crate::id::SpaceId;
use crate::ports::chat::{ChatStream, DaySpent, Turn, Usage};
use crate::ports::{ChatError, ChatEvent, ChatModel, ChatRequest, Store, StoreError};
use crate::record::{Record, RecordKind};
use crate::scope::Scope;
use crate::space::{SpaceError, SpaceView};
use crate::wiring::Ports;

/// How often a count is tried to be stored that others change at the same time.
const ATTEMPTS: usize = 20;

/// How many days are remembered.
const DAYS_KEPT: i32 = 7;

fn day(now: Timestamp) -> Date {
    now.to_zoned(TimeZone::UTC).date()
}

/// Gives the beginning of the next day.
fn next_day(now: Timestamp) -> Timestamp {
    let midnight = day(now)
        .tomorrow()
        .and_then(|day| day.to_zoned(TimeZone::UTC))
        .map(|day| day.timestamp());
    midnight.unwrap_or_else(|_| now + SignedDuration::from_hours(24))
}

/// Reads how many tokens were spent for the user of `space` on the day of `now`.
pub async fn spent(store: &dyn Store, space: &SpaceId, now: Timestamp) -> Result<u64, StoreError> {
    let name = day(now).to_string();
    let record = store.record(space, RecordKind::ModelTokens, &name).await?;
    Ok(record.map_or(0, |record| tokens_in(&record)))
}

fn tokens_in(record: &Record) -> u64 {
    record.value["tokens"].as_u64().unwrap_or(0)
}

/// Fails if the user has spent what a day allows. A store that cannot tell does not stop a chat
/// that works without it.
pub async fn check(ports: &Ports, scope: &Scope) -> Result<(), DaySpent> {
    let Some(most) = ports.settings.model_tokens_per_day_max else {
        return Ok(());
    };
    let now = ports.clock.now();
    match spent(&*ports.store, scope.space(), now).await {
        Ok(spent) if most <= spent => {
            let resets_at = next_day(now);
            let wait = Duration::try_from(resets_at.duration_since(now)).unwrap_or_default();
            Err(DaySpent {
                most,
                resets_at,
                wait,
            })
        }
        Ok(_) => Ok(()),
        Err(error) => {
            tracing::warn!(%error, "could not read how many model tokens a user has spent");
            Ok(())
        }
    }
}

/// Adds what was spent to the count of the day.
async fn note(ports: &Ports, space: &SpaceId, tokens: u64) -> Result<(), SpaceError> {
    for _ in 0..ATTEMPTS {
        let now = ports.clock.now();
        let revision = ports.store.revision(space).await?;
        let changes = counted(ports, space, tokens, now).await?;
        let decide = move |_: &SpaceView| (changes.clone(), ());
        if ports.spaces.write_at(space, revision, decide).await?.is_some() {
            return Ok(());
        }
    }
    tracing::warn!(%space, tokens, "could not count the tokens of a model: others write all the time");
    Ok(())
}

async fn counted(
    ports: &Ports,
    space: &SpaceId,
    tokens: u64,
    now: Timestamp,
) -> Result<Vec<Change>, SpaceError> {
    let (kind, today) = (RecordKind::ModelTokens, day(now));
    let name = today.to_string();
    let scope = Scope::of_upkeep(space.clone(), now);
    let known = ports.store.record(space, kind, &name).await?;
    let record = Record {
        kind,
        name,
        value: json!({ "tokens": known.as_ref().map_or(0, tokens_in).saturating_add(tokens) }),
        version: known.as_ref().map_or(1, |known| known.version.saturating_add(1)),
        written_at: now,
    };
    let mut effects = vec![Effect::Record(record)];
    if known.is_none() {
        let all = ports.store.records(space, kind, None, 100).await?;
        let is_past = |record: &Record| {
            let of: Option<Date> = record.name.parse().ok();
            of.is_none_or(|of| DAYS_KEPT < today.since(of).map_or(0, |past| past.get_days()))
        };
        let past = all.into_iter().filter(is_past);
        effects.extend(past.map(|Record { name, .. }| Effect::EraseRecord { kind, name }));
    }
    let changes = effects.into_iter().map(|effect| scope.change(None, effect));
    Ok(changes.collect())
}

/// Gives the model with a count of what it spends for the user of `scope`. Without a quota it is
/// the model itself.
pub fn metered(ports: &Ports, scope: &Scope, model: Arc<dyn ChatModel>) -> Arc<dyn ChatModel> {
    match ports.settings.model_tokens_per_day_max {
        Some(_) => Arc::new(Metered {
            ports: ports.clone(),
            scope: scope.clone(),
            model,
        }),
        None => model,
    }
}

/// A model whose tokens are counted.
#[derive(Debug)]
struct Metered {
    ports: Ports,
    scope: Scope,
    model: Arc<dyn ChatModel>,
}

#[async_trait]
impl ChatModel for Metered {
    fn name(&self) -> &str {
        self.model.name()
    }

    async fn stream(&self, request: &ChatRequest) -> Result<ChatStream, ChatError> {
        check(&self.ports, &self.scope).await?;
        let stream = self.model.stream(request).await?;
        let mut meter = Meter {
            ports: self.ports.clone(),
            space: self.scope.space().clone(),
            asked: tokens_of(request),
            heard: 0,
        };
        let counted = stream.then(move |event| {
            let whole = match &event {
                Ok(ChatEvent::Finished { usage, .. }) => Some(meter.take(*usage)),
                Ok(event) => {
                    meter.hear(event);
                    None
                }
                Err(_) => None,
            };
            let (ports, space) = (meter.ports.clone(), meter.space.clone());
            async move {
                if let Some(tokens) = whole {
                    store_count(&ports, &space, tokens).await;
                }
                event
            }
        });
        Ok(counted.boxed())
    }
}

async fn store_count(ports: &Ports, space: &SpaceId, tokens: u64) {
    if let Err(error) = note(ports, space, tokens).await {
        tracing::warn!(%error, tokens, "could not count the tokens of a model");
    }
}

/// What one answer takes. An answer that is broken off was paid for as well, as far as it went.
struct Meter {
    ports: Ports,
    space: SpaceId,
    asked: u64,
    heard: u64,
}

impl Meter {
    fn hear(&mut self, event: &ChatEvent) {
        if let ChatEvent::Text(text) | ChatEvent::Reasoning(text) | ChatEvent::CallArguments { text, .. } =
            event
        {
            self.heard += tokens(text);
        }
    }

    /// Gives what the answer took, by the provider's count if there is one; nothing is left.
    fn take(&mut self, usage: Usage) -> u64 {
        let (asked, heard) = (std::mem::take(&mut self.asked), std::mem::take(&mut self.heard));
        match usage.tokens_in + usage.tokens_out {
            0 => asked + heard,
            told => told,
        }
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        let tokens = self.take(Usage::default());
        if let (1.., Ok(runtime)) = (tokens, tokio::runtime::Handle::try_current()) {
            let (ports, space) = (self.ports.clone(), self.space.clone());
            runtime.spawn(async move { store_count(&ports, &space, tokens).await });
        }
    }
}

fn tokens(text: &str) -> u64 {
    TokenCount::of(text).most() as u64
}

/// What a question takes, about.
fn tokens_of(request: &ChatRequest) -> u64 {
    let of_turn = |turn: &Turn| tokens(&format!("{turn:?}"));
    request.turns.iter().map(of_turn).sum()
}
