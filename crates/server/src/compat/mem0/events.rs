//! Events: what became of messages from which facts are extracted.

use axum::extract::State;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use recalld_agent::task_queue::ExtractionTask;
use recalld_memory::id::{ConversationId, MessageId};
use recalld_memory::record::RecordKind;
use recalld_memory::space::SpaceView;
use recalld_memory::wiring::Ports;
use serde_json::{Value, json};

use crate::auth::Caller;
use crate::error::ApiError;
use crate::extract::Path;

/// Names the event of the message that came last.
pub(super) fn event_id(conversation: &ConversationId, message: &MessageId) -> String {
    let parts = json!([conversation.as_str(), message.as_str()]);
    URL_SAFE_NO_PAD.encode(parts.to_string())
}

fn parse(event: &str) -> Option<(ConversationId, MessageId)> {
    let text = URL_SAFE_NO_PAD.decode(event).ok()?;
    let (conversation, message): (String, String) = serde_json::from_slice(&text).ok()?;
    Some((
        ConversationId::new(conversation).ok()?,
        MessageId::new(message).ok()?,
    ))
}

/// How many tasks are looked through.
const TASKS_MAX: usize = 10_000;

/// Tells how an event stands: pending while its messages wait, and else what they came to.
pub(super) async fn one(
    State(ports): State<Ports>,
    caller: Caller,
    Path(id): Path<String>,
) -> Result<axum::Json<Value>, ApiError> {
    let scope = caller.scope()?;
    let missing = || ApiError::not_found("event");
    let (conversation, message) = parse(&id).ok_or_else(missing)?;
    let space = scope.space();
    ports
        .store
        .message(space, &conversation, &message)
        .await?
        .ok_or_else(missing)?;
    let tasks = ports
        .store
        .records(space, RecordKind::Task, None, TASKS_MAX)
        .await?;
    let waits = tasks
        .iter()
        .filter_map(ExtractionTask::read)
        .any(|task| task.conversation == conversation);
    let look = |view: &SpaceView| {
        let of_it = view
            .current(scope.lens())
            .filter(|memory| memory.conversation.as_ref() == Some(&conversation));
        let shown = of_it.map(
            |memory| json!({ "id": memory.id.to_string(), "data": { "memory": memory.content.as_str() }, "event": "ADD" }),
        );
        shown.collect::<Vec<Value>>()
    };
    let results = ports.spaces.read(space, look).await?;
    let status = if waits { "PENDING" } else { "SUCCEEDED" };
    Ok(axum::Json(json!({
        "id": id, "event_id": id, "event_type": "ADD", "status": status, "results": results,
    })))
}
