//! The driver: takes the steps that [`next`](super::next) decides, and sends events about them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::StreamExt;
use futures::future::{BoxFuture, Shared, join_all};
use recalld_index::text::tokens::TokenCount;
use recalld_memory::ports::chat::{
    ChatStream, FinishReason, Gathered, ToolCall, ToolChoice, Turn, Usage, Whole,
};
use recalld_memory::ports::{ChatError, ChatEvent, ChatModel, ChatRequest};
use recalld_memory::scope::Scope;
use recalld_memory::wiring::Ports;
use serde_json::Value;

use super::events::{AgentEvent, Disconnected, EventSink};
use super::state::{Entry, State};
use super::step::{Bounds, Ending, Spent, Step, next};
use super::toolbox::{Failure, Toolbox};
use crate::tools;

/// What a run works with.
#[derive(Clone, Debug)]
pub struct Job {
    pub ports: Ports,
    pub scope: Scope,
    pub model: Arc<dyn ChatModel>,
    pub toolbox: Toolbox,
    pub bounds: Bounds,
    /// What every question to the model has in common; its turns and tools are those of the run.
    pub request: ChatRequest,
    /// What the model is given when a tool cannot reach memory.
    pub fallback: Fallback,
}

/// A text that is ready or being prepared; none if there is nothing to show.
pub type Fallback = Shared<BoxFuture<'static, Option<String>>>;

/// The outcome of a run: its final state and what it cost.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub state: State,
    pub ending: Ending,
    pub spent: Spent,
    pub calls: Vec<CallMade>,
    /// The time from the start to the first event of the model.
    pub first_word: Option<Duration>,
    pub failure: Option<ChatError>,
    /// Why the last answer of the model ended.
    pub last: Option<FinishReason>,
}

/// A call that was carried out.
#[derive(Clone, Debug, PartialEq)]
pub struct CallMade {
    /// The id that the model gave it.
    pub id: String,
    pub name: String,
    /// The argument `category`, if it has one.
    pub category: Option<String>,
    /// Whether it found something, for tools that report it.
    pub found: Option<bool>,
    /// Whether it may have written to memory.
    pub is_write: bool,
    pub failure: Option<Failure>,
}

/// Why a step was not finished.
enum Stopped {
    Abandoned,
    Failed(ChatError, Usage),
}

impl From<Disconnected> for Stopped {
    fn from(_: Disconnected) -> Stopped {
        Stopped::Abandoned
    }
}

/// Runs to the end. What was said until then is in the state, even if the model fails or the
/// receiver of the events is dropped.
pub async fn run(job: &Job, state: State, events: &EventSink) -> Outcome {
    let mut running = Running {
        job,
        events,
        began: Instant::now(),
        outcome: Outcome {
            state,
            ending: Ending::Exhausted,
            spent: Spent::default(),
            calls: Vec::new(),
            first_word: None,
            failure: None,
            last: None,
        },
    };
    let ending = running.steps().await;
    let mut outcome = running.outcome;
    outcome.ending = match ending {
        Ok(ending) => ending,
        Err(Stopped::Abandoned) => Ending::Abandoned,
        Err(Stopped::Failed(error, usage)) => {
            outcome.spent.usage += usage;
            outcome.failure = Some(error);
            Ending::Failed
        }
    };
    outcome
}

struct Running<'j> {
    job: &'j Job,
    events: &'j EventSink,
    began: Instant,
    outcome: Outcome,
}

