//! `/v1/events`: the audit log of the caller's own space.

use axum::extract::State;
use recalld_memory::change::{Event, Revision};
use recalld_memory::ports::EventPage;
use recalld_memory::wiring::Ports;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::Caller;
use crate::error::{ApiError, Code};
use crate::extract::Query;
use crate::middleware::RouteLayers;

pub(super) fn router(layers: &RouteLayers) -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list).layer(layers.caller().with_query()))
}

/// Which events are listed.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct EventParams {
    /// Only events about this kind of thing, such as `memory`; needs `id`.
    kind: Option<String>,
    /// Only events about the thing with this id; needs `kind`.
    id: Option<String>,
    /// The most events of a page; 50 if none is given.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<u32>,
    /// The `next_page` of the page before.
    after: Option<String>,
}

/// One audited change. It holds no content.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct EventBody {
    /// Its place in the log, which `GET /v1/events/stream` takes as `Last-Event-ID`.
    place: String,
    /// What happened: remember, revise, retire, restore, evict, erase, mention, write or say.
    verb: String,
    /// To what kind of thing.
    kind: String,
    id: String,
    at: String,
    /// Who did it: a key's id, a tool, a command.
    actor: String,
    conversation: Option<String>,
    message: Option<String>,
    source: Option<String>,
}

/// Some events, and where to go on.
#[derive(Debug, Serialize, ToSchema)]
struct EventList {
    events: Vec<EventBody>,
    /// Give it as `after` to read on; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_page: Option<String>,
}

/// Pages through the audit log, the newest first.
#[utoipa::path(get, path = "/v1/events", tag = "events", params(EventParams),
    responses((status = 200, body = EventList)))]
async fn list(
    State(ports): State<Ports>,
    caller: Caller,
    Query(params): Query<EventParams>,
) -> Result<axum::Json<EventList>, ApiError> {
    let page = page(params)?;
    let events = ports.store.events(caller.scope()?.space(), &page).await?;
    let last = events.last().filter(|_| events.len() == page.limit);
    Ok(axum::Json(EventList {
        next_page: last.map(written_place),
        events: events.into_iter().map(EventBody::from).collect(),
    }))
}

impl From<Event> for EventBody {
    fn from(event: Event) -> EventBody {
        EventBody {
            place: written_place(&event),
            verb: event.verb,
            kind: event.subject.0,
            id: event.subject.1,
            at: event.stamp.at.to_string(),
            actor: event.stamp.actor.as_str().to_owned(),
            conversation: event.stamp.conversation.map(|id| id.to_string()),
            message: event.stamp.message.map(|id| id.to_string()),
            source: event.stamp.source.map(|source| source.to_string()),
        }
    }
}

/// Writes the place of an event in the log: its revision, and its number within that.
pub(super) fn written_place(event: &Event) -> String {
    format!("{}.{}", event.revision.0, event.ordinal)
}

/// Reads what [`written_place`] wrote.
pub(super) fn read_place(raw: &str) -> Option<(Revision, u32)> {
    let (revision, ordinal) = raw.split_once('.')?;
    let revision: u64 = revision.parse().ok()?;
    // No store counts further.
    Some((Revision(revision.min(i64::MAX as u64)), ordinal.parse().ok()?))
}

fn page(params: EventParams) -> Result<EventPage, ApiError> {
    let invalid = |reason: &'static str| ApiError::new(Code::InvalidRequest, reason);
    let limit = params.limit.unwrap_or(50);
    if !(1..=500).contains(&limit) {
        return Err(invalid("limit must be from 1 to 500"));
    }
    let subject = match (params.kind, params.id) {
        (Some(kind), Some(id)) => Some((kind, id)),
        (None, None) => None,
        _ => return Err(invalid("kind and id go together")),
    };
    let before = params
        .after
        .map(|after| read_place(&after).ok_or_else(|| invalid("after is not a next_page of this list")));
    Ok(EventPage {
        before: before.transpose()?,
        subject,
        limit: limit as usize,
    })
}
