//! Refuses users about whom nothing is stored, which are likely typos.

use recalld_memory::scope::Scope;
use recalld_portability::erase::{preview, was_erased};

use crate::engine::Engine;
use crate::failure::{Failure, shortened};
use crate::suggest;

/// How many users are compared with an unknown name, in pages.
const PAGE: usize = 1_000;
const PAGES_MAX: usize = 100;

/// How many similar names a hint lists.
const SIMILAR_MAX: usize = 3;

/// Fails unless something is stored about the user of `scope`, or the user was erased before.
pub(super) async fn require_known_user(engine: &Engine, scope: &Scope) -> Result<(), Failure> {
    let rows = preview(&engine.eraser, scope).await?;
    if rows.iter().any(|(_, count)| 0 < *count) || was_erased(&engine.eraser, scope.space())? {
        return Ok(());
    }
    let user = scope.user().as_str();
    let message = format!("user not found: nothing is stored about {:?}", shortened(user));
    let failure = Failure::not_found(message);
    let names = users_beside(engine, scope).await?;
    let similar = suggest::similar(user, names.iter().map(String::as_str), SIMILAR_MAX);
    let similar: Vec<String> = similar.iter().map(|name| format!("`{name}`")).collect();
    Err(match similar.is_empty() {
        true => failure,
        false => failure.hint(format!("did you mean {}?", similar.join(" or "))),
    })
}

/// Lists users of the same namespace.
async fn users_beside(engine: &Engine, scope: &Scope) -> Result<Vec<String>, Failure> {
    let (mut names, mut after) = (Vec::new(), None);
    for _ in 0..PAGES_MAX {
        let page = engine.administration.spaces(after.as_ref(), PAGE).await?;
        let Some(last) = page.last() else { break };
        after = Some(last.clone());
        let same = page
            .iter()
            .filter(|space| space.namespace() == scope.space().namespace());
        names.extend(same.filter_map(|space| space.user()).map(str::to_owned));
    }
    Ok(names)
}
