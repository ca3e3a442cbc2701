//! Adds memories: as they are given, or what is extracted from messages.

use axum::extract::State;
use recalld_agent::extract;
use recalld_agent::wiring::AgentPorts;
use recalld_memory::conversation::{MessageText, Role};
use recalld_memory::conversations::NewMessage;
use recalld_memory::id::ConversationId;
use recalld_memory::items::{self, ItemChange, ItemText, Items, NewItem};
use recalld_memory::memory::{Origin, Source};
use recalld_memory::scope::Scope;
use serde_json::{Map, Value, json};

use super::super::json_body::{Fields, invalid};
use super::events::event_id;
use super::labelled::ENTITIES;
use super::{COLLECTION, scope_of};
use crate::auth::Caller;
use crate::error::ApiError;

/// The most messages of one request.
const MESSAGES_MAX: usize = 200;

/// A request to add.
struct Addition {
    messages: Vec<(Role, String)>,
    /// Labels and metadata.
    labels: Map<String, Value>,
    infer: bool,
    ttl_s: Option<i64>,
    scope: Scope,
}

/// What became of a request.
enum Added {
    Stored(Vec<Value>),
    Pending { event: String },
}

/// Adds in the way of v3: at once if nothing is inferred, and else under an event to ask for.
pub(super) async fn add(
    State(agent): State<AgentPorts>,
    caller: Caller,
    body: Fields,
) -> Result<axum::Json<Value>, ApiError> {
    Ok(axum::Json(match perform(&agent, &caller, body).await? {
        Added::Stored(results) => {
            let results: Vec<Value> = results
                .into_iter()
                .map(|one| json!({ "id": one["id"], "data": { "memory": one["memory"] }, "event": "ADD" }))
                .collect();
            let event = agent.memory.ids.next(agent.memory.clock.now()).to_string();
            json!({ "status": "SUCCEEDED", "event_id": event, "results": results })
        }
        Added::Pending { event } => json!({
            "message": "Memory processing has been queued for background execution",
            "status": "PENDING", "event_id": event,
        }),
    }))
}

/// Adds in the way of v1 and of the self-hosted server.
pub(super) async fn add_v1(
    State(agent): State<AgentPorts>,
    caller: Caller,
    body: Fields,
) -> Result<axum::Json<Value>, ApiError> {
    Ok(axum::Json(match perform(&agent, &caller, body).await? {
        Added::Stored(results) => json!({ "results": results }),
        Added::Pending { event } => json!({ "results": [], "status": "PENDING", "event_id": event }),
    }))
}

async fn perform(agent: &AgentPorts, caller: &Caller, body: Fields) -> Result<Added, ApiError> {
    let addition = read(caller, body)?;
    match addition.infer {
        true => infer(agent, addition).await,
        false => store(agent, addition).await,
    }
}

fn read(caller: &Caller, mut body: Fields) -> Result<Addition, ApiError> {
    let messages = match body.take("messages").or_else(|| body.take("text")) {
        Some(Value::String(text)) => vec![(Role::User, text)],
        Some(Value::Object(one)) => vec![message(&Value::Object(one))?],
        Some(Value::Array(all)) if (1..=MESSAGES_MAX).contains(&all.len()) => {
            all.iter().map(message).collect::<Result<_, _>>()?
        }
        _ => return Err(invalid(format!("messages must be 1 to {MESSAGES_MAX} messages"))),
    };
    let mut labels = Map::new();
    for name in ENTITIES {
        if let Some(id) = body.text(name)?.filter(|id| !id.is_empty()) {
            labels.insert(name.to_owned(), json!(id));
        }
    }
    if labels.is_empty() {
        let ids = ENTITIES.join(", ");
        return Err(invalid(format!("at least one of {ids} is required")));
    }
    if let Some(metadata) = body.object("metadata")? {
        labels.insert("metadata".to_owned(), Value::Object(metadata));
    }
    let scope = scope_of(caller, labels.get("user_id").and_then(Value::as_str))?;
    let ttl_s = match body.text("expiration_date")? {
        Some(date) => Some(seconds_until(&date, &scope)?),
        None => None,
    };
    let infer = body.take("infer").is_none_or(|infer| infer != false);
    Ok(Addition {
        messages,
        labels,
        infer,
        ttl_s,
        scope,
    })
}

