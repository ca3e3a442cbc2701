//! What a run would change.

use recalld_memory::ports::chat::Turn;
use serde_json::Value;

use crate::agent_loop::State;
use crate::extract::Learned;
use crate::tools;

/// A change that a run would make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    /// `write`, `update` or `retire`.
    pub act: &'static str,
    pub key: Option<String>,
    pub content: String,
}

/// The writing calls that a model made.
pub(super) fn of_calls(state: &State) -> Vec<Planned> {
    let calls = state.messages().iter().flat_map(|entry| match &entry.turn {
        Turn::Assistant { calls, .. } => calls.as_slice(),
        _ => &[],
    });
    let writes = calls.filter(|call| tools::find(&call.name).is_some_and(|tool| !tool.hints.read_only));
    writes
        .filter_map(|call| {
            let arguments: Value = serde_json::from_str(&call.arguments).ok()?;
            let text = |name: &str| arguments[name].as_str().map(str::to_owned);
            Some(Planned {
                act: match call.name.split_once('_').map_or("", |(verb, _)| verb) {
                    "update" => "update",
                    "delete" => "retire",
                    _ => "write",
                },
                key: text("key"),
                content: text("value").or_else(|| text("content")).unwrap_or_default(),
            })
        })
        .collect()
}

pub(super) fn of_learned(learned: &Learned) -> Option<Planned> {
    let (act, memory) = match learned {
        Learned::Remembered(memory) => ("write", memory),
        Learned::Revised { memory, .. } | Learned::Superseded { memory, .. } => ("update", memory),
        Learned::Retired(memory) | Learned::Ended(memory) => ("retire", memory),
        Learned::Known(_) | Learned::Nothing | Learned::Refused(_) => return None,
    };
    Some(Planned {
        act,
        key: memory.key.as_ref().map(ToString::to_string),
        content: memory.content.to_string(),
    })
}
