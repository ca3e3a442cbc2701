//! `/v1/entities`: places, accounts and people, and the messages that mention them.

use axum::extract::State;
use axum::http::StatusCode;
use recalld_memory::entities::{self, AddError, Added, NewEntity};
use recalld_memory::entity::{EntityKind, EntityName};
use recalld_memory::id::{ConversationId, EntityId, MessageId};
use recalld_memory::memory::{Content, Origin};
use recalld_memory::wiring::Ports;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::Caller;
use crate::error::{ApiError, Code};
use crate::extract::{Json, Path, Query};
use crate::middleware::RouteLayers;
use recalld_wire as wire;

pub(super) fn router(layers: &RouteLayers) -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(add).layer(layers.caller().idempotent()))
        .routes(routes!(list).layer(layers.caller().with_query()))
        .routes(routes!(read, remove).layer(layers.caller()))
        .routes(routes!(mention).layer(layers.caller().idempotent()))
        .routes(routes!(confirm).layer(layers.caller()))
}

/// An entity to remember.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewEntityBody {
    /// Your own id of it, such as a place id.
    #[schema(min_length = 1, max_length = 256)]
    id: String,
    /// `place`, `account` or `person`.
    kind: wire::WireEntityKind,
    #[schema(min_length = 1, max_length = 256)]
    name: String,
    #[schema(min_length = 1, max_length = 16384)]
    notes: Option<String>,
    /// Who says so, if not the user: `assistant`, `import`, `tool` or `document`. It can lower the
    /// origin and never raise it.
    #[schema(example = "assistant")]
    origin: Option<String>,
}

/// Adds an entity, or brings it up to date. Answers 201 when it is new, 200 when it was known. What
/// is known from somebody who is trusted more stays as it is.
#[utoipa::path(post, path = "/v1/entities", tag = "entities", request_body = NewEntityBody,
    responses((status = 201, body = wire::Entity), (status = 200, body = wire::Entity)))]
async fn add(
    State(ports): State<Ports>,
    caller: Caller,
    Json(new): Json<NewEntityBody>,
) -> Result<(StatusCode, axum::Json<wire::Entity>), ApiError> {
    let notes = new.notes.map(|notes| Content::new(&notes)).transpose();
    let origin = new.origin.as_deref().map(Origin::parse).transpose();
    let new = NewEntity {
        id: EntityId::new(new.id).map_err(|error| ApiError::field("/id", &error))?,
        kind: new.kind.into(),
        name: EntityName::new(&new.name).map_err(|error| ApiError::field("/name", &error))?,
        notes: notes.map_err(|error| ApiError::field("/notes", &error))?,
        origin: origin
            .map_err(|error| ApiError::field("/origin", &error))?
            .map_or(Origin::User, |origin| Origin::User.least_trusted(origin)),
    };
    let added = entities::add(&ports, &caller.scope()?, new).await?;
    let status = match added {
        Added::New(_) => StatusCode::CREATED,
        Added::Revised(_) | Added::Unchanged(_) | Added::Kept(_) => StatusCode::OK,
    };
    Ok((status, axum::Json((&**added.entity()).into())))
}

/// Which entities are listed.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ListParams {
    /// Only this kind.
    #[param(inline)]
    kind: Option<wire::WireEntityKind>,
}

/// Lists entities in the order in which they were added.
#[utoipa::path(get, path = "/v1/entities", tag = "entities", params(ListParams),
    responses((status = 200, body = wire::EntityList)))]
async fn list(
    State(ports): State<Ports>,
    caller: Caller,
    Query(params): Query<ListParams>,
) -> Result<axum::Json<wire::EntityList>, ApiError> {
    let kind = params.kind.map(EntityKind::from);
    let found = entities::list(&ports, &caller.scope()?, kind).await?;
    Ok(axum::Json(wire::EntityList {
        entities: found.iter().map(|entity| (&**entity).into()).collect(),
    }))
}

/// Reads one entity.
#[utoipa::path(get, path = "/v1/entities/{id}", tag = "entities", params(("id" = String, Path)),
    responses((status = 200, body = wire::Entity)))]
async fn read(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<axum::Json<wire::Entity>, ApiError> {
    let id = entity_id(id)?;
    let look =
        |view: &recalld_memory::space::SpaceView| view.entity(&id).filter(|known| !known.retired).cloned();
    let found = ports.spaces.read(caller.scope()?.space(), look).await?;
    found
        .map(|entity| axum::Json((&*entity).into()))
        .ok_or_else(|| ApiError::not_found("entity"))
}

/// Hides an entity.
#[utoipa::path(delete, path = "/v1/entities/{id}", tag = "entities", params(("id" = String, Path)),
    responses((status = 204)))]
async fn remove(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<StatusCode, ApiError> {
    match entities::retire(&ports, &caller.scope()?, entity_id(id)?).await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(ApiError::not_found("entity")),
    }
}

/// A message that mentions an entity.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct MentionBody {
    #[schema(min_length = 1, max_length = 256)]
    conversation: String,
    #[schema(min_length = 1, max_length = 256)]
    message: String,
}

/// Notes that a message mentions an entity.
#[utoipa::path(post, path = "/v1/entities/{id}/mentions", tag = "entities", request_body = MentionBody,
    params(("id" = String, Path)),
    responses((status = 201, body = wire::Entity)))]
async fn mention(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
    Json(body): Json<MentionBody>,
) -> Result<(StatusCode, axum::Json<wire::Entity>), ApiError> {
    let conversation =
        ConversationId::new(body.conversation).map_err(|e| ApiError::field("/conversation", &e))?;
    let message = MessageId::new(body.message).map_err(|error| ApiError::field("/message", &error))?;
    let found = entities::mention(&ports, &caller.scope()?, entity_id(id)?, conversation, message).await?;
    let entity = found.ok_or_else(|| ApiError::not_found("entity"))?;
    Ok((StatusCode::CREATED, axum::Json((&*entity).into())))
}

/// Confirms an entity: it counts as the user's own from then on. No tool reaches this.
#[utoipa::path(post, path = "/v1/entities/{id}/confirm", tag = "entities", params(("id" = String, Path)),
    responses((status = 200, body = wire::Entity)))]
async fn confirm(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<axum::Json<wire::Entity>, ApiError> {
    let confirmed = entities::confirm(&ports, &caller.scope()?, entity_id(id)?).await?;
    confirmed
        .map(|entity| axum::Json((&*entity).into()))
        .ok_or_else(|| ApiError::not_found("entity"))
}

/// An id that cannot be one names nothing.
fn entity_id(raw: String) -> Result<EntityId, ApiError> {
    EntityId::new(raw).map_err(|_| ApiError::not_found("entity"))
}

impl From<AddError> for ApiError {
    fn from(error: AddError) -> ApiError {
        match error {
            AddError::Secret(_) => ApiError::new(Code::SecretRefused, error.to_string()),
            AddError::Space(error) => error.into(),
        }
    }
}
