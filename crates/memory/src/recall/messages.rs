//! Finds messages that the user and the assistant exchanged.

use std::sync::Arc;

use super::{Question, read};
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
    pub score: f32,
}

/// Finds the messages that answer `query`, the best first: of one conversation, or of all.
pub async fn search_messages(
    ports: &Ports,
    scope: &Scope,
    query: &str,
    conversation: Option<&ConversationId>,
    limit: usize,
) -> Result<Vec<FoundMessage>, SpaceError> {
    let look = |shelf: &MessageShelf| on_shelf(shelf, query, conversation, limit);
    ports.spaces.messages(scope.space(), look).await
}

pub(super) fn on_shelf(
    shelf: &MessageShelf,
    query: &str,
    conversation: Option<&ConversationId>,
    limit: usize,
) -> Vec<FoundMessage> {
    let wanted = conversation.map(ConversationId::as_str);
    let keep = |facets: &Facets| wanted.is_none_or(|wanted| facets.category.as_deref() == Some(wanted));
    let hits = shelf
        .index()
        .search(read(query), &keep, limit.min(Question::LIMIT_MAX));
    let found = hits.into_iter().filter_map(|hit| {
        let message = Arc::clone(shelf.message(&hit.id)?);
        Some(FoundMessage {
            message,
            score: hit.score,
        })
    });
    found.collect()
}
