//! Streams of replies that have begun.

use axum::response::Response;
use recalld_agent::chat::PendingReply;

use crate::error::{ApiError, Code};
use crate::stream::{self, Shape};

/// Streams once the model has begun, so that a failure to begin still has its status.
pub(super) async fn begun(mut talk: PendingReply, shape: Box<dyn Shape>) -> Result<Response, ApiError> {
    // The first event only says that the model is asked.
    let asked = talk.events.recv().await;
    let first = match asked {
        Some(_) => talk.events.recv().await,
        None => None,
    };
    match first {
        Some(event) => Ok(stream::respond(talk, shape, Some(event))),
        None => match stream::whole(talk).await {
            Ok(_) => Err(ApiError::new(Code::ModelFailed, "the model said nothing")),
            Err(error) => Err(error),
        },
    }
}
