//! Finds memories of the user together with those that all may read.

use super::{Found, Question, in_view};
use crate::id::SpaceId;
use crate::ports::Ports;
use crate::scope::Scope;
use crate::space::{SpaceError, SpaceView};

/// Whose memory it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reach {
    /// The user's own.
    Own,
    /// One that all may read and an administrator wrote.
    Global,
}

/// Finds the best answers among the user's own memories and the global ones, the best first.
/// The scores are comparable ones, from 0 to 1.
pub async fn recall_with_global(
    ports: &Ports,
    scope: &Scope,
    question: &Question,
) -> Result<Vec<(Found, Reach)>, SpaceError> {
    let look = |view: &SpaceView| comparable(view, question, scope);
    let own = ports.spaces.read(scope.space(), look).await?;
    let shared = SpaceId::shared();
    let global = match *scope.space() == shared {
        true => Vec::new(),
        false => ports.spaces.read(&shared, look).await?,
    };
    let own = own.into_iter().map(|found| (found, Reach::Own));
    let global = global.into_iter().map(|found| (found, Reach::Global));
    let mut all: Vec<(Found, Reach)> = own.chain(global).collect();
    // Stable: of equals, the user's own come first, and each in their order.
    all.sort_by(|(a, _), (b, _)| b.score.total_cmp(&a.score));
    all.truncate(question.limit.min(Question::LIMIT_MAX));
    Ok(all)
}

/// Finds memories of one space, with scores that can be compared to those of another.
pub(super) fn comparable(view: &SpaceView, question: &Question, scope: &Scope) -> Vec<Found> {
    let ideal = view.index().ideal(question.read());
    let found = in_view(view, question, scope.now).into_iter();
    found
        .map(|found| Found {
            score: super::texts::share(found.score, ideal),
            ..found
        })
        .collect()
}
