//! Finds messages that the user and the assistant exchanged.

use std::sync::Arc;

use recalld_index::index::Facets;
use recalld_index::rank::rank;

use super::hit::numbered;
use super::memories::is_weak;
use super::{Hit, PreparedQuery, Question, rerank};
use crate::conversation::Message;
use crate::id::{ConversationId, project_of_session};
use crate::lens::Lens;
use crate::scope::Scope;
use crate::space::{MessageIndex, SpaceError};
use crate::wiring::Ports;

/// Finds the messages that answer, the best first: of one conversation, or of all.
pub async fn search_messages(
    ports: &Ports,
    scope: &Scope,
    question: &Question,
) -> Result<Vec<Hit<Arc<Message>>>, SpaceError> {
    let query = PreparedQuery::of(&question.text, ports.embedder.as_deref(), scope.now).await;
    let depth = rerank::depth(ports, question.limit);
    let look = |messages: &MessageIndex| answers(messages, question, scope.lens(), &query, depth);
    let hits = ports.spaces.messages(scope.space(), look).await?;
    Ok(rerank::rerank(ports, &question.text, hits, question.limit).await)
}

/// Ranks messages for a question that was read already.
pub(super) fn answers(
    messages: &MessageIndex,
    question: &Question,
    lens: Lens<'_>,
    query: &PreparedQuery,
    limit: usize,
) -> Vec<Hit<Arc<Message>>> {
    let wanted = question.conversation.as_ref().map(ConversationId::as_str);
    let keep = |facets: &Facets| {
        let conversation = facets.category.as_deref();
        wanted.is_none_or(|wanted| conversation == Some(wanted))
            && lens.sees_project(conversation.and_then(project_of_session))
    };
    let query = query.query(messages.index().model());
    let ranked = rank(messages.index(), &query, &keep, limit.min(Question::LIMIT_MAX));
    let hits = ranked.into_iter().filter_map(|ranked| {
        Some(Hit {
            item: Arc::clone(messages.message(&ranked.id)?),
            weak: is_weak(&ranked, query.likeness_min),
            score: ranked.score,
            parts: Some(ranked.parts),
            rank: 0,
            validity: None,
        })
    });
    numbered(hits.collect(), limit)
}
