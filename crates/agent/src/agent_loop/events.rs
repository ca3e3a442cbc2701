//! The events that a run sends while it goes on.

use recalld_memory::ports::chat::{FinishReason, Usage};
use serde_json::Value;
use tokio::sync::mpsc;

/// Something that happened in a run.
#[derive(Clone, Debug, PartialEq)]
pub enum AgentEvent {
    /// The model is being asked.
    StepBegan,
    /// More of the answer.
    Text(String),
    /// More of the model's reasoning.
    Reasoning(String),
    /// The model begins a call.
    CallBegan { id: String, name: String },
    /// More of a call's arguments.
    CallArguments { id: String, text: String },
    /// A call is complete. The arguments are null if they are not JSON.
    CallReady {
        id: String,
        name: String,
        arguments: Value,
    },
    /// One of our tools answered.
    CallAnswered {
        id: String,
        name: String,
        text: String,
        failed: bool,
    },
    /// The model's answer is complete.
    StepEnded { reason: FinishReason, usage: Usage },
}

/// Where events go.
#[derive(Clone, Debug)]
pub struct EventSink(mpsc::Sender<AgentEvent>);

/// The receiver was dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disconnected;

impl EventSink {
    /// How many events may wait for a slow receiver before the model is slowed down.
    const WAITING_MAX: usize = 64;

    /// Makes a sink and the receiver of its events.
    pub fn new() -> (EventSink, mpsc::Receiver<AgentEvent>) {
        let (sender, receiver) = mpsc::channel(Self::WAITING_MAX);
        (EventSink(sender), receiver)
    }

    /// Sends an event.
    pub async fn send(&self, event: AgentEvent) -> Result<(), Disconnected> {
        self.0.send(event).await.map_err(|_| Disconnected)
    }

    /// Waits until the receiver is dropped.
    pub async fn disconnected(&self) {
        self.0.closed().await;
    }
}
