//! The port for models that talk: a list of turns in, a stream of events out.

use std::fmt::Debug;
use std::time::Duration;

use async_trait::async_trait;
use futures::stream::BoxStream;
use jiff::Timestamp;
use serde_json::{Map, Value};
use thiserror::Error;

/// One turn of a conversation, as every provider knows it.
#[derive(Clone, Debug, PartialEq)]
pub enum Turn {
    System(String),
    User(Vec<Part>),
    Assistant {
        text: String,
        calls: Vec<ToolCall>,
    },
    /// What a tool answered to a call.
    Tool {
        call: String,
        name: String,
        text: String,
        failed: bool,
    },
}

impl Turn {
    /// A turn of the user that is plain text.
    pub fn user(text: impl Into<String>) -> Turn {
        Turn::User(vec![Part::Text(text.into())])
    }

    /// A turn of the assistant that is plain text.
    pub fn assistant(text: impl Into<String>) -> Turn {
        Turn::Assistant {
            text: text.into(),
            calls: Vec::new(),
        }
    }

    /// Gives the text of the turn.
    pub fn text(&self) -> String {
        match self {
            Turn::System(text) | Turn::Assistant { text, .. } | Turn::Tool { text, .. } => text.clone(),
            Turn::User(parts) => {
                let texts: Vec<&str> = parts.iter().filter_map(Part::text).collect();
                texts.join("\n")
            }
        }
    }
}

/// A part of what the user says.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    Text(String),
    /// An address, or a `data:` URL.
    Image {
        url: String,
    },
    /// A part in the shape of OpenAI Chat Completions that only such endpoints understand.
    Raw(Value),
}

impl Part {
    /// Gives the text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Part::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// A call that a model makes. The arguments are as it wrote them, JSON or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCall {
    pub id: String,
    pub name: String,
    pub arguments: String,
}

/// A tool as a model is told of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolSpec {
    pub name: String,
    pub description: String,
    /// The JSON Schema of its arguments.
    pub schema: Value,
    /// The definition in the shape of OpenAI Chat Completions, when it came in that shape: it is
    /// passed on untouched.
    pub raw: Option<Value>,
}

/// Which tools a model may call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ToolChoice {
    #[default]
    Auto,
    None,
    Required,
    Named(String),
}

/// What is asked of a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChatRequest {
    /// Another model at the same endpoint.
    pub model: Option<String>,
    pub turns: Vec<Turn>,
    pub tools: Vec<ToolSpec>,
    pub tool_choice: ToolChoice,
    /// The answer must be JSON of this shape.
    pub output: Option<OutputShape>,
    /// The most tokens of the answer.
    pub tokens_max: Option<u32>,
    pub temperature: Option<f64>,
    /// Fields for the endpoint as they are, such as `top_p`; they replace none that the request has
    /// itself.
    pub extra: Map<String, Value>,
}

/// The shape of a structured answer.
#[derive(Clone, Debug, PartialEq)]
pub struct OutputShape {
    pub name: String,
    pub schema: Value,
}

/// What a model sends while it answers.
#[derive(Clone, Debug, PartialEq)]
pub enum ChatEvent {
    /// More of the answer's text.
    Text(String),
    /// More of what it thinks aloud.
    Reasoning(String),
    /// It begins a call; `index` tells the calls of one answer apart.
    CallBegan { index: usize, id: String, name: String },
    /// More of a call's arguments.
    CallArguments { index: usize, text: String },
    /// The answer is whole. Nothing follows.
    Finished { reason: FinishReason, usage: Usage },
}

/// Why an answer ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinishReason {
    Stop,
    /// It reached the most tokens it may have.
    Length,
    ToolCalls,
    /// The provider withheld it.
    Filtered,
}

impl FinishReason {
    /// Gives the reason's name, as OpenAI calls it.
    pub fn as_str(self) -> &'static str {
        match self {
            FinishReason::Stop => "stop",
            FinishReason::Length => "length",
            FinishReason::ToolCalls => "tool_calls",
            FinishReason::Filtered => "content_filter",
        }
    }
}

