//! What is counted of each request: how many there were and how long they took, by method, route
//! and class of status.

use std::sync::OnceLock;
use std::time::Duration;

use axum::extract::MatchedPath;
use axum::http::{Method, StatusCode};
use metrics::{Counter, Histogram};

/// What a request asked for, as far as it is counted.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) method: Method,
    matched: Option<MatchedPath>,
}

impl Asked {
    pub(super) fn new(method: Method, matched: Option<MatchedPath>) -> Asked {
        Asked { method, matched }
    }

    /// Names the route by its pattern, so that a path tells nothing and the routes can be counted.
    pub(super) fn route(&self) -> &str {
        self.matched.as_ref().map_or("unmatched", MatchedPath::as_str)
    }

    fn is(&self, other: &Asked) -> bool {
        self.method == other.method && self.route() == other.route()
    }
}

/// The figures of one route. Looking them up costs some strings and locks, so those of the first
/// method that is asked for are kept, and that is nearly always the only one.
#[derive(Debug, Default)]
pub(super) struct Figures {
    of: OnceLock<Asked>,
    by_class: [OnceLock<Figure>; 5],
}

#[derive(Debug)]
struct Figure {
    requests: Counter,
    seconds: Histogram,
}

impl Figures {
    /// Counts one request.
    pub(super) fn note(&self, asked: &Asked, status: StatusCode, took: Duration) {
        let class = status.as_u16() / 100;
        let kept = match self.of.get_or_init(|| asked.clone()).is(asked) {
            true => self.by_class.get(usize::from(class).wrapping_sub(1)),
            false => None,
        };
        match kept {
            Some(kept) => kept.get_or_init(|| Figure::of(asked, class)).note(took),
            None => Figure::of(asked, class).note(took),
        }
    }
}

impl Figure {
    fn of(asked: &Asked, class: u16) -> Figure {
        let labels = [
            ("method", name(&asked.method).to_owned()),
            ("route", asked.route().to_owned()),
            ("status", format!("{class}xx")),
        ];
        Figure {
            requests: metrics::counter!("recalld_http_requests_total", &labels),
            seconds: metrics::histogram!("recalld_http_request_duration_seconds", &labels),
        }
    }

    fn note(&self, took: Duration) {
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
