//! What was said before, as a model is shown it: the last messages within a budget, each message of
//! the user with its time.

use jiff::Timestamp;
use recalld_index::text::tokens::TokenCount;
use recalld_memory::conversation::{Message, Role};
use recalld_memory::id::{ConversationId, MessageId};
use recalld_memory::memory::Origin;
use recalld_memory::ports::chat::Turn;
use recalld_memory::ports::{MessagePage, StoreError};
use recalld_memory::scope::Scope;

use crate::settings::ChatSettings;
use crate::summary::{self, Summary};
use crate::wiring::AgentPorts;

/// The kind of a stored system message that holds what was remembered when the conversation opened.
pub(super) const OPENING: &str = "opening";

/// A conversation so far.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    /// Whether nothing was said yet.
    pub(super) is_new: bool,
    /// What was remembered when it opened.
    pub(super) opening: Option<String>,
    /// What the older part comes to.
    pub(super) summary: Option<Summary>,
    /// Messages of user and assistant, the oldest first.
    pub(super) said: Vec<Message>,
    /// The arm of the last reply.
    pub(super) arm: Option<String>,
    /// The least trusted thing that went into the replies.
    pub(super) heard: Option<Origin>,
    /// How many questions to the store it took.
    pub(super) queries: u32,
}

/// Reads a conversation. What came after `again`, a message that is sent once more, is left out
/// with it.
pub(super) async fn load(
    agent: &AgentPorts,
    scope: &Scope,
    conversation: &ConversationId,
    again: Option<&MessageId>,
) -> Result<History, StoreError> {
    let settings = &agent.settings.chat;
    // More than is shown, so that what opened a conversation is found for as long as possible.
    let limit = (4 * settings.history_messages).clamp(8, 400);
    let page = MessagePage { before: None, limit };
    let mut all = agent
        .memory
        .store
        .messages(scope.space(), conversation, &page)
        .await?;
    let from = again.and_then(|id| all.iter().position(|message| message.id == *id));
    all.truncate(from.unwrap_or(all.len()));
    let mut history = History {
        is_new: all.is_empty(),
        queries: 1,
        ..History::default()
    };
    let of = |message: &Message, name: &str| -> Option<String> {
        message.metadata.as_ref()?.get(name)?.as_str().map(str::to_owned)
    };
    for message in all {
        if message.role == Role::Assistant {
            history.arm = of(&message, "arm");
            let heard = of(&message, "heard").and_then(|name| Origin::parse(&name).ok());
            history.heard = history.heard.max(heard);
        }
        match message.role {
            Role::System if of(&message, "kind").as_deref() == Some(OPENING) => {
                history.opening = Some(message.content.as_str().to_owned());
            }
            _ => history.said.push(message),
        }
    }
    if settings.history_messages < history.said.len() {
        history.queries += 1;
        history.summary = summary::read(agent, scope, conversation).await?;
    }
    if let Some(summary) = &history.summary {
        history.said.retain(|message| summary.through < message.seq);
    }
    fit(&mut history.said, settings);
    Ok(history)
}

/// Keeps the last messages that fit.
fn fit(said: &mut Vec<Message>, settings: &ChatSettings) {
    let mut total = TokenCount::default();
    let mut kept = 0;
    for message in said.iter().rev().take(settings.history_messages) {
        total += TokenCount::of(message.content.as_str());
        if !total.fits(settings.history_tokens_max) {
            break;
        }
        kept += 1;
    }
    said.drain(..said.len() - kept);
}

/// Writes a message as a turn.
pub(super) fn turn(message: &Message) -> Turn {
    let text = message.content.as_str();
    match message.role {
        Role::User => Turn::user(stamped(text, message.at)),
        Role::Assistant => Turn::assistant(text),
        Role::System => Turn::System(text.to_owned()),
    }
}

/// A text of the user with the time at which it was sent. It stands at the end, and the same in
/// every later request, so that what providers have cached stays valid.
pub(super) fn stamped(text: &str, at: Timestamp) -> String {
    let at = Timestamp::from_second(at.as_second()).unwrap_or(at);
    format!("{text}\n\n[sent {at}]")
}
