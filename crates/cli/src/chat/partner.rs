//! A conversation with a model, and what is learned from it.

use std::sync::Arc;

use recalld_agent::agent_loop::AgentEvent;
use recalld_agent::chat::{self, Reply, Request, Started};
use recalld_agent::extract::{Worker, WorkerSettings};
use recalld_memory::conversation::MessageText;
use recalld_memory::id::ConversationId;
use recalld_memory::ports::{ChatModel, ChatRole};

use super::learning::{Learning, Snapshot};
use crate::engine::Engine;
use crate::failure::{Failure, chain};

/// The model's side of a conversation.
#[derive(Debug)]
pub(crate) struct Partner {
    pub(super) engine: Engine,
    pub(super) conversation: Option<ConversationId>,
    model: Option<String>,
    /// The memories before the last message.
    before: Snapshot,
}

impl Partner {
    /// Continues a conversation, or starts one.
    pub(crate) fn new(
        engine: Engine,
        conversation: Option<ConversationId>,
        model: Option<String>,
    ) -> Partner {
        Partner {
            engine,
            conversation,
            model,
            before: Snapshot::default(),
        }
    }

    /// Fails if no model is configured. Names the model that answers, which may have to be asked
    /// for.
    pub(crate) async fn model(&self) -> Result<String, Failure> {
        let Some(models) = &self.engine.agent.models else {
            let message = "no model is configured";
            let hint = "set OPENAI_API_KEY or ANTHROPIC_API_KEY; for Ollama, LM Studio, llama.cpp or vLLM set \
                        OPENAI_BASE_URL, such as http://127.0.0.1:11434/v1";
            return Err(Failure::bad_input("no_model", message).hint(hint));
        };
        if let (None, Some(first)) = (&self.model, &self.engine.first_model) {
            let chosen = first.choose().await;
            let chosen = chosen.map_err(|error| Failure::failed("chat", chain(&error)))?;
            return Ok(chosen.name().to_owned());
        }
        let named = self.model.as_deref().and_then(|name| models.find(name));
        let model = named.unwrap_or_else(|| models.of(ChatRole::Chat));
        Ok(model.name().to_owned())
    }

    /// Sends a message and reports events to `on_event`. The answer ends early when `stop` does.
    pub(crate) async fn say(
        &mut self,
        message: &str,
        stop: impl Future<Output = ()>,
        mut on_event: impl FnMut(&AgentEvent),
    ) -> Result<(Started, Reply), Failure> {
        let text = MessageText::new(message.to_owned())
            .map_err(|error| Failure::bad_input("chat", error.to_string()))?;
        let request = Request {
            conversation: self.conversation.clone(),
            model: self.model.clone(),
            ..Request::new(text)
        };
        self.before = Snapshot::of(&self.engine).await.unwrap_or_default();
        let begun = chat::begin(&self.engine.agent, &self.engine.scope(), request).await;
        let mut turn = begun.map_err(|refusal| Failure::bad_input("chat", refusal.to_string()))?;
        let mut stop = std::pin::pin!(stop);
        loop {
            tokio::select! {
                event = turn.events.recv() => match event {
                    Some(event) => on_event(&event),
                    None => break,
                },
                // Closing the channel stops the model; the partial answer is stored.
                () = &mut stop => {
                    turn.events.close();
                    break;
                }
            }
        }
        let reply = turn.reply.await;
        let reply = reply.map_err(|_| Failure::failed("chat", "the model did not reply"))?;
        if let Some(error) = reply.failure.as_ref().filter(|_| reply.text.is_empty()) {
            return Err(Failure::failed("chat", chain(error)));
        }
        self.conversation = Some(reply.conversation.clone());
        Ok((turn.started, reply))
    }

    /// Extracts facts from the last message, and returns what changed.
    pub(crate) fn learn(&self) -> impl Future<Output = Learning> + Send + 'static {
        let (engine, before) = (self.engine.clone(), self.before.clone());
        async move {
            let mut agent = engine.agent.clone();
            let mut settings = (*agent.settings).clone();
            settings.extraction.buffer_idle = std::time::Duration::ZERO;
            agent.settings = Arc::new(settings);
            let worker = Worker {
                agent,
                administration: engine.administration.clone(),
                settings: WorkerSettings {
                    name: format!("chat-{}", std::process::id()),
                    ..WorkerSettings::default()
                },
                metrics: Arc::default(),
            };
            if let Err(error) = worker.work_for(engine.scope().space()).await {
                tracing::warn!(%error, "facts will be extracted later");
            }
            let after = Snapshot::of(&engine).await.unwrap_or_else(|_| before.clone());
            after.since(&before)
        }
    }
}
