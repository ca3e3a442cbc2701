//! What was said before, as a model is shown it: a summary of the older part, and the last messages
//! within a window, each message of the user with its time. Every message is in one of the two.

use jiff::Timestamp;
use recalld_memory::conversation::{Message, Role};
use recalld_memory::id::{ConversationId, MessageId};
use recalld_memory::memory::Origin;
use recalld_memory::ports::chat::Turn;
use recalld_memory::ports::{MessagePage, StoreError};
use recalld_memory::scope::Scope;

use crate::prompts::TimeIn;
use crate::summary::{self, Fill, Summary, Window};
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
    /// The messages after the summary, the oldest first.
    pub(super) said: Vec<Message>,
    /// Whether the stored summary should cover more than it does.
    pub(super) is_summary_late: bool,
    /// The arms of the replies, the last one first.
    pub(super) arms: Vec<String>,
    /// The least trusted thing that went into the replies.
    pub(super) heard: Option<Origin>,
    /// How many questions to the store it took.
    pub(super) queries: u32,
}

impl History {
    /// Counts what is shown as it was said.
    pub(super) fn fill(&self) -> Fill {
        Fill::of(&self.said)
    }
}

/// Reads a conversation. What came after `again`, a message that is sent once more, is left out
/// with it.
pub(super) async fn load(
    agent: &AgentPorts,
    scope: &Scope,
    conversation: &ConversationId,
    again: Option<&MessageId>,
) -> Result<History, StoreError> {
    let loading = Loading {
        agent,
        scope,
        conversation,
    };
    let mut history = History::default();
    let (page, is_whole) = loading.newest(again, &mut history.queries).await?;
    history.is_new = page.is_empty();
    history.heard = summary::least_trusted(&page);
    let replies = page
        .iter()
        .rev()
        .filter(|message| message.role == Role::Assistant);
    history.arms = replies.filter_map(|reply| metadata(reply, "arm")).collect();
    let opening = match is_whole {
        true => page.iter().find(|message| is_opening(message)).cloned(),
        false => loading.first(&mut history.queries).await?.filter(is_opening),
    };
    history.opening = opening.map(|opening| opening.content.as_str().to_owned());
    history.said = page.into_iter().filter(|message| !is_opening(message)).collect();
    if !is_whole || !loading.window().holds(history.fill()) {
        loading.summarise_older(&mut history).await?;
    }
    Ok(history)
}

struct Loading<'a> {
    agent: &'a AgentPorts,
    scope: &'a Scope,
    conversation: &'a ConversationId,
}

impl Loading<'_> {
    fn window(&self) -> Window {
        Window::of(&self.agent.settings.chat)
    }

    async fn page(&self, before: Option<u64>, limit: usize) -> Result<Vec<Message>, StoreError> {
        let page = MessagePage { before, limit };
        let store = &self.agent.memory.store;
        store.messages(self.scope.space(), self.conversation, &page).await
    }

    /// Reads the newest messages, or those before `again`. Returns whether these are all.
    async fn newest(
        &self,
        again: Option<&MessageId>,
        queries: &mut u32,
    ) -> Result<(Vec<Message>, bool), StoreError> {
        // More than is shown, since most conversations end before a summary is needed.
        let limit = (4 * self.agent.settings.chat.history_messages).clamp(8, 400);
        let is_whole = |page: &[Message]| page.len() < limit || page[0].seq == 1;
        *queries += 1;
        let mut newest = self.page(None, limit).await?;
        let whole = is_whole(&newest);
        let before = match newest.iter().position(|message| Some(&message.id) == again) {
            Some(0) if !whole => newest[0].seq,
            Some(at) => {
                newest.truncate(at);
                return Ok((newest, whole));
            }
            None if whole => return Ok((newest, whole)),
            None => match self.seq_of(again, queries).await? {
                Some(seq) => seq,
                None => return Ok((newest, whole)),
            },
        };
        *queries += 1;
        let older = self.page(Some(before), limit).await?;
        let whole = is_whole(&older);
        Ok((older, whole))
    }

    async fn seq_of(&self, id: Option<&MessageId>, queries: &mut u32) -> Result<Option<u64>, StoreError> {
        let Some(id) = id else { return Ok(None) };
        *queries += 1;
        let store = &self.agent.memory.store;
        let known = store.message(self.scope.space(), self.conversation, id).await?;
        Ok(known.map(|known| known.seq))
    }

    /// Reads the first message of all.
    async fn first(&self, queries: &mut u32) -> Result<Option<Message>, StoreError> {
        *queries += 1;
        Ok(self.page(Some(2), 1).await?.into_iter().next())
    }

    /// Moves what does not fit the window out of `history.said` into its summary: the stored one,
    /// extended by rules if it does not reach far enough yet.
    async fn summarise_older(&self, history: &mut History) -> Result<(), StoreError> {
        let store = &*self.agent.memory.store;
        history.queries += 1;
        let end = history.said.last().map_or(0, |message| message.seq);
        let mut summary = summary::read(store, self.scope, self.conversation)
            .await?
            // One that covers messages which are being said anew cannot be used.
            .filter(|summary| summary.through <= end);
        let mut through = summary.as_ref().map_or(0, |summary| summary.through);
        history.said.retain(|message| through < message.seq);
        // What was said between the summary and the messages that were read.
        let first_read = history.said.first().map_or(0, |message| message.seq);
        loop {
            let portion = summary::portion(store, self.scope, self.conversation, through, first_read).await?;
            history.queries += u32::from(through + 1 < first_read);
            let Some(last) = portion.last() else { break };
            through = last.seq;
            history.is_summary_late = true;
            summary = Summary::extended_by_rules(summary, &portion);
        }
        let fit = self.window().newest_that_fit(&history.said);
        let older: Vec<Message> = history.said.drain(..history.said.len() - fit).collect();
        history.is_summary_late |= !older.is_empty();
        history.summary = Summary::extended_by_rules(summary, &older);
        let heard = history.summary.as_ref().and_then(|summary| summary.heard);
        history.heard = history.heard.max(heard);
        Ok(())
    }
}

fn metadata(message: &Message, name: &str) -> Option<String> {
    message.metadata.as_ref()?.get(name)?.as_str().map(str::to_owned)
}

fn is_opening(message: &Message) -> bool {
    message.role == Role::System && metadata(message, "kind").as_deref() == Some(OPENING)
}

/// Writes a message as a turn.
pub(super) fn turn(message: &Message, time_in: TimeIn) -> Turn {
    let text = message.content.as_str();
    match message.role {
        Role::User => Turn::user(stamped(text, message.at, time_in)),
        Role::Assistant => Turn::assistant(text),
        Role::System => Turn::System(text.to_owned()),
    }
}

/// A text of the user with the time at which it was sent. It stands at the end, and the same in
/// every later request, so that what providers have cached stays valid.
pub(super) fn stamped(text: &str, at: Timestamp, time_in: TimeIn) -> String {
    let at = Timestamp::from_second(at.as_second()).unwrap_or(at);
    match time_in {
        TimeIn::Message => format!("{text}\n\n[sent {at}]"),
        TimeIn::System => text.to_owned(),
    }
}
