//! Finds messages that the user and the assistant exchanged.

use std::sync::Arc;

use super::{Parts, Question, Reading, rank, rerank};
use crate::conversation::Message;
use crate::id::ConversationId;
use crate::index::Facets;
use crate::ports::Ports;
use crate::scope::Scope;
use crate::space::{MessageShelf, SpaceError};

/// A message that answers, and how well.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundMessage {
    pub message: Arc<Message>,
    /// From 0 to 1.
    pub score: f32,
    /// What the score is made of.
    pub parts: Parts,
}

/// Finds the messages that answer `query`, the best first: of one conversation, or of all.
pub async fn search_messages(
    ports: &Ports,
    scope: &Scope,
    query: &str,
    conversation: Option<&ConversationId>,
    limit: usize,
) -> Result<Vec<FoundMessage>, SpaceError> {
    let reading = Reading::of(query, ports.embedder.as_deref(), scope.now).await;
    let depth = rerank::depth(ports, limit);
    let look = |shelf: &MessageShelf| on_shelf(shelf, &reading, conversation, depth);
    let found = ports.spaces.messages(scope.space(), look).await?;
    Ok(rerank::second_look(ports, query, found, limit).await)
}

pub(super) fn on_shelf(
    shelf: &MessageShelf,
    reading: &Reading,
    conversation: Option<&ConversationId>,
    limit: usize,
) -> Vec<FoundMessage> {
    let wanted = conversation.map(ConversationId::as_str);
    let keep = |facets: &Facets| wanted.is_none_or(|wanted| facets.category.as_deref() == Some(wanted));
    let asked = reading.asked(shelf.index().model());
    let ranked = rank(shelf.index(), &asked, &keep, limit.min(Question::LIMIT_MAX));
    let found = ranked.into_iter().filter_map(|ranked| {
        let message = Arc::clone(shelf.message(&ranked.id)?);
        Some(FoundMessage {
            message,
            score: ranked.score,
            parts: ranked.parts,
        })
    });
    found.collect()
}