impl Running<'_> {
    async fn steps(&mut self) -> Result<Ending, Stopped> {
        loop {
            self.outcome.spent.time = self.began.elapsed();
            let is_own = |name: &str| self.job.toolbox.is_own(name);
            match next(&self.outcome.state, &self.outcome.spent, &self.job.bounds, is_own) {
                Step::Ask => self.ask(self.job.request.tool_choice.clone()).await?,
                Step::AskForAnswer => {
                    self.outcome.spent.was_asked_to_answer = true;
                    self.ask(ToolChoice::None).await?;
                }
                Step::Call(calls) => self.call(calls).await?,
                Step::Done(ending) => return Ok(ending),
            }
        }
    }

    async fn ask(&mut self, tool_choice: ToolChoice) -> Result<(), Stopped> {
        self.events.send(AgentEvent::StepBegan).await?;
        self.outcome.spent.steps += 1;
        let request = ChatRequest {
            turns: self.outcome.state.turns(),
            tools: self.job.toolbox.specs(&self.job.ports.settings),
            tool_choice,
            ..self.job.request.clone()
        };
        let failed = |error| Stopped::Failed(error, Usage::default());
        let stream = tokio::select! {
            stream = self.job.model.stream(&request) => stream.map_err(failed)?,
            () = self.events.disconnected() => return Err(Stopped::Abandoned),
        };
        let id = format!("step-{}", self.outcome.spent.steps);
        let mut gathered = Gathered::default();
        let whole = self.listen(stream, &mut gathered).await;
        let (text, calls) = match &whole {
            Ok(whole) => (whole.text.clone(), whole.calls.clone()),
            // What the model said before it failed is worth keeping.
            Err(_) => (gathered.text, Vec::new()),
        };
        if whole.is_ok() || !text.is_empty() {
            let turn = Turn::Assistant { text, calls };
            self.outcome.state.merge(vec![Entry { id, turn }]);
        }
        let whole = whole?;
        self.outcome.spent.usage += usage_of(&request, &whole);
        self.outcome.last = Some(whole.reason);
        for call in &whole.calls {
            let arguments = serde_json::from_str(&call.arguments).unwrap_or(Value::Null);
            let (id, name) = (call.id.clone(), call.name.clone());
            let ready = AgentEvent::CallReady { id, name, arguments };
            self.events.send(ready).await?;
        }
        let (reason, usage) = (whole.reason, whole.usage);
        self.events.send(AgentEvent::StepEnded { reason, usage }).await?;
        Ok(())
    }

    /// Passes on what the model says until its answer is whole.
    async fn listen(&mut self, mut stream: ChatStream, gathered: &mut Gathered) -> Result<Whole, Stopped> {
        let mut ids: Vec<(usize, String)> = Vec::new();
        loop {
            let event = tokio::select! {
                event = stream.next() => event,
                () = self.events.disconnected() => return Err(Stopped::Abandoned),
            };
            let cut = || ChatError::BadAnswer {
                model: self.job.model.name().to_owned(),
                reason: "the answer has no end".to_owned(),
            };
            let event = event.unwrap_or_else(|| Err(cut()));
            let event = event.map_err(|error| Stopped::Failed(error, Usage::default()))?;
            if self.outcome.first_word.is_none() {
                self.outcome.first_word = Some(self.began.elapsed());
            }
            if let Some(event) = translate(&event, &mut ids) {
                self.events.send(event).await?;
            }
            if let Some(whole) = gathered.take(event) {
                return Ok(whole);
            }
        }
    }

    /// Carries calls out at the same time; their answers come in the order of the calls.
    async fn call(&mut self, calls: Vec<ToolCall>) -> Result<(), Stopped> {
        let job = self.job;
        let most = job.bounds.result_tokens_max;
        let done = calls.iter().enumerate().map(async |(at, call)| {
            let allowed = at < job.bounds.calls_max;
            let refused = || super::toolbox::CallResult {
                text: format!(
                    "Not carried out: at most {} calls at a time.",
                    job.bounds.calls_max
                ),
                data: Value::Null,
                failure: Some(Failure::Malformed),
            };
            match allowed {
                true => job.toolbox.call(&job.ports, &job.scope, call, most).await,
                false => refused(),
            }
        });
        let done = join_all(done).await;
        for (call, mut called) in calls.into_iter().zip(done) {
            if called.failure == Some(Failure::Storage)
                && let Some(fallback) = job.fallback.clone().await
            {
                called.text = format!("{}\n\n{fallback}", called.text);
            }
            let arguments: Value = serde_json::from_str(&call.arguments).unwrap_or(Value::Null);
            self.outcome.calls.push(CallMade {
                id: call.id.clone(),
                name: call.name.clone(),
                category: arguments["category"].as_str().map(str::to_owned),
                found: called.data["found"].as_bool(),
                is_write: may_write(&call.name, &arguments),
                failure: called.failure,
            });
            let failed = called.failure.is_some();
            let turn = Turn::Tool {
                call: call.id.clone(),
                name: call.name.clone(),
                text: called.text.clone(),
                failed,
            };
            let id = format!("result-{}-{}", self.outcome.spent.steps, call.id);
            self.outcome.state.merge(vec![Entry { id, turn }]);
            let answered = AgentEvent::CallAnswered {
                id: call.id,
                name: call.name,
                text: called.text,
                failed,
            };
            self.events.send(answered).await?;
        }
        Ok(())
    }
}

/// What an answer cost as the provider counts it, or else an estimate: without one a run would have
/// no bound.
fn usage_of(request: &ChatRequest, whole: &Whole) -> Usage {
    if whole.usage.tokens_in + whole.usage.tokens_out != 0 {
        return whole.usage;
    }
    let tokens = |text: &str| TokenCount::of(text).most() as u64;
    let calls = whole.calls.iter().map(|call| tokens(&call.arguments));
    Usage {
        tokens_in: request.turns.iter().map(|turn| tokens(&turn.text())).sum(),
        tokens_out: tokens(&whole.text) + calls.sum::<u64>(),
        ..whole.usage
    }
}

/// Translates an event of the model into one of the run.
fn translate(event: &ChatEvent, ids: &mut Vec<(usize, String)>) -> Option<AgentEvent> {
    match event {
        ChatEvent::Text(text) => Some(AgentEvent::Text(text.clone())),
        ChatEvent::Reasoning(text) => Some(AgentEvent::Reasoning(text.clone())),
        ChatEvent::CallBegan { index, id, name } => {
            ids.push((*index, id.clone()));
            let (id, name) = (id.clone(), name.clone());
            Some(AgentEvent::CallBegan { id, name })
        }
        ChatEvent::CallArguments { index, text } => {
            let (_, id) = ids.iter().rev().find(|(at, _)| at == index)?;
            let (id, text) = (id.clone(), text.clone());
            Some(AgentEvent::CallArguments { id, text })
        }
        ChatEvent::Finished { .. } => None,
    }
}

/// Whether a call of a tool may write. One tool does several things, as its argument says.
fn may_write(tool: &str, arguments: &Value) -> bool {
    let writes = tools::find(tool).is_some_and(|tool| !tool.hints.read_only);
    writes && arguments["operation"] != "get_memory"
}
