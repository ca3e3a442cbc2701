//! Requests as anybody can write them, without a client that keeps to the protocol.

use axum::Router;
use axum::body::Body;
use axum::response::Response;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request};
use http_body_util::BodyExt;
use serde_json::Value;
use tower::ServiceExt;

/// A request that is being written.
pub struct Bare {
    router: Router,
    request: Request<Body>,
}

/// What came back; its body may still be on its way.
pub struct Reply {
    pub status: u16,
    pub headers: HeaderMap,
    response: Response,
}

impl Bare {
    /// Starts with what every client sends.
    pub fn new(router: Router, method: Method, path: &str) -> Bare {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .body(Body::empty())
            .unwrap();
        let bare = Bare { router, request };
        bare.header("host", "localhost")
            .header("accept", "application/json, text/event-stream")
    }

    /// Sets a header, in place of the one there was.
    pub fn header(mut self, name: &'static str, value: &str) -> Bare {
        let value = HeaderValue::from_str(value).unwrap();
        self.request
            .headers_mut()
            .insert(HeaderName::from_static(name), value);
        self
    }

    /// Says who writes.
    pub fn key(self, key: &str) -> Bare {
        self.header("authorization", &format!("Bearer {key}"))
    }

    /// Sets the body.
    pub fn body(mut self, body: impl Into<Body>) -> Bare {
        *self.request.body_mut() = body.into();
        self
    }

    /// Sends it.
    pub async fn send(self) -> Reply {
        let response = self.router.oneshot(self.request).await.unwrap();
        Reply {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            response,
        }
    }
}

impl Reply {
    /// Waits for the whole body.
    pub async fn text(self) -> String {
        let bytes = self.response.into_body().collect().await.unwrap().to_bytes();
        String::from_utf8(bytes.to_vec()).unwrap()
    }

    /// Waits for the whole body, and reads it.
    pub async fn json(self) -> Value {
        serde_json::from_str(&self.text().await).unwrap()
    }
}
