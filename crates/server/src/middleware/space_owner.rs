//! Tells clients that choose among several servers which one a user is best asked at: there the
//! user's space is held in memory. Every server answers all the same.

use axum::http::{HeaderName, HeaderValue};
use recalld_memory::space_owner::owner;

use crate::auth::Caller;

pub(super) const HEADER: HeaderName = HeaderName::from_static("recalld-space-owner");

/// Returns the address of the server that has the caller's space; none if there is only one server,
/// or if the caller acts for no user.
pub(super) fn of(caller: &Caller, peers: &[String]) -> Option<HeaderValue> {
    if peers.is_empty() {
        return None;
    }
    let scope = caller.scope().ok()?;
    let place = owner(scope.space(), peers)?;
    HeaderValue::from_str(&peers[place]).ok()
}
