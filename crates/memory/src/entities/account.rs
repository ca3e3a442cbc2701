//! What is remembered of a company: its entity, and the memories that name it.

use std::sync::Arc;

use crate::entity::{Entity, EntityKind};
use crate::memory::Memory;
use crate::recall::{self, Hit, Question};
use crate::scope::Scope;
use crate::space::{SpaceError, SpaceView};
use crate::wiring::Ports;

/// What is remembered of a company.
#[derive(Clone, Debug, Default)]
pub struct Account {
    /// Known under that name, if any is.
    pub entity: Option<Arc<Entity>>,
    /// What was said of it, the most telling first.
    pub memories: Vec<Hit<Arc<Memory>>>,
}

/// How many memories an account's context shows.
const ACCOUNT_MEMORIES_MAX: usize = 20;

/// Gathers what is remembered of the company called `name`; `about` narrows it, such as to
/// `previous research`.
pub async fn account(
    ports: &Ports,
    scope: &Scope,
    name: &str,
    about: Option<&str>,
) -> Result<Account, SpaceError> {
    let wanted = folded(name);
    let look = |view: &SpaceView| {
        let is_it = |entity: &&Arc<Entity>| {
            entity.kind == EntityKind::Account
                && (folded(entity.name.as_str()) == wanted || folded(entity.id.as_str()) == wanted)
        };
        let entity = view.entities().find(is_it).cloned();
        let question = Question::new(name, Question::LIMIT_MAX);
        // Only what names the company: a memory that shares one of its words is not about it.
        let naming = recall::in_view(view, &question, scope.lens())
            .into_iter()
            .filter(|hit| names(hit, &wanted));
        let mut memories: Vec<Hit<Arc<Memory>>> = naming.collect();
        if let Some(about) = about {
            narrow(view, scope, about, &mut memories);
        }
        memories.truncate(ACCOUNT_MEMORIES_MAX);
        Account { entity, memories }
    };
    ports.spaces.read(scope.space(), look).await
}

fn names(hit: &Hit<Arc<Memory>>, wanted: &str) -> bool {
    let key = hit.item.key.as_ref().map_or("", |key| key.as_str());
    folded(hit.item.content.as_str()).contains(wanted) || folded(key).contains(wanted)
}

/// Puts first what answers `about`, and leaves out the rest when anything does.
fn narrow(view: &SpaceView, scope: &Scope, about: &str, memories: &mut Vec<Hit<Arc<Memory>>>) {
    let question = Question::new(about.replace('_', " "), Question::LIMIT_MAX);
    let telling: Vec<_> = recall::in_view(view, &question, scope.lens())
        .into_iter()
        .map(|hit| hit.item.id)
        .collect();
    let place = |hit: &Hit<Arc<Memory>>| telling.iter().position(|id| *id == hit.item.id);
    if memories.iter().any(|hit| place(hit).is_some()) {
        memories.retain(|hit| place(hit).is_some());
        memories.sort_by_key(|hit| place(hit));
    }
}

fn folded(name: &str) -> String {
    name.replace(['_', '-'], " ")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .to_lowercase()
}
