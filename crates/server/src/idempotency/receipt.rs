//! The stored answer of a request with a key.

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use recalld_memory::change::Effect;
use recalld_memory::record::{Record, RecordKind};
use recalld_memory::scope::Scope;
use recalld_memory::space::{Decision, SpaceView};
use recalld_memory::wiring::Ports;
use serde_json::{Value, json};

use crate::error::{ApiError, Code};
use crate::outcomes::Outcome;

/// Gives the answer of a receipt again.
pub(super) fn replay(receipt: &Value, digest: &str) -> Result<Response, ApiError> {
    if receipt["request"] != digest {
        let detail = "this Idempotency-Key belongs to a request with other content";
        return Err(ApiError::new(Code::IdempotencyKeyReused, detail).hint("use a new key for a new request"));
    }
    let Outcome { status, body } = outcome(receipt);
    let mut response = (status, body).into_response();
    let headers = response.headers_mut();
    for name in [header::CONTENT_TYPE, header::ETAG, header::LOCATION] {
        let value = receipt["headers"][name.as_str()]
            .as_str()
            .and_then(|value| HeaderValue::from_str(value).ok());
        headers.remove(&name);
        if let Some(value) = value {
            headers.insert(name, value);
        }
    }
    mark_replayed(headers);
    Ok(response)
}

/// Marks an answer as one that was given before.
pub(super) fn mark_replayed(headers: &mut HeaderMap) {
    headers.insert("idempotency-replayed", HeaderValue::from_static("true"));
}

/// Reads how the request of a receipt ended.
pub(super) fn outcome(receipt: &Value) -> Outcome {
    let status = receipt["status"]
        .as_u64()
        .and_then(|code| StatusCode::from_u16(code as u16).ok());
    Outcome {
        status: status.unwrap_or(StatusCode::OK),
        body: receipt["body"].as_str().unwrap_or_default().to_owned().into(),
    }
}

/// Stores the answer, unless a repetition might get another one.
pub(super) async fn store(
    ports: &Ports,
    scope: &Scope,
    name: String,
    digest: &str,
    response: Response,
) -> Result<Response, ApiError> {
    if !response.status().is_success() {
        return Ok(response);
    }
    let (parts, body) = response.into_parts();
    let body: Bytes = axum::body::to_bytes(body, usize::MAX)
        .await
        .map_err(|_| ApiError::new(Code::Internal, "the answer could not be stored"))?;
    let stored = [header::CONTENT_TYPE, header::ETAG, header::LOCATION];
    let headers: serde_json::Map<String, Value> = stored
        .iter()
        .filter_map(|name| {
            Some((
                name.to_string(),
                Value::from(parts.headers.get(name)?.to_str().ok()?),
            ))
        })
        .collect();
    let value = json!({
        "request": digest,
        "status": parts.status.as_u16(),
        "headers": headers,
        "body": String::from_utf8_lossy(&body),
    });
    let record = Record {
        kind: RecordKind::Receipt,
        name,
        value,
        version: 1,
        written_at: scope.now,
    };
    let change = scope.change(None, Effect::Record(record));
    let decide = move |_: &SpaceView| Decision {
        changes: vec![change.clone()],
        outcome: (),
    };
    ports.spaces.write(scope.space(), decide).await?;
    Ok(Response::from_parts(parts, Body::from(body)))
}
