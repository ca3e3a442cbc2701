//! Brings the summary of a conversation up to date: what no longer fits the window goes into it,
//! portion by portion.

use recalld_index::text::plain::shorten;
use recalld_memory::change::Effect;
use recalld_memory::conversation::Message;
use recalld_memory::id::ConversationId;
use recalld_memory::model_tokens::metered;
use recalld_memory::ports::chat::{Turn, ask};
use recalld_memory::ports::{ChatModel, ChatRequest, ChatRole, MessagePage, StoreError};
use recalld_memory::record::{Record, RecordKind};
use recalld_memory::render::one_line;
use recalld_memory::scope::Scope;
use recalld_memory::space::{SpaceError, SpaceView};

use super::{Fill, PORTION_MESSAGES, Summary, TOKENS_MAX, Window, extractive, is_said, portion, read, task};
use crate::wiring::AgentPorts;

/// How often a write is decided again because somebody else wrote.
const TRIES_MAX: usize = 50;

/// How often a model is asked to bring one summary up to date. Rules do the rest: a conversation of
/// many thousand messages that comes in at once must not cost as many tokens.
const MODEL_CALLS_MAX: usize = 4;

/// The most characters of messages that a model is shown at once, and of one of them.
const PORTION_CHARS_MAX: usize = 48_000;
const MESSAGE_CHARS_MAX: usize = 2_000;

/// Brings the summary up to date, and removes the task to do so.
pub async fn update(
    agent: &AgentPorts,
    scope: &Scope,
    conversation: &ConversationId,
) -> Result<(), SpaceError> {
    let until = first_shown(agent, scope, conversation).await?;
    let store = &*agent.memory.store;
    let mut calls_left = MODEL_CALLS_MAX;
    loop {
        let before = read(store, scope, conversation).await?;
        let after = before.as_ref().map_or(0, |summary| summary.through);
        let read = portion(store, scope, conversation, after, until).await?;
        if read.is_empty() {
            return store_summary(agent, scope, conversation, None).await.map(drop);
        }
        let portion = first_chars(&read);
        let may_ask = 0 < calls_left && until - after <= 2 * PORTION_MESSAGES;
        calls_left -= usize::from(may_ask);
        let summary = summarised(agent, scope, before.as_ref(), portion, may_ask).await;
        let step = Step {
            before,
            portion,
            summary,
        };
        if !store_summary(agent, scope, conversation, Some(&step)).await? {
            // Another server is at it, or something was erased: there is a task for what is left.
            return Ok(());
        }
    }
}

/// The number of the first message that stays as it was said; the first of all, while they fit.
async fn first_shown(
    agent: &AgentPorts,
    scope: &Scope,
    conversation: &ConversationId,
) -> Result<u64, StoreError> {
    let window = Window::of(&agent.settings.chat);
    let store = &*agent.memory.store;
    let page = MessagePage {
        before: None,
        limit: window.messages() + 1,
    };
    let newest = store.messages(scope.space(), conversation, &page).await?;
    let through = read(store, scope, conversation)
        .await?
        .map_or(0, |summary| summary.through);
    let open: Vec<Message> = newest
        .into_iter()
        .filter(|message| through < message.seq)
        .collect();
    if window.holds(Fill::of(&open)) {
        return Ok(0);
    }
    let stays = window.half().newest_that_fit(&open);
    let first = open.get(open.len() - stays).map(|message| message.seq);
    let after_all = || open.last().map(|message| message.seq + 1);
    Ok(first.or_else(after_all).unwrap_or(0))
}

/// As many messages as a model can be shown at once, at least one.
fn first_chars(messages: &[Message]) -> &[Message] {
    let mut chars = 0;
    let fits = |message: &&Message| {
        chars += message.content.as_str().len().min(MESSAGE_CHARS_MAX);
        chars <= PORTION_CHARS_MAX
    };
    let count = messages.iter().take_while(fits).count();
    &messages[..count.max(1).min(messages.len())]
}

