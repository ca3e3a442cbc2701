//! A chat model that plays a script in this process.

use std::fmt;
use std::sync::Arc;

use futures::{StreamExt, stream};
use parking_lot::Mutex;
use recalld_agent::settings::AgentSettings;
use recalld_agent::wiring::AgentPorts;
use recalld_memory::ports::chat::{FinishReason, ToolCall, Turn, Usage};
use recalld_memory::ports::{ChatError, ChatEvent, ChatModel, ChatModels, ChatRequest, ChatStream, Store};
use recalld_memory::settings::Settings;
use recalld_testing::clock::{SteppingClock, TimeOrderedIds};

/// What the model does when it is asked.
pub enum Act {
    Say(String),
    Call(&'static str, &'static str),
    Fail,
}

type Script = dyn Fn(&ChatRequest) -> Act + Send + Sync;

/// The model, and what it was asked.
pub struct ScriptedModel {
    script: Box<Script>,
    pub asked: Mutex<Vec<Vec<Turn>>>,
}

impl fmt::Debug for ScriptedModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ScriptedModel")
    }
}

impl ScriptedModel {
    pub fn new(script: impl Fn(&ChatRequest) -> Act + Send + Sync + 'static) -> Arc<ScriptedModel> {
        Arc::new(ScriptedModel {
            script: Box::new(script),
            asked: Mutex::default(),
        })
    }

    /// The last prompt, as one text a turn.
    pub fn last_prompt(&self) -> Vec<String> {
        self.asked.lock().last().unwrap().iter().map(Turn::text).collect()
    }
}

#[async_trait::async_trait]
impl ChatModel for ScriptedModel {
    fn name(&self) -> &str {
        "scripted"
    }

    async fn stream(&self, request: &ChatRequest) -> Result<ChatStream, ChatError> {
        self.asked.lock().push(request.turns.clone());
        let usage = Usage {
            tokens_in: 1_000,
            tokens_out: 10,
            ..Usage::default()
        };
        let finished = |reason| Ok(ChatEvent::Finished { reason, usage });
        let events = match (self.script)(request) {
            Act::Fail => {
                return Err(ChatError::BadAnswer {
                    model: "scripted".to_owned(),
                    reason: "it fails".to_owned(),
                });
            }
            Act::Say(text) => vec![Ok(ChatEvent::Text(text)), finished(FinishReason::Stop)],
            Act::Call(name, arguments) => {
                let call = ToolCall {
                    id: format!("call-{}", self.asked.lock().len()),
                    name: name.to_owned(),
                    arguments: arguments.to_owned(),
                };
                vec![
                    Ok(ChatEvent::CallBegan {
                        index: 0,
                        id: call.id,
                        name: call.name,
                    }),
                    Ok(ChatEvent::CallArguments {
                        index: 0,
                        text: call.arguments,
                    }),
                    finished(FinishReason::ToolCalls),
                ]
            }
        };
        Ok(stream::iter(events).boxed())
    }
}

/// Wires a store with that model.
pub fn agent(store: Arc<dyn Store>, settings: AgentSettings, model: Arc<ScriptedModel>) -> AgentPorts {
    let ports = recalld_memory::wiring::Ports::new(
        store,
        Arc::new(SteppingClock::in_steps_of(1_000)),
        Arc::new(TimeOrderedIds),
        Settings::default(),
    );
    AgentPorts::new(ports, settings).with_models(ChatModels::new("main", model))
}
