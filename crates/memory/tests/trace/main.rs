//! Spans continue the caller's trace, cross tasks, and hold nothing that nobody asked for.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot be set up should stop where that shows"
)]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;
use recalld_memory::trace::{
    OpenSpan, Span, SpanContext, SpanKind, SpanSink, Trace, carried, current, traceparent,
};

/// Keeps spans, and counts instead of asking for time and chance.
#[derive(Debug, Default)]
struct Kept {
    spans: Mutex<Vec<Span>>,
    count: AtomicU64,
    shows_content: bool,
}

impl SpanSink for Kept {
    fn now_nanos(&self) -> u64 {
        self.count.fetch_add(1, Ordering::Relaxed) + 1
    }

    fn fresh_span_id(&self) -> [u8; 8] {
        self.now_nanos().to_be_bytes()
    }

    fn fresh_trace(&self) -> SpanContext {
        SpanContext {
            trace_id: [7; 16],
            span_id: [7; 8],
            is_sampled: true,
        }
    }

    fn shows_content(&self) -> bool {
        self.shows_content
    }

    fn shows_users(&self) -> bool {
        false
    }

    fn record(&self, span: Span) {
        self.spans.lock().push(span);
    }
}

/// Runs one span inside another, as a request with this `traceparent` would.
async fn traced(header: Option<&str>, kept: &Arc<Kept>) -> Option<String> {
    let sink: Arc<dyn SpanSink> = kept.clone();
    let caller = header.and_then(SpanContext::parse);
    let trace = Trace::begin(caller, Some(&sink));
    let outer = OpenSpan::root(trace, caller.is_some(), SpanKind::Server, || "outer".to_owned());
    let passed_on = outer.around(async {
        let mut inner = OpenSpan::begin(SpanKind::Internal, || "inner".to_owned());
        inner.content("gen_ai.memory.query.text", || "my secret".to_owned());
        inner.user("gen_ai.memory.store.id", || "ana".to_owned());
        inner.fail("SpaceError");
        let carried_over = current();
        let elsewhere = tokio::spawn(carried(carried_over, async { traceparent() }));
        let here = inner.around(async { traceparent() }).await;
        assert_ne!(
            elsewhere.await.unwrap(),
            here.clone().filter(|_| inner.is_recorded())
        );
        here
    });
    passed_on.await
}

const GIVEN: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

#[tokio::test]
async fn spans_continue_the_trace_of_the_caller() {
    let kept = Arc::new(Kept::default());
    let passed_on = traced(Some(GIVEN), &kept).await.unwrap();
    let spans = kept.spans.lock().clone();
    let [inner, outer] = spans.as_slice() else {
        panic!("{spans:?}");
    };
    assert_eq!(
        Some(outer.context.trace_id),
        SpanContext::parse(GIVEN).map(|given| given.trace_id)
    );
    assert_eq!(outer.parent, SpanContext::parse(GIVEN).map(|given| given.span_id));
    assert_eq!(inner.parent, Some(outer.context.span_id));
    assert_eq!(passed_on, inner.context.traceparent());
    assert!(outer.start_nanos < inner.start_nanos && inner.end_nanos < outer.end_nanos);
    assert!(inner.failed && !outer.failed);
    // Neither content nor users unless asked for.
    assert_eq!(inner.attributes, [("error.type", "SpaceError".into())]);
}

#[tokio::test]
async fn a_trace_begins_here_if_nobody_sends_one() {
    let kept = Arc::new(Kept {
        shows_content: true,
        ..Kept::default()
    });
    traced(None, &kept).await.unwrap();
    let spans = kept.spans.lock().clone();
    assert_eq!(spans[1].parent, None);
    assert_eq!(
        spans[0].attributes[0],
        ("gen_ai.memory.query.text", "my secret".into())
    );
}

#[tokio::test]
async fn what_is_not_sampled_is_passed_on_and_not_recorded() {
    let kept = Arc::new(Kept::default());
    let unsampled = GIVEN.replace("-01", "-00");
    assert_eq!(traced(Some(&unsampled), &kept).await, Some(unsampled));
    assert!(kept.spans.lock().is_empty());
}

#[tokio::test]
async fn without_a_sink_the_header_is_passed_on_as_it_came() {
    let caller = SpanContext::parse(GIVEN);
    let span = OpenSpan::root(Trace::begin(caller, None), true, SpanKind::Server, String::new);
    assert_eq!(span.around(async { traceparent() }).await.as_deref(), Some(GIVEN));
    assert!(Trace::begin(None, None).is_none());
    assert_eq!(traceparent(), None);
}
