//! What waits for a person to look at.

use std::sync::Arc;

use jiff::Timestamp;
use recalld_memory::entity as domain;
use recalld_memory::review::{Reason, ReviewItem as Item};
use serde::Serialize;
use utoipa::ToSchema;

use crate::entity::Entity;
use crate::memory::Memory;

/// What waits for review, the last changed first.
#[derive(Debug, Serialize, ToSchema)]
pub struct Review {
    pub items: Vec<ReviewItem>,
    /// Places, accounts and people that read like an instruction and are not in the user's own
    /// words.
    pub entities: Vec<Entity>,
}

/// Something that a person should confirm, forget or take back.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReviewItem {
    /// Why it is listed: `quarantined`, `proposed_change`, `changed_by_agent` or `hidden_by_agent`;
    /// by the command line also `stale_evidence`.
    pub reason: &'static str,
    /// What a quarantined memory reads like: `instruction`, `permission`, `command`, `link`,
    /// `markup` or `disguise`.
    pub reads_like: Option<&'static str>,
    #[schema(value_type = Memory)]
    pub memory: Memory,
    /// What the user said: before an agent changed it, or what a proposed change would replace.
    #[schema(value_type = Option<Memory>)]
    pub was: Option<Memory>,
}

impl Review {
    /// Shows `items` and `entities` as they are at `now`.
    pub fn new(items: Vec<Item>, entities: &[Arc<domain::Entity>], now: Timestamp) -> Review {
        let show = |item: Item| {
            let (reads_like, was) = match &item.reason {
                Reason::Quarantined(suspicion) => (Some(suspicion.as_str()), None),
                Reason::Proposed { of: was } | Reason::Changed { was } => {
                    (None, Some(Memory::at(was.clone(), now)))
                }
                Reason::Hidden => (None, None),
            };
            ReviewItem {
                reason: item.reason.as_str(),
                reads_like,
                memory: Memory::at(item.memory, now),
                was,
            }
        };
        Review {
            items: items.into_iter().map(show).collect(),
            entities: entities.iter().map(|entity| (&**entity).into()).collect(),
        }
    }
}
