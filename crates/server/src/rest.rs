//! The REST resources: one file each, and one line here.

mod etag;
mod moment;
mod oauth_grants;

mod audit;
mod chat;
mod checkpoints;
mod context;
mod conversations;
mod embed;
mod entities;
mod event_stream;
mod events;
mod export;
mod files;
mod forget;
mod import;
mod interactions;
mod keys;
mod knowledge;
mod me;
mod memories;
mod messages;
mod profile;
mod requests;
mod review;
mod rollout;
mod search;
mod shared_memories;
mod sign_in;
mod similar;
mod stats;
mod store;
mod tools;
mod undo;
mod users;
mod whoami;
mod working_memory;

use utoipa_axum::router::OpenApiRouter;

use crate::app::App;
use crate::middleware::RouteLayers;

/// All routes of REST.
pub(crate) fn router(layers: &RouteLayers) -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .merge(memories::router(layers))
        .merge(shared_memories::router(layers))
        .merge(search::router(layers))
        .merge(embed::router(layers))
        .merge(context::router(layers))
        .merge(profile::router(layers))
        .merge(entities::router(layers))
        .merge(conversations::router(layers))
        .merge(messages::router(layers))
        .merge(working_memory::router(layers))
        .merge(knowledge::router(layers))
        .merge(tools::router(layers))
        .merge(events::router(layers))
        .merge(keys::router(layers))
        .merge(chat::router(layers))
        .merge(rollout::router(layers))
        .merge(interactions::router(layers))
        .merge(me::router(layers))
        .merge(export::router(layers))
        .merge(import::router(layers))
        .merge(files::router(layers))
        .merge(undo::router(layers))
        .merge(review::router(layers))
        .merge(audit::router(layers))
        .merge(requests::router(layers))
        .merge(whoami::router(layers))
        .merge(stats::router(layers))
        .merge(similar::router(layers))
        .merge(forget::router(layers))
        .merge(event_stream::router(layers))
        .merge(users::router(layers))
        .merge(store::router(layers))
        .merge(sign_in::router(layers))
        .merge(checkpoints::router(layers))
        .merge(oauth_grants::router(layers))
}
