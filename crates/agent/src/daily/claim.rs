//! The right to run for a user: one run at a time, in whatever process, on whatever server.
//!
//! A claim is a record that is written at a revision at which nobody had one. It belongs to one
//! run, not to a server: another run in the same process does not pass.

use jiff::{SignedDuration, Timestamp};
use recalld_memory::change::Effect;
use recalld_memory::record::{Record, RecordKind};
use recalld_memory::scope::Scope;
use recalld_memory::space::SpaceError;
use recalld_memory::wiring::Ports;
use serde_json::json;

const NAME: &str = "daily:claim";

/// After so long a claim that was not renewed counts as left behind by a crash. It is longer than a
/// portion may take.
const LASTS: SignedDuration = SignedDuration::from_mins(15);

/// How often it is tried because somebody else wrote.
const TRIES_MAX: usize = 50;

/// The right to run, until it lapses.
#[derive(Debug)]
pub(super) struct Claim<'a> {
    ports: &'a Ports,
    scope: &'a Scope,
    /// Tells this run from all others.
    holder: String,
}

impl<'a> Claim<'a> {
    /// Takes the right, if nobody has it.
    pub(super) async fn take(ports: &'a Ports, scope: &'a Scope) -> Result<Option<Claim<'a>>, SpaceError> {
        let claim = Claim {
            ports,
            scope,
            holder: ports.ids.next(scope.now).to_string(),
        };
        let taken = claim.write_if(Holder::is_free, vec![]).await?;
        Ok(taken.then_some(claim))
    }

    /// Makes it last longer, and applies `effects` in the same write. Returns false if somebody
    /// else has the right by now; then nothing is written.
    pub(super) async fn renew_with(&self, effects: Vec<Effect>) -> Result<bool, SpaceError> {
        self.write_if(Holder::is_self, effects).await
    }

    /// Gives it back, with `effects` in the same write. Returns false if it is somebody else's.
    pub(super) async fn release_with(self, effects: Vec<Effect>) -> Result<bool, SpaceError> {
        let release = Effect::EraseRecord {
            kind: RecordKind::Task,
            name: NAME.to_owned(),
        };
        let effects = effects.into_iter().chain([release]).collect();
        self.apply_if(Holder::is_self, effects).await
    }

    async fn write_if(&self, may: fn(&Holder) -> bool, effects: Vec<Effect>) -> Result<bool, SpaceError> {
        let now = self.ports.clock.now().max(self.scope.now);
        let until = now.saturating_add(LASTS).unwrap_or(now);
        let claim = Effect::Record(Record {
            kind: RecordKind::Task,
            name: NAME.to_owned(),
            value: json!({ "by": self.holder, "claimed_until": until.to_string() }),
            version: 1,
            written_at: now,
        });
        self.apply_if(may, effects.into_iter().chain([claim]).collect())
            .await
    }

    async fn apply_if(&self, may: fn(&Holder) -> bool, effects: Vec<Effect>) -> Result<bool, SpaceError> {
        let (ports, scope) = (self.ports, self.scope);
        for _ in 0..TRIES_MAX {
            let revision = ports.store.revision(scope.space()).await?;
            if !may(&self.holder().await?) {
                return Ok(false);
            }
            let changes: Vec<_> = effects
                .iter()
                .map(|effect| scope.change(None, effect.clone()))
                .collect();
            let decide = move |_: &_| (changes.clone(), ());
            if ports
                .spaces
                .write_at(scope.space(), revision, decide)
                .await?
                .is_some()
            {
                return Ok(true);
            }
        }
        Err(SpaceError::Contended)
    }

    async fn holder(&self) -> Result<Holder, SpaceError> {
        let known = self
            .ports
            .store
            .record(self.scope.space(), RecordKind::Task, NAME)
            .await?;
        let Some(known) = known else {
            return Ok(Holder::Nobody);
        };
        let until = known.value["claimed_until"]
            .as_str()
            .and_then(|at| at.parse::<Timestamp>().ok());
        let now = self.ports.clock.now().max(self.scope.now);
        Ok(match known.value["by"].as_str() == Some(&self.holder) {
            true => Holder::This,
            false if until.is_some_and(|until| now < until) => Holder::Other,
            false => Holder::Nobody,
        })
    }
}

/// Who has the right.
enum Holder {
    This,
    Other,
    Nobody,
}

impl Holder {
    fn is_free(&self) -> bool {
        matches!(self, Holder::Nobody)
    }

    fn is_self(&self) -> bool {
        matches!(self, Holder::This)
    }
}
