//! The one who answers: a conversation with a model, and what is learned from it.

use std::sync::Arc;

use recalld_agent::agent_loop::AgentEvent;
use recalld_agent::chat::{self, Reply, Request, Started};
use recalld_agent::extract::{Worker, WorkerSettings};
use recalld_memory::conversation::MessageText;
use recalld_memory::id::ConversationId;

use super::learning::{Learning, Snapshot};
use crate::engine::Engine;
use crate::failure::{Failure, chain};

/// A conversation.
#[derive(Debug)]
pub(super) struct Partner {
    pub(super) engine: Engine,
    pub(super) conversation: Option<ConversationId>,
    model: Option<String>,
    /// What was remembered before the last message.
    before: Snapshot,
}

impl Partner {
    pub(super) fn new(
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

    /// Says something, and passes on what happens. The answer ends early when `stop` does.
    pub(super) async fn say(
        &mut self,
        message: &str,
        stop: impl Future<Output = ()>,
        mut heard: impl FnMut(&AgentEvent),
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
        let mut talk = begun.map_err(|refusal| {
            Failure::failed("chat", refusal.to_string())
                .hint("set OPENAI_API_KEY or ANTHROPIC_API_KEY, or openai.url for a server of your own")
        })?;
        let mut stop = std::pin::pin!(stop);
        loop {
            tokio::select! {
                event = talk.events.recv() => match event {
                    Some(event) => heard(&event),
                    None => break,
                },
                // Whoever stops listening stops the model; what it said until then is kept.
                () = &mut stop => {
                    talk.events.close();
                    break;
                }
            }
        }
        let reply = talk.reply.await;
        let reply = reply.map_err(|_| Failure::failed("chat", "the reply did not come"))?;
        if let Some(error) = reply.failure.as_ref().filter(|_| reply.text.is_empty()) {
            return Err(Failure::failed("chat", chain(error)));
        }
        self.conversation = Some(reply.conversation.clone());
        Ok((talk.started, reply))
    }

    /// Reads what was said, and gives what changed since it was.
    pub(super) fn learn(&self) -> impl Future<Output = Learning> + Send + 'static {
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
                tracing::warn!(%error, "what was said will be read later");
            }
            let after = Snapshot::of(&engine).await.unwrap_or_else(|_| before.clone());
            after.since(&before)
        }
    }
}
