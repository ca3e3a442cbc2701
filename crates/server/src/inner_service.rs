//! The service that a layer wraps.

use std::convert::Infallible;

use axum::extract::Request;
use axum::response::Response;
use tower::Service;

/// A route, or the layers around it.
pub(crate) trait InnerService:
    Service<Request, Response = Response, Error = Infallible, Future: Send> + Clone + Send
{
}

impl<S> InnerService for S where
    S: Service<Request, Response = Response, Error = Infallible, Future: Send> + Clone + Send
{
}

/// Calls `inner` with `request`.
pub(crate) async fn call(mut inner: impl InnerService, request: Request) -> Response {
    let Ok(response) = inner.call(request).await;
    response
}