/// By a model if there is one and it answers, and by choosing sentences otherwise.
async fn summarised(
    agent: &AgentPorts,
    scope: &Scope,
    before: Option<&Summary>,
    messages: &[Message],
    may_ask: bool,
) -> Option<Summary> {
    if let Some(models) = agent.models.as_ref().filter(|_| may_ask) {
        let model = metered(&agent.memory, scope, models.of(ChatRole::Summary));
        let text = before.map_or("", |summary| summary.text.as_str());
        match by_model(&*model, text, messages).await {
            Some(text) => return Summary::extended(before, messages, text, model.name()),
            None => tracing::warn!(
                model = model.name(),
                "the model did not summarise; using rules instead"
            ),
        }
    }
    Summary::extended_by_rules(before.cloned(), messages)
}

async fn by_model(model: &dyn ChatModel, before: &str, said: &[Message]) -> Option<String> {
    let mut text = format!("Summary so far:\n{before}\n\nWhat was said after it:\n");
    for message in said.iter().filter(|message| is_said(message)) {
        let line = shorten(&one_line(message.content.as_str()), MESSAGE_CHARS_MAX);
        text.push_str(&format!("{}: {line}\n", message.role.as_str()));
    }
    let request = ChatRequest {
        turns: vec![
            Turn::System(include_str!("summarise.md").to_owned()),
            Turn::user(text),
        ],
        // With room for models that think before they answer.
        tokens_max: Some(4_000),
        ..ChatRequest::default()
    };
    let answer = ask(model, &request).await.ok()?.text;
    let answer = extractive::first_lines(answer.trim(), TOKENS_MAX);
    (!answer.is_empty()).then_some(answer)
}

/// A summary, and what it was made of.
struct Step<'m> {
    before: Option<Summary>,
    portion: &'m [Message],
    summary: Option<Summary>,
}

/// Stores a summary if what it was made of is still so; without one, removes the task. Returns
/// whether it was stored.
async fn store_summary(
    agent: &AgentPorts,
    scope: &Scope,
    conversation: &ConversationId,
    step: Option<&Step<'_>>,
) -> Result<bool, SpaceError> {
    let summary = step.and_then(|step| step.summary.as_ref());
    let record = summary.map(|summary| {
        Effect::Record(Record {
            kind: RecordKind::Summary,
            name: conversation.to_string(),
            value: summary.to_value(),
            version: 1,
            written_at: scope.now,
        })
    });
    let effect = record.unwrap_or_else(|| task::done(conversation));
    for _ in 0..TRIES_MAX {
        let revision = agent.memory.store.revision(scope.space()).await?;
        if let Some(step) = step
            && !step.still_holds(agent, scope, conversation).await?
        {
            return Ok(false);
        }
        let (id, effect, stamped) = (conversation.clone(), effect.clone(), scope.clone());
        let is_task = step.is_none();
        let decide = move |view: &SpaceView| {
            // A conversation that was erased in between has no summary.
            let wanted = is_task || view.conversation(&id).is_some();
            let changes = wanted.then(|| stamped.change(None, effect.clone()));
            (changes.into_iter().collect(), wanted)
        };
        let spaces = &agent.memory.spaces;
        if let Some(stored) = spaces.write_at(scope.space(), revision, decide).await? {
            return Ok(stored);
        }
    }
    Err(SpaceError::Contended)
}

impl Step<'_> {
    /// Returns whether neither the summary nor the messages were changed or erased since.
    async fn still_holds(
        &self,
        agent: &AgentPorts,
        scope: &Scope,
        conversation: &ConversationId,
    ) -> Result<bool, StoreError> {
        let store = &*agent.memory.store;
        let after = self.before.as_ref().map_or(0, |summary| summary.through);
        let until = self.portion.last().map_or(0, |message| message.seq + 1);
        Ok(read(store, scope, conversation).await? == self.before
            && portion(store, scope, conversation, after, until).await? == self.portion)
    }
}
