//! The span of a request to a model.

use futures::StreamExt;
use recalld_memory::ports::{ChatEvent, ChatStream};
use recalld_memory::trace::{OpenSpan, SpanKind};
use reqwest::Url;

/// Begins the span of an operation (`chat`, `embeddings`) of `model` at `url`.
pub(crate) fn begin(operation: &'static str, model: &str, url: &Url) -> OpenSpan {
    let mut span = OpenSpan::begin(SpanKind::Client, || format!("{operation} {model}"));
    if span.is_recorded() {
        span.set("gen_ai.operation.name", operation);
        span.set("gen_ai.request.model", model);
        span.set("server.address", url.host_str().unwrap_or_default());
        if let Some(port) = url.port_or_known_default() {
            span.set("server.port", i64::from(port));
        }
    }
    span
}

/// Runs an operation of `model` at `url` in a span of its own.
pub(crate) async fn around<T, E>(
    operation: &'static str,
    model: &str,
    url: &Url,
    work: impl Future<Output = Result<T, E>>,
) -> Result<T, E> {
    let mut span = begin(operation, model, url);
    let done = span.around(work).await;
    if done.is_err() {
        span.fail("unavailable");
    }
    done
}

/// Keeps the span open until the answer is whole, and adds what it took.
pub(crate) fn until_answered(mut span: OpenSpan, events: ChatStream) -> ChatStream {
    if !span.is_recorded() {
        return events;
    }
    let noted = events.inspect(move |event| match event {
        Ok(ChatEvent::Finished { usage, .. }) => {
            span.set("gen_ai.usage.input_tokens", usage.tokens_in as i64);
            span.set("gen_ai.usage.output_tokens", usage.tokens_out as i64);
        }
        Ok(_) => {}
        Err(_) => span.fail("answer_cut"),
    });
    noted.boxed()
}
