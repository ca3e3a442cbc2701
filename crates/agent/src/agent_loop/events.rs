//! What a run tells while it goes on.

use recalld_memory::ports::chat::{FinishReason, Usage};
use serde_json::Value;
use tokio::sync::mpsc;

/// Something that happened in a run.
#[derive(Clone, Debug, PartialEq)]
pub enum AgentEvent {
    /// The model is asked.
    StepBegan,
    /// More of the answer.
    Text(String),
    /// More of what the model thinks aloud.
    Reasoning(String),
    /// The model begins a call.
    CallBegan { id: String, name: String },
    /// More of a call's arguments.
    CallArguments { id: String, text: String },
    /// A call is whole. The arguments are null if they are not JSON.
    CallReady {
        id: String,
        name: String,
        arguments: Value,
    },
    /// A tool of ours answered.
    CallAnswered {
        id: String,
        name: String,
        text: String,
        failed: bool,
    },
    /// The model's answer is whole.
    StepEnded { reason: FinishReason, usage: Usage },
}

/// Where events go.
#[derive(Clone, Debug)]
pub struct Listener(mpsc::Sender<AgentEvent>);

/// Nobody listens any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gone;

impl Listener {
    /// How many events may wait for a slow listener before the model is slowed down.
    const WAITING_MAX: usize = 64;

    /// Makes a listener, and where it hears.
    pub fn new() -> (Listener, mpsc::Receiver<AgentEvent>) {
        let (sender, receiver) = mpsc::channel(Self::WAITING_MAX);
        (Listener(sender), receiver)
    }

    /// Tells an event.
    pub async fn tell(&self, event: AgentEvent) -> Result<(), Gone> {
        self.0.send(event).await.map_err(|_| Gone)
    }

    /// Waits until nobody listens.
    pub async fn gone(&self) {
        self.0.closed().await;
    }
}
