//! What a message changed in memory: what is new, what changed, what is gone.

use std::collections::BTreeMap;

use recalld_memory::id::MemoryId;
use recalld_memory::space::{SpaceError, SpaceView};

use crate::engine::Engine;
use crate::output::one_line;

/// The memories at one time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Snapshot(BTreeMap<MemoryId, String>);

/// Lines that describe what changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Learning(pub(super) Vec<String>);

impl Snapshot {
    /// Reads the current memories.
    pub(super) async fn of(engine: &Engine) -> Result<Snapshot, SpaceError> {
        let scope = engine.scope();
        let look = |view: &SpaceView| {
            let current = view.current(scope.lens());
            Snapshot(
                current
                    .map(|memory| (memory.id, memory.content.to_string()))
                    .collect(),
            )
        };
        engine.ports.spaces.read(scope.space(), look).await
    }

    /// Describes what changed since `before`.
    pub(super) fn since(&self, before: &Snapshot) -> Learning {
        let now = self.0.iter().filter_map(|(id, content)| match before.0.get(id) {
            None => Some(format!("+ {}", one_line(content))),
            Some(was) if was != content => Some(format!("~ {} (was: {})", one_line(content), one_line(was))),
            Some(_) => None,
        });
        let gone = before.0.iter().filter(|(id, _)| !self.0.contains_key(id));
        let gone = gone.map(|(_, content)| format!("- {}", one_line(content)));
        Learning(now.chain(gone).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(entries: &[(u128, &str)]) -> Snapshot {
        let entry = |(id, content): &(u128, &str)| {
            (
                MemoryId::from_uuid(uuid::Uuid::from_u128(*id)),
                (*content).to_owned(),
            )
        };
        Snapshot(entries.iter().map(entry).collect())
    }

    #[test]
    fn what_is_new_changed_and_gone_is_listed() {
        let before = snapshot(&[(1, "Lives in Lisbon"), (2, "Likes tea"), (3, "Has a dog")]);
        let after = snapshot(&[(1, "Lives in Porto"), (2, "Likes tea"), (4, "Works at Acme")]);
        assert_eq!(
            after.since(&before).0,
            [
                "~ Lives in Porto (was: Lives in Lisbon)",
                "+ Works at Acme",
                "- Has a dog"
            ]
        );
        assert_eq!(after.since(&after), Learning::default());
    }
}