/// What an answer cost, as the provider counts it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    pub tokens_in: u64,
    /// Those of `tokens_in` that the provider had cached.
    pub tokens_cached: u64,
    pub tokens_out: u64,
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, more: Usage) {
        self.tokens_in += more.tokens_in;
        self.tokens_cached += more.tokens_cached;
        self.tokens_out += more.tokens_out;
    }
}

/// Why a model did not answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ChatError {
    /// It cannot be reached, fell silent, or has too much to do; the same may work later.
    #[error("the model {model} cannot be reached: {reason}")]
    Unavailable {
        model: String,
        reason: String,
        retry_after: Option<Duration>,
    },
    /// It will not answer this request.
    #[error("the model {model} refused: {reason}")]
    Refused {
        model: String,
        status: u16,
        reason: String,
    },
    /// Nothing was asked: the user has spent what a day allows.
    #[error(transparent)]
    Spent(#[from] DaySpent),
    /// What it sent cannot be understood.
    #[error("the model {model} gave an unusable answer: {reason}")]
    BadAnswer { model: String, reason: String },
}

/// Why no model is asked for a user any more today.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the user has spent the {most} model tokens of a day; the count starts anew at {resets_at}")]
pub struct DaySpent {
    pub most: u64,
    pub resets_at: Timestamp,
    /// How long that is from now.
    pub wait: Duration,
}

/// An answer as it comes. Dropping it tells the model to stop.
pub type ChatStream = BoxStream<'static, Result<ChatEvent, ChatError>>;

/// A model that answers in turns.
#[async_trait]
pub trait ChatModel: Debug + Send + Sync {
    /// Names the model as its provider does.
    fn name(&self) -> &str;

    /// Begins an answer. It returns when the model begins to answer, so a failure to begin was
    /// retried before. The stream ends with [`ChatEvent::Finished`] or an error.
    async fn stream(&self, request: &ChatRequest) -> Result<ChatStream, ChatError>;
}

/// An answer, whole.
#[derive(Clone, Debug, PartialEq)]
pub struct Whole {
    pub text: String,
    pub calls: Vec<ToolCall>,
    pub reason: FinishReason,
    pub usage: Usage,
}

/// Asks a model and waits for the whole answer.
pub async fn ask(model: &dyn ChatModel, request: &ChatRequest) -> Result<Whole, ChatError> {
    use futures::StreamExt;
    let mut stream = model.stream(request).await?;
    let mut gathered = Gathered::default();
    while let Some(event) = stream.next().await {
        if let Some(whole) = gathered.take(event?) {
            return Ok(whole);
        }
    }
    Err(ChatError::BadAnswer {
        model: model.name().to_owned(),
        reason: "the answer has no end".to_owned(),
    })
}

/// Puts the events of an answer together.
#[derive(Clone, Debug, Default)]
pub struct Gathered {
    pub text: String,
    calls: Vec<(usize, ToolCall)>,
}

impl Gathered {
    /// Takes the next event. Gives the whole answer after the last one.
    pub fn take(&mut self, event: ChatEvent) -> Option<Whole> {
        match event {
            ChatEvent::Text(text) => self.text.push_str(&text),
            ChatEvent::Reasoning(_) => {}
            ChatEvent::CallBegan { index, id, name } => {
                let arguments = String::new();
                self.calls.push((index, ToolCall { id, name, arguments }));
            }
            ChatEvent::CallArguments { index, text } => {
                if let Some((_, call)) = self.calls.iter_mut().rev().find(|(at, _)| *at == index) {
                    call.arguments.push_str(&text);
                }
            }
            ChatEvent::Finished { reason, usage } => {
                return Some(Whole {
                    text: std::mem::take(&mut self.text),
                    calls: std::mem::take(&mut self.calls)
                        .into_iter()
                        .map(|(_, call)| call)
                        .collect(),
                    reason,
                    usage,
                });
            }
        }
        None
    }
}
