//! The REST resources: one file each, and one line here.

mod etag;
mod moment;

mod audit;
mod chat;
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
mod review;
mod rollout;
mod search;
mod sign_in;
mod similar;
mod stats;
mod store;
mod tools;
mod undo;
mod users;
mod whoami;
mod working_memory;

pub(crate) use chat::{ChatReply, memory_for, whole};
use utoipa_axum::router::OpenApiRouter;

use crate::app::App;

/// All routes that need a caller.
pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .merge(memories::router())
        .merge(search::router())
        .merge(embed::router())
        .merge(context::router())
        .merge(profile::router())
        .merge(entities::router())
        .merge(conversations::router())
        .merge(messages::router())
        .merge(working_memory::router())
        .merge(knowledge::router())
        .merge(tools::router())
        .merge(events::router())
        .merge(keys::router())
        .merge(chat::router())
        .merge(rollout::router())
        .merge(interactions::router())
        .merge(me::router())
        .merge(export::router())
        .merge(import::router())
        .merge(files::router())
        .merge(undo::router())
        .merge(review::router())
        .merge(audit::router())
        .merge(whoami::router())
        .merge(stats::router())
        .merge(similar::router())
        .merge(forget::router())
        .merge(event_stream::router())
        .merge(users::router())
        .merge(store::router())
        .merge(sign_in::router())
}

/// Routes that need no caller.
pub(crate) fn open_router() -> OpenApiRouter<App> {
    sign_in::open_router()
}
