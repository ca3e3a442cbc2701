//! The right to run for a user: one at a time, on whatever server.

use jiff::{SignedDuration, Timestamp};
use recalld_memory::change::Effect;
use recalld_memory::record::{Record, RecordKind};
use recalld_memory::scope::Scope;
use recalld_memory::space::SpaceError;
use recalld_memory::wiring::Ports;
use serde_json::json;

const NAME: &str = "daily:claim";

/// After so long a claim counts as left behind by a crash.
const LASTS: SignedDuration = SignedDuration::from_mins(15);

/// How often it is tried because somebody else wrote.
const TRIES_MAX: usize = 50;

/// Takes the right, if nobody has it.
pub(super) async fn take(ports: &Ports, scope: &Scope, server: &str) -> Result<bool, SpaceError> {
    let until = scope.now.saturating_add(LASTS).unwrap_or(scope.now);
    let claim = Effect::Record(Record {
        kind: RecordKind::Task,
        name: NAME.to_owned(),
        value: json!({ "by": server, "claimed_until": until.to_string() }),
        version: 1,
        written_at: scope.now,
    });
    for _ in 0..TRIES_MAX {
        let revision = ports.store.revision(scope.space()).await?;
        let known = ports.store.record(scope.space(), RecordKind::Task, NAME).await?;
        let held = known.is_some_and(|known| {
            let until: Option<Timestamp> = known.value["claimed_until"]
                .as_str()
                .and_then(|at| at.parse().ok());
            known.value["by"] != server && until.is_some_and(|until| scope.now < until)
        });
        if held {
            return Ok(false);
        }
        let change = scope.change(None, claim.clone());
        let write = ports
            .spaces
            .write_at(scope.space(), revision, move |_| (vec![change.clone()], ()));
        if write.await?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Gives it back.
pub(super) async fn give_back(ports: &Ports, scope: &Scope) -> Result<(), SpaceError> {
    let change = scope.change(
        None,
        Effect::EraseRecord {
            kind: RecordKind::Task,
            name: NAME.to_owned(),
        },
    );
    let decide = move |_: &recalld_memory::space::SpaceView| recalld_memory::space::Decision {
        changes: vec![change.clone()],
        outcome: (),
    };
    ports.spaces.write(scope.space(), decide).await
}
