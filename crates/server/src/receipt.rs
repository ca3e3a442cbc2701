//! The stored answer of a request with a key.

use std::sync::atomic::{AtomicBool, Ordering};

use axum::body::{Body, Bytes};
use axum::http::response::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures::FutureExt;
use recalld_memory::change::{Change, Effect};
use recalld_memory::record::{Record, RecordKind};
use recalld_memory::scope::Scope;
use recalld_memory::space::{Decision, SpaceView};
use recalld_memory::wiring::Ports;
use serde_json::{Value, json};

use crate::error::{ApiError, Code};
use crate::outcomes::Outcome;

/// Gives the answer of a receipt again.
pub(crate) fn replay(receipt: &Value, digest: &str) -> Result<Response, ApiError> {
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
pub(crate) fn mark_replayed(headers: &mut HeaderMap) {
    headers.insert("idempotency-replayed", HeaderValue::from_static("true"));
}

/// Reads how the request of a receipt ended.
pub(crate) fn outcome(receipt: &Value) -> Outcome {
    let status = receipt["status"]
        .as_u64()
        .and_then(|code| StatusCode::from_u16(code as u16).ok());
    Outcome {
        status: status.unwrap_or(StatusCode::OK),
        body: receipt["body"].as_str().unwrap_or_default().to_owned().into(),
    }
}

/// The receipt of a request that is being carried out. Whoever carries it out may store it together
/// with what the request changes; otherwise it is stored afterwards.
#[derive(Debug)]
pub(crate) struct PendingReceipt {
    /// The key of the request.
    pub(crate) name: String,
    /// Tells the request from others with the same key.
    pub(crate) digest: String,
    /// Whether the answer was turned into a change.
    is_made: AtomicBool,
    is_stored: AtomicBool,
}

impl PendingReceipt {
    pub(crate) fn new(name: String, digest: String) -> PendingReceipt {
        PendingReceipt {
            name,
            digest,
            is_made: AtomicBool::new(false),
            is_stored: AtomicBool::new(false),
        }
    }

    /// Gives the change that stores `response`, unless a repetition might get another one.
    pub(crate) fn of(&self, scope: &Scope, response: impl IntoResponse) -> Option<Change> {
        let response = response.into_response();
        if !response.status().is_success() {
            return None;
        }
        let (parts, body) = response.into_parts();
        // A body that was made in one piece is there at once.
        let body = axum::body::to_bytes(body, usize::MAX).now_or_never()?.ok()?;
        self.is_made.store(true, Ordering::Release);
        Some(self.change(scope, &parts, &body))
    }

    /// Notes that what the request changed was stored, with the receipt if it was made.
    pub(crate) fn set_stored(&self) {
        let is_made = self.is_made.load(Ordering::Acquire);
        self.is_stored.store(is_made, Ordering::Release);
    }

    /// Stores the answer if it was not, and unless a repetition might get another one.
    pub(crate) async fn store(
        &self,
        ports: &Ports,
        scope: &Scope,
        response: Response,
    ) -> Result<Response, ApiError> {
        if self.is_stored.load(Ordering::Acquire) || !response.status().is_success() {
            return Ok(response);
        }
        let (parts, body) = response.into_parts();
        let body: Bytes = axum::body::to_bytes(body, usize::MAX)
            .await
            .map_err(|_| ApiError::new(Code::Internal, "the answer could not be stored"))?;
        let change = self.change(scope, &parts, &body);
        let decide = move |_: &SpaceView| Decision {
            changes: vec![change.clone()],
            outcome: (),
        };
        ports.spaces.write(scope.space(), decide).await?;
        Ok(Response::from_parts(parts, Body::from(body)))
    }

    fn change(&self, scope: &Scope, parts: &Parts, body: &Bytes) -> Change {
        let value = json!({
            "request": self.digest,
            "status": parts.status.as_u16(),
            "headers": headers(parts),
            "body": String::from_utf8_lossy(body),
        });
        let record = Record {
            kind: RecordKind::Receipt,
            name: self.name.clone(),
            value,
            version: 1,
            written_at: scope.now,
        };
        scope.change(None, Effect::Record(record))
    }
}

/// The headers that a repetition is answered with, too.
fn headers(parts: &Parts) -> serde_json::Map<String, Value> {
    let stored = [header::CONTENT_TYPE, header::ETAG, header::LOCATION];
    stored
        .iter()
        .filter_map(|name| {
            Some((
                name.to_string(),
                Value::from(parts.headers.get(name)?.to_str().ok()?),
            ))
        })
        .collect()
}
