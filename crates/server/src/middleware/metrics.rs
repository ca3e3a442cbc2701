//! What is counted of each request: how many there were and how long they took, by method, route
//! and class of status.

use std::sync::OnceLock;
use std::time::Duration;

use axum::extract::MatchedPath;
use axum::http::{Method, StatusCode};
use metrics::{Counter, Histogram};

/// What a request is counted by.
#[derive(Clone, Debug)]
pub(super) struct RequestLabels {
    pub(super) method: Method,
    matched: Option<MatchedPath>,
}

impl RequestLabels {
    pub(super) fn new(method: Method, matched: Option<MatchedPath>) -> RequestLabels {
        RequestLabels { method, matched }
    }

    /// Names the route by its pattern, so that a path tells nothing and the routes can be counted.
    pub(super) fn route(&self) -> &str {
        self.matched.as_ref().map_or("unmatched", MatchedPath::as_str)
    }

    /// Names the method; those that are made up have one name.
    pub(super) fn method_name(&self) -> &str {
        name(&self.method)
    }

    fn is(&self, other: &RequestLabels) -> bool {
        self.method == other.method && self.route() == other.route()
    }
}

/// The metrics of one route. Looking them up costs some strings and locks, so those of the first
/// method are kept at hand, and that is nearly always the only one.
#[derive(Debug, Default)]
pub(super) struct RouteMetrics {
    of: OnceLock<RequestLabels>,
    by_class: [OnceLock<RequestMetrics>; 5],
}

#[derive(Debug)]
struct RequestMetrics {
    requests: Counter,
    seconds: Histogram,
}

impl RouteMetrics {
    /// Counts one request.
    pub(super) fn record(&self, labels: &RequestLabels, status: StatusCode, took: Duration) {
        let class = status.as_u16() / 100;
        let kept = match self.of.get_or_init(|| labels.clone()).is(labels) {
            true => self.by_class.get(usize::from(class).wrapping_sub(1)),
            false => None,
        };
        match kept {
            Some(kept) => kept
                .get_or_init(|| RequestMetrics::of(labels, class))
                .record(took),
            None => RequestMetrics::of(labels, class).record(took),
        }
    }
}

impl RequestMetrics {
    fn of(labels: &RequestLabels, class: u16) -> RequestMetrics {
        let labels = [
            ("method", name(&labels.method).to_owned()),
            ("route", labels.route().to_owned()),
            ("status", format!("{class}xx")),
        ];
        RequestMetrics {
            requests: metrics::counter!("recalld_http_requests_total", &labels),
            seconds: metrics::histogram!("recalld_http_request_duration_seconds", &labels),
        }
    }

    fn record(&self, took: Duration) {
        self.requests.increment(1);
        self.seconds.record(took.as_secs_f64());
    }
}

/// Names a method. Anybody can make one up, and each name is a row of its own for good, so those
/// have one in common.
fn name(method: &Method) -> &str {
    const KNOWN: [Method; 9] = [
        Method::GET,
        Method::HEAD,
        Method::POST,
        Method::PUT,
        Method::PATCH,
        Method::DELETE,
        Method::OPTIONS,
        Method::TRACE,
        Method::CONNECT,
    ];
    match KNOWN.contains(method) {
        true => method.as_str(),
        false => "other",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_that_are_made_up_share_a_name() {
        assert_eq!(name(&Method::PATCH), "PATCH");
        let made_up = Method::from_bytes(b"XYZZY-1").unwrap();
        assert_eq!(name(&made_up), "other");
    }
}
