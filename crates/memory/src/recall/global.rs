//! Finds memories of the user together with those that all may read.

use super::{Found, Question, Reading, answers, rerank};
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
pub async fn recall_with_global(
    ports: &Ports,
    scope: &Scope,
    question: &Question,
) -> Result<Vec<(Found, Reach)>, SpaceError> {
    let reading = Reading::of(&question.text, ports.embedder.as_deref(), scope.now).await;
    let asked = Question {
        limit: rerank::depth(ports, question.limit),
        ..question.clone()
    };
    let look = |view: &SpaceView| answers(view, &asked, scope.now, &reading);
    let own = ports.spaces.read(scope.space(), look).await?;
    let shared = SpaceId::shared();
    let global = match *scope.space() == shared {
        true => Vec::new(),
        false => ports.spaces.read(&shared, look).await?,
    };
    let own = rerank::second_look(ports, &question.text, own, asked.limit).await;
    let global = rerank::second_look(ports, &question.text, global, asked.limit).await;
    let own = own.into_iter().map(|found| (found, Reach::Own));
    let global = global.into_iter().map(|found| (found, Reach::Global));
    let mut all: Vec<(Found, Reach)> = own.chain(global).collect();
    // Stable: of equals, the user's own come first, and each in their order.
    all.sort_by(|(a, _), (b, _)| b.score.total_cmp(&a.score));
    all.truncate(question.limit.min(Question::LIMIT_MAX));
    Ok(all)
}
