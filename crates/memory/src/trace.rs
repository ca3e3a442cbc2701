//! Traces: what was done for a request, as spans that an operator's collector shows.
//!
//! Names and attributes follow the OpenTelemetry conventions for generative AI
//! (`gen_ai.memory.*`). Nothing is recorded unless a [`SpanSink`] is set, and what users say only
//! if the sink asks for it.

mod context;
mod span;

pub use context::SpanContext;
pub use span::{OpenSpan, Span, SpanKind, SpanValue};

use std::fmt::Debug;
use std::future::Future;
use std::sync::Arc;

use serde_json::json;

use crate::memory::Memory;
use crate::scope::Scope;

/// Where finished spans go. It also gives what spans need and this crate does not have: the time
/// and random ids.
pub trait SpanSink: Debug + Send + Sync {
    /// The time in nanoseconds since 1970.
    fn now_nanos(&self) -> u64;

    /// An id that no other span has.
    fn fresh_span_id(&self) -> [u8; 8];

    /// The context of a new trace, and with it whether the trace is recorded.
    fn fresh_trace(&self) -> SpanContext;

    /// Whether spans may hold what users say and ask.
    fn shows_content(&self) -> bool;

    /// Whether spans may name users.
    fn shows_users(&self) -> bool;

    /// Takes a span. It must not block.
    fn record(&self, span: Span);
}

/// The span in which something happens.
#[derive(Clone, Debug)]
pub struct Trace {
    context: SpanContext,
    /// None: the trace is passed on, and nothing is recorded here.
    sink: Option<Arc<dyn SpanSink>>,
}

impl Trace {
    /// Continues the trace of a caller, or begins one. None if there is neither.
    pub fn begin(caller: Option<SpanContext>, sink: Option<&Arc<dyn SpanSink>>) -> Option<Trace> {
        let context = match (caller, sink) {
            (Some(caller), _) => caller,
            (None, Some(sink)) => sink.fresh_trace(),
            (None, None) => return None,
        };
        let sink = sink.filter(|_| context.is_sampled).cloned();
        Some(Trace { context, sink })
    }
}

tokio::task_local! {
    static CURRENT: Option<Trace>;
}

/// Gives the trace of what is going on in this task, to carry it into another.
pub fn current() -> Option<Trace> {
    CURRENT.try_with(Clone::clone).ok().flatten()
}

/// Gives the header `traceparent` for a request to somebody else.
pub fn traceparent() -> Option<String> {
    CURRENT
        .try_with(|current| current.as_ref().map(|trace| trace.context.traceparent()))
        .ok()
        .flatten()
}

/// Runs `work` as part of `trace`.
pub async fn carried<F: Future>(trace: Option<Trace>, work: F) -> F::Output {
    CURRENT.scope(trace, work).await
}

/// Runs an operation on memories in a span of its own. `describe` adds what is known at the end.
pub async fn operation<T, E>(
    name: &'static str,
    scope: &Scope,
    work: impl Future<Output = Result<T, E>>,
    describe: impl FnOnce(&T, &mut OpenSpan),
) -> Result<T, E> {
    let mut span = OpenSpan::begin(SpanKind::Internal, || name.to_owned());
    let done = span.around(work).await;
    if span.is_recorded() {
        span.set("gen_ai.operation.name", name);
        span.set("gen_ai.provider.name", "recalld");
        span.user("gen_ai.memory.store.id", || scope.space().to_string());
        match &done {
            Ok(done) => describe(done, &mut span),
            Err(_) => span.fail(short_name::<E>()),
        }
    }
    done
}

/// Runs a write in a span of its own.
pub async fn write<T, E>(
    name: &'static str,
    scope: &Scope,
    work: impl Future<Output = Result<T, E>>,
) -> Result<T, E> {
    operation(name, scope, work, |_, _| ()).await
}

/// Adds which memory an operation was about.
pub fn describe_memory(memory: &Memory, span: &mut OpenSpan) {
    span.set("gen_ai.memory.record.id", memory.id.to_string());
    span.content("gen_ai.memory.records", || {
        json!([{"id": memory.id.to_string(), "content": memory.content.as_str()}]).to_string()
    });
}

/// The name of an error type without its path.
fn short_name<E>() -> &'static str {
    let whole = std::any::type_name::<E>();
    whole.rsplit("::").next().unwrap_or(whole)
}
