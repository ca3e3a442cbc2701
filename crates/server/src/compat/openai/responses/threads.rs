//! What was said before a response, and keeping what is said after.

use recalld_memory::change::Effect;
use recalld_memory::conversation_items;
use recalld_memory::id::ConversationId;
use recalld_memory::items::{self, Item, ItemChange, Items, NewItem};
use recalld_memory::memory::Origin;
use recalld_memory::scope::Scope;
use recalld_memory::screening::secrets;
use recalld_memory::space::{Decision, SpaceView};
use recalld_memory::wiring::Ports;
use serde_json::{Value, json};

use super::super::super::json_body::invalid;
use super::super::conversations;
use super::request::ResponsesRequest;
use crate::error::ApiError;

/// The items that responses are.
pub(super) const RESPONSES: &str = "responses";

/// Finds a response.
pub(super) async fn known(ports: &Ports, scope: &Scope, id: &str) -> Result<Item, ApiError> {
    let item = items::read(ports, scope, RESPONSES, |items| items.get(id)).await?;
    item.ok_or_else(|| ApiError::not_found("response"))
}

/// The conversation that a response goes on with.
pub(super) struct Thread {
    pub(super) conversation: ConversationId,
    /// What was said so far.
    pub(super) history: Vec<Value>,
    /// What must be stored first: the history of a branch.
    copied: Vec<Value>,
    /// Whether the caller named the conversation.
    is_named: bool,
}

impl Thread {
    /// Finds the conversation that a request goes on with, or begins one.
    pub(super) async fn open(
        ports: &Ports,
        scope: &Scope,
        asked: &ResponsesRequest,
    ) -> Result<Thread, ApiError> {
        let stored = async |conversation: &ConversationId| -> Result<Vec<Value>, ApiError> {
            let all = conversations::stored(ports, scope, conversation).await?;
            Ok(all.into_iter().map(|record| record.value).collect())
        };
        if let Some(id) = &asked.conversation {
            let (conversation, _) = conversations::known(ports, scope, id).await?;
            let history = stored(&conversation).await?;
            return Ok(Thread {
                conversation,
                history,
                copied: Vec::new(),
                is_named: true,
            });
        }
        let begun = || ConversationId::new(format!("responses:{}", scope.fresh_name(&*ports.ids)));
        let begun = || begun().map_err(|error| invalid(error.to_string()));
        let Some(previous) = &asked.previous else {
            return Ok(Thread {
                conversation: begun()?,
                history: Vec::new(),
                copied: Vec::new(),
                is_named: false,
            });
        };
        let before = known(ports, scope, previous).await?;
        let lost = || ApiError::not_found("response");
        let name = before.value["thread"].as_str().ok_or_else(lost)?;
        let conversation = ConversationId::new(name).map_err(|_| lost())?;
        let mut history = stored(&conversation).await?;
        let end = before.value["end"]
            .as_u64()
            .map_or(history.len(), |end| end as usize);
        let is_branch = end < history.len();
        history.truncate(end);
        Ok(match is_branch {
            true => Thread {
                conversation: begun()?,
                copied: history.clone(),
                history,
                is_named: false,
            },
            false => Thread {
                conversation,
                history,
                copied: Vec::new(),
                is_named: before.value["is_named"] == true,
            },
        })
    }

    /// Makes what keeps the response when it is there.
    pub(super) fn keeper(self, ports: &Ports, scope: &Scope, asked: &ResponsesRequest) -> Keeper {
        Keeper {
            ports: ports.clone(),
            scope: scope.clone(),
            input: asked.input.clone(),
            is_stored: asked.is_stored,
            thread: self,
        }
    }
}

/// Keeps a response with what it answered.
pub(super) struct Keeper {
    ports: Ports,
    scope: Scope,
    thread: Thread,
    input: Vec<Value>,
    is_stored: bool,
}

impl Keeper {
    /// Stores a response. The reply does not fail because that does.
    pub(super) async fn keep(self, response: Value) {
        if !self.is_stored && !self.thread.is_named {
            return;
        }
        if let Err(error) = self.store(response).await {
            let (_, code, detail, _) = error.told();
            tracing::warn!(code, detail, "a response was not stored");
        }
    }

    async fn store(&self, response: Value) -> Result<(), ApiError> {
        let output = response["output"].as_array().cloned().unwrap_or_default();
        let mut new: Vec<Value> = self
            .thread
            .copied
            .iter()
            .chain(&self.input)
            .chain(&output)
            .cloned()
            .collect();
        new.iter_mut().for_each(secrets::redact_json);
        let end = self.thread.history.len() + self.input.len() + output.len();
        let conversation = &self.thread.conversation;
        let put = |(place, item): (usize, &Value)| {
            let id = item["id"].as_str().unwrap_or_default();
            conversation_items::put(&self.scope, conversation, place, id, item.clone())
        };
        let effects: Vec<Effect> = new.iter().enumerate().map(put).collect();
        let decided_for = self.scope.clone();
        let decide = move |_: &SpaceView| Decision {
            changes: effects
                .iter()
                .map(|effect| decided_for.change(None, effect.clone()))
                .collect(),
            outcome: (),
        };
        self.ports.spaces.write(self.scope.space(), decide).await?;
        if !self.is_stored {
            return Ok(());
        }
        let name = response["id"].as_str().unwrap_or_default().to_owned();
        let mut value = json!({
            "response": response, "thread": conversation.as_str(), "end": end, "input": self.input,
            "is_named": self.thread.is_named,
        });
        secrets::redact_json(&mut value);
        let new = NewItem {
            path: json!(name),
            value,
            text: None,
            rests_on: None,
            version: None,
            ttl_s: None,
            origin: Origin::Assistant,
            source: None,
        };
        let put = ItemChange::put(name, new);
        let decide = move |_: Items<'_>| (vec![put.clone()], ());
        Ok(items::update(&self.ports, &self.scope, RESPONSES, decide).await?)
    }
}
