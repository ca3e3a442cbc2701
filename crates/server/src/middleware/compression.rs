//! Answers are compressed for clients that accept it.

use std::convert::Infallible;

use axum::body::{Body, HttpBody};
use axum::http::{HeaderMap, HeaderValue, Request, header};
use axum::response::Response;
use tower::Service;
use tower_http::compression::{Compression, DefaultPredicate, Predicate};

/// The encodings that a client accepts.
#[derive(Debug)]
pub(super) enum AcceptedEncoding {
    /// None. That needs no weighing of preferences.
    Plain,
    /// Those of these headers.
    By(Vec<HeaderValue>),
}

impl AcceptedEncoding {
    pub(super) fn of(headers: &HeaderMap) -> AcceptedEncoding {
        let mut accepts = headers.get_all(header::ACCEPT_ENCODING).iter();
        match (accepts.next(), accepts.next()) {
            (None, _) => AcceptedEncoding::Plain,
            (Some(only), None) if only == "identity" => AcceptedEncoding::Plain,
            _ => AcceptedEncoding::By(headers.get_all(header::ACCEPT_ENCODING).iter().cloned().collect()),
        }
    }

    /// Encodes `response`.
    pub(super) async fn applied(self, mut response: Response) -> Response {
        let accepts = match self {
            AcceptedEncoding::By(accepts) => accepts,
            AcceptedEncoding::Plain => {
                if depends_on_client(&response) {
                    let varies = header::ACCEPT_ENCODING.into();
                    response.headers_mut().append(header::VARY, varies);
                }
                return response;
            }
        };
        let mut asked = Request::new(());
        for accepted in accepts {
            asked.headers_mut().append(header::ACCEPT_ENCODING, accepted);
        }
        let mut answered = Some(response);
        let answer = tower::service_fn(move |_: Request<()>| {
            std::future::ready(Ok::<_, Infallible>(answered.take().unwrap_or_default()))
        });
        let Ok(response) = Compression::new(answer)
            .compress_when(Worthwhile)
            .call(asked)
            .await;
        response.map(Body::new)
    }
}

/// Tells whether another client might get this answer compressed, and whether that is still to be
/// said.
fn depends_on_client(response: &Response) -> bool {
    let headers = response.headers();
    let says_so = |value: &HeaderValue| {
        let names = value.as_bytes().split(|byte| *byte == b',');
        names
            .map(<[u8]>::trim_ascii)
            .any(|name| name.eq_ignore_ascii_case(b"accept-encoding"))
    };
    Worthwhile.should_compress(response)
        && !headers.contains_key(header::CONTENT_ENCODING)
        && !headers.contains_key(header::CONTENT_RANGE)
        && !headers.get_all(header::VARY).iter().any(says_so)
}

/// Answers that are worth compressing: neither tiny, nor a stream of events, nor compressed by
/// nature.
#[derive(Clone, Copy, Debug)]
struct Worthwhile;

impl Predicate for Worthwhile {
    fn should_compress<B: HttpBody>(&self, response: &axum::http::Response<B>) -> bool {
        let json = response.headers().get(header::CONTENT_TYPE);
        match (json, response.body().size_hint().exact()) {
            // Most answers are of this kind.
            (Some(kind), Some(bytes)) if kind == "application/json" => 32 <= bytes,
            _ => DefaultPredicate::new().should_compress(response),
        }
    }
}
