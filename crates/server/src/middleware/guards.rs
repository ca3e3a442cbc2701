//! Authentication for routes that have layers of their own in between, and what no address may
//! hold.

use axum::extract::{Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;

use super::{RouteLayer, identified};
use crate::app::App;
use crate::auth::{Caller, Extent, Permission, Unproven, holds_key};
use crate::error::{ApiError, Code};
use crate::inner_service::call;

impl RouteLayer {
    /// The route reaches no more than memories, as they are seen from the project of the request: a
    /// key for one project opens it.
    pub(crate) fn within_project(mut self) -> RouteLayer {
        self.policy.extent = Extent::Project;
        self
    }
}

/// Authenticates the callers of routes that have layers of their own in between. Whatever is
/// neither a `GET` nor a search needs a key that may write: what such a route changes is not known
/// here.
pub(crate) async fn guard(
    State((app, unproven)): State<(App, Unproven)>,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let caller = identified(&app, request.headers(), unproven).await?;
    caller.require(Permission::Read)?;
    let is_search = request.uri().path().trim_end_matches('/').ends_with("/search");
    let only_reads = request.method().is_safe() || (is_search && request.method() == Method::POST);
    if !only_reads {
        caller.require(Permission::Write)?;
        app.write_limit.check(&caller)?;
    }
    Ok(called(caller, request, next).await)
}

/// The same for routes whose handlers ask for the scope of each tool.
pub(crate) async fn guard_tools(
    State(app): State<App>,
    request: Request,
    next: Next,
) -> Result<Response, ApiError> {
    let caller = identified(&app, request.headers(), Unproven::Refused).await?;
    Ok(called(caller, request, next).await)
}

/// Goes on as `caller`, and tells the log who that is.
async fn called(caller: Caller, mut request: Request, next: Next) -> Response {
    let logged = caller.logged();
    request.extensions_mut().insert(caller);
    let mut response = call(next, request).await;
    response.extensions_mut().insert(logged);
    response
}

/// Addresses end up in logs, histories and the hands of proxies.
pub(super) fn refuse_key_in_address(request: &Request) -> Result<(), ApiError> {
    let uri = request.uri();
    if !holds_key(uri.path()) && !uri.query().is_some_and(holds_key) {
        return Ok(());
    }
    let detail = "the address contains a key, which others may have seen by now";
    Err(ApiError::new(Code::InvalidRequest, detail)
        .hint("send keys as Authorization: Bearer; revoke this one and create another"))
}

/// Refuses a query string at a route that takes none.
pub(super) fn refuse_query(request: &Request) -> Result<(), ApiError> {
    let Some(query) = request.uri().query().filter(|query| !query.is_empty()) else {
        return Ok(());
    };
    let name: String = query
        .split(['=', '&'])
        .next()
        .unwrap_or("")
        .chars()
        .take(64)
        .collect();
    let detail = format!("query string: unknown parameter {name:?}; this route takes none");
    Err(ApiError::new(Code::InvalidRequest, detail))
}