fn message(message: &Value) -> Result<(Role, String), ApiError> {
    let text = match &message["content"] {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts: Vec<&str> = parts.iter().filter_map(|part| part["text"].as_str()).collect();
            texts.join("\n")
        }
        _ => return Err(invalid("every message needs a content")),
    };
    let role = message["role"]
        .as_str()
        .and_then(Role::parse)
        .unwrap_or(Role::User);
    Ok((role, text))
}

/// How long something lasts that ends with a day.
pub(super) fn seconds_until(date: &str, scope: &Scope) -> Result<i64, ApiError> {
    let wrong = || invalid("expiration_date must be a date, as in 2030-12-31");
    let day: jiff::civil::Date = date.get(..10).unwrap_or(date).parse().map_err(|_| wrong())?;
    let end = day
        .tomorrow()
        .ok()
        .and_then(|day| day.to_zoned(jiff::tz::TimeZone::UTC).ok());
    let end = end.ok_or_else(wrong)?.timestamp();
    match end.duration_since(scope.now).as_secs() {
        left if 0 < left => Ok(left),
        _ => Err(invalid("expiration_date is past")),
    }
}

/// Stores each message as it is.
async fn store(agent: &AgentPorts, addition: Addition) -> Result<Added, ApiError> {
    let Addition {
        messages,
        labels,
        ttl_s,
        scope,
        ..
    } = addition;
    let spoken = messages
        .into_iter()
        .filter(|(role, text)| *role != Role::System && !text.trim().is_empty());
    let new = |(role, text): (Role, String)| {
        let name = scope.fresh_name(&*agent.memory.ids);
        let mut value = labels.clone();
        value.insert("memory".to_owned(), json!(text));
        value.insert("role".to_owned(), json!(role.as_str()));
        let new = NewItem {
            path: json!(name),
            value: Value::Object(value),
            text: Some(ItemText {
                text,
                pointer: Some("/memory".to_owned()),
            }),
            rests_on: None,
            version: None,
            ttl_s,
            origin: match role {
                Role::User => Origin::User,
                Role::System | Role::Assistant => Origin::Assistant,
            },
            source: Source::new("mem0").ok(),
        };
        ItemChange::put(name, new)
    };
    let changes: Vec<ItemChange> = spoken.map(new).collect();
    let names: Vec<String> = changes
        .iter()
        .filter_map(|change| match change {
            ItemChange::Put(name, _) => Some(name.clone()),
            _ => None,
        })
        .collect();
    let decide = move |_: Items<'_>| (changes.clone(), ());
    items::update(&agent.memory, &scope, COLLECTION, decide).await?;
    let look = |items: Items<'_>| {
        names
            .iter()
            .filter_map(|name| items.get(name))
            .collect::<Vec<_>>()
    };
    let stored = items::read(&agent.memory, &scope, COLLECTION, look).await?;
    let shown = stored.iter().filter_map(|item| {
        let memory = item.memory.as_ref()?;
        Some(json!({ "id": memory.id.to_string(), "memory": item.value["memory"], "event": "ADD" }))
    });
    Ok(Added::Stored(shown.collect()))
}

/// Stores the messages as a conversation, from which facts are extracted a little later.
async fn infer(agent: &AgentPorts, addition: Addition) -> Result<Added, ApiError> {
    let label = |name: &str| addition.labels.get(name).and_then(Value::as_str);
    let named = label("run_id").map(|run| format!("mem0:{run}"));
    let conversation = named.unwrap_or_else(|| "mem0".to_owned());
    let conversation =
        ConversationId::new(conversation).map_err(|error| invalid(format!("run_id: {error}")))?;
    let labels = Value::Object(addition.labels.clone());
    let mut messages = Vec::new();
    for (role, text) in addition.messages {
        if text.trim().is_empty() {
            continue;
        }
        messages.push(NewMessage {
            id: None,
            role,
            content: MessageText::new(text).map_err(|error| invalid(error.to_string()))?,
            sender: None,
            at: None,
            metadata: Some(json!({ "mem0": labels })),
        });
    }
    if messages.is_empty() {
        return Err(invalid("every message is blank"));
    }
    let said = extract::append(agent, &addition.scope, conversation, messages).await?;
    let last = said.last().ok_or_else(|| invalid("there are no messages"))?;
    Ok(Added::Pending {
        event: event_id(&last.conversation, &last.id),
    })
}
