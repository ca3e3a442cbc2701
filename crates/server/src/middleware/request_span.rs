//! The span of a request: what a collector shows as the work of this server.

use axum::http::{HeaderMap, StatusCode};
use recalld_memory::trace::{OpenSpan, SpanContext, SpanKind, Trace};

use super::metrics::RequestLabels;
use crate::app::App;

/// Begins the span of a request, as part of the caller's trace if there is one.
pub(super) fn begin(app: &App, headers: &HeaderMap, labels: &RequestLabels) -> OpenSpan {
    let given = headers.get("traceparent");
    let caller = given
        .and_then(|value| value.to_str().ok())
        .and_then(SpanContext::parse);
    let trace = Trace::begin(caller, app.spans.as_ref());
    OpenSpan::root(trace, caller.is_some(), SpanKind::Server, || {
        format!("{} {}", labels.method_name(), labels.route())
    })
}

/// Ends it with what was answered. Neither the path nor the query is told: they may hold content.
pub(super) fn end(mut span: OpenSpan, labels: &RequestLabels, request: &str, status: StatusCode) {
    if !span.is_recorded() {
        return;
    }
    span.set("http.request.method", labels.method_name());
    span.set("http.route", labels.route());
    span.set("http.response.status_code", i64::from(status.as_u16()));
    span.set("recalld.request.id", request);
    if status.is_server_error() {
        span.fail(status.as_str());
    }
}
