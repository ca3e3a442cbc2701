//! Spans: open ones, which cost next to nothing when nobody records them, and finished ones.

use std::future::Future;
use std::sync::Arc;

use super::{CURRENT, SpanContext, SpanSink, Trace, current};

/// Which side of a call a span is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpanKind {
    Internal,
    Server,
    Client,
}

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SpanValue {
    Text(String),
    Number(i64),
}

impl From<&str> for SpanValue {
    fn from(text: &str) -> SpanValue {
        SpanValue::Text(text.to_owned())
    }
}

impl From<String> for SpanValue {
    fn from(text: String) -> SpanValue {
        SpanValue::Text(text)
    }
}

impl From<i64> for SpanValue {
    fn from(number: i64) -> SpanValue {
        SpanValue::Number(number)
    }
}

/// A finished span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    pub context: SpanContext,
    pub parent: Option<[u8; 8]>,
    pub name: String,
    pub kind: SpanKind,
    pub start_nanos: u64,
    pub end_nanos: u64,
    pub attributes: Vec<(&'static str, SpanValue)>,
    /// Whether it failed.
    pub failed: bool,
}

/// The most bytes of one text in a span.
const TEXT_BYTES_MAX: usize = 16 * 1024;

/// A span under way. It ends when it is dropped.
#[derive(Debug)]
pub struct OpenSpan {
    /// What the work inside is part of.
    trace: Option<Trace>,
    recorded: Option<Box<(Span, Arc<dyn SpanSink>)>>,
}

impl OpenSpan {
    /// Begins a span inside the current one.
    pub fn begin(kind: SpanKind, name: impl FnOnce() -> String) -> OpenSpan {
        let Some(around) = current() else {
            return OpenSpan {
                trace: None,
                recorded: None,
            };
        };
        let parent = Some(around.context.span_id);
        OpenSpan::child(around, parent, kind, name)
    }

    /// Begins the first span of this process in `trace`. `has_parent` tells whether a caller began
    /// the trace.
    pub fn root(
        trace: Option<Trace>,
        has_parent: bool,
        kind: SpanKind,
        name: impl FnOnce() -> String,
    ) -> OpenSpan {
        match trace {
            None => OpenSpan {
                trace: None,
                recorded: None,
            },
            Some(trace) => {
                let parent = has_parent.then_some(trace.context.span_id);
                OpenSpan::child(trace, parent, kind, name)
            }
        }
    }

    fn child(
        around: Trace,
        parent: Option<[u8; 8]>,
        kind: SpanKind,
        name: impl FnOnce() -> String,
    ) -> OpenSpan {
        let Some(sink) = around.sink.clone() else {
            return OpenSpan {
                trace: Some(around),
                recorded: None,
            };
        };
        let context = SpanContext {
            span_id: sink.fresh_span_id(),
            ..around.context
        };
        let span = Span {
            context,
            parent,
            name: name(),
            kind,
            start_nanos: sink.now_nanos(),
            end_nanos: 0,
            attributes: Vec::new(),
            failed: false,
        };
        OpenSpan {
            trace: Some(Trace { context, ..around }),
            recorded: Some(Box::new((span, sink))),
        }
    }

    /// Whether anybody will see it.
    pub fn is_recorded(&self) -> bool {
        self.recorded.is_some()
    }

    /// Runs `work` inside the span.
    pub fn around<F: Future>(&self, work: F) -> impl Future<Output = F::Output> + use<F> {
        CURRENT.scope(self.trace.clone(), work)
    }

    /// Sets an attribute.
    pub fn set(&mut self, name: &'static str, value: impl Into<SpanValue>) {
        if let Some(recorded) = &mut self.recorded {
            let value = match value.into() {
                SpanValue::Text(mut text) => {
                    text.truncate(text.floor_char_boundary(TEXT_BYTES_MAX));
                    SpanValue::Text(text)
                }
                number => number,
            };
            recorded.0.attributes.push((name, value));
        }
    }

    /// Sets an attribute that holds what users say or ask, if the sink asks for such.
    pub fn content(&mut self, name: &'static str, value: impl FnOnce() -> String) {
        if self
            .recorded
            .as_ref()
            .is_some_and(|recorded| recorded.1.shows_content())
        {
            self.set(name, value());
        }
    }

    /// Sets an attribute that names a user, if the sink asks for such.
    pub fn user(&mut self, name: &'static str, value: impl FnOnce() -> String) {
        if self
            .recorded
            .as_ref()
            .is_some_and(|recorded| recorded.1.shows_users())
        {
            self.set(name, value());
        }
    }

    /// Marks it as failed, with a kind of error of which there are few.
    pub fn fail(&mut self, kind: &str) {
        self.set("error.type", kind);
        if let Some(recorded) = &mut self.recorded {
            recorded.0.failed = true;
        }
    }
}

impl Drop for OpenSpan {
    fn drop(&mut self) {
        if let Some(recorded) = self.recorded.take() {
            let (mut span, sink) = *recorded;
            span.end_nanos = sink.now_nanos().max(span.start_nanos);
            sink.record(span);
        }
    }
}
