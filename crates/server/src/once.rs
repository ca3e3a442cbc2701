//! `Idempotency-Key`: a request that creates is carried out once, however often it is sent.
//!
//! The answer is kept as a receipt in the user's own space. Should the process die between the
//! write and its receipt, the request is carried out again with the same derived ids, and finds
//! what it made.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::{Body, Bytes};
use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use recalld_memory::change::Effect;
use recalld_memory::id::SpaceId;
use recalld_memory::receipts;
use recalld_memory::record::{Record, RecordKind};
use recalld_memory::scope::Scope;
use recalld_memory::space::{Decision, SpaceView};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::app::App;
use crate::auth::Caller;
use crate::error::{ApiError, Code};
use crate::extract::read_body;
use crate::layers::{self, Inner};

const KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// The most bytes of such a key.
const KEY_BYTES_MAX: usize = 255;

/// The requests that are being carried out now, so that a second sender waits for the first.
#[derive(Debug, Default)]
pub(crate) struct Underway(Mutex<HashMap<Named, Turn>>);

/// A key within a space.
type Named = (SpaceId, String);

type Turn = Arc<tokio::sync::Mutex<()>>;

impl Underway {
    fn turn(&self, of: &Named) -> Turn {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, turn| 1 < Arc::strong_count(turn));
        Arc::clone(all.entry(of.clone()).or_default())
    }
}

/// The routes that create something, or may. A key is never made this way: its receipt would hold
/// it.
const CREATES: [&str; 10] = [
    "/v1/memories",
    "/v1/memories/{id}/restore",
    "/v1/entities",
    "/v1/entities/{id}/mentions",
    "/v1/conversations",
    "/v1/conversations/{id}/messages",
    "/v1/knowledge",
    "/v1/interactions",
    "/v1/tools/{name}",
    // A client that sends it again after a time-out must not take back one change more.
    "/v1/undo",
];

/// Lets a request through, or answers one that is repeated with its first answer.
pub(crate) async fn carry_out(
    app: &App,
    caller: Caller,
    mut request: Request,
    inner: impl Inner,
) -> Response {
    let creates = |path: &MatchedPath| CREATES.contains(&path.as_str());
    let wanted = request.method() == Method::POST
        && request.extensions().get().is_some_and(creates)
        && request.headers().contains_key(&KEY);
    match wanted {
        false => {
            request.extensions_mut().insert(caller);
            layers::run(inner, request).await
        }
        // On the heap, so that the many that are not repeated need no room for it.
        true => Box::pin(once(app, caller, request, inner))
            .await
            .unwrap_or_else(IntoResponse::into_response),
    }
}

async fn once(
    app: &App,
    mut caller: Caller,
    mut request: Request,
    inner: impl Inner,
) -> Result<Response, ApiError> {
    let key = key_of(&request)?;
    // What is done for no user is done once by itself: a document is known by its source.
    let Ok(scope) = caller.scope() else {
        request.extensions_mut().insert(caller);
        return Ok(layers::run(inner, request).await);
    };
    let of = (scope.space().clone(), key);
    let turn = app.underway.turn(&of);
    let _turn = turn.lock().await;

    let target = format!("{} {}", request.method(), request.uri());
    let (mut parts, body) = request.into_parts();
    let body = read_body(&parts.extensions, body, app).await?;
    let digest: [u8; 32] = Sha256::new()
        .chain_update(&target)
        .chain_update([0])
        .chain_update(&body)
        .finalize()
        .into();
    let digest_text = digest
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect::<String>();

    let known = app.ports.store.record(&of.0, RecordKind::Receipt, &of.1).await?;
    if let Some(receipt) = known {
        if receipts::is_blank(&receipt) {
            let detail = "this Idempotency-Key belongs to a request whose result was erased since";
            return Err(
                ApiError::new(Code::IdempotencyKeyReused, detail).hint("use a new key to make it anew")
            );
        }
        return replay(&receipt.value, &digest_text);
    }
    let seed = Sha256::new()
        .chain_update(of.0.as_str())
        .chain_update([0])
        .chain_update(&of.1)
        .chain_update(digest);
    caller.once = Some(seed.finalize().into());
    parts.extensions.insert(caller);
    let response = layers::run(inner, Request::from_parts(parts, Body::from(body))).await;
    keep(app, &scope, of.1, &digest_text, response).await
}

fn key_of(request: &Request) -> Result<String, ApiError> {
    let key = request
        .headers()
        .get(&KEY)
        .and_then(|key| key.to_str().ok())
        .unwrap_or("")
        .trim();
    match key.len() {
        1..=KEY_BYTES_MAX => Ok(key.to_owned()),
        _ => {
            let detail = format!("Idempotency-Key must be 1 to {KEY_BYTES_MAX} printable ASCII characters");
            Err(ApiError::new(Code::InvalidRequest, detail))
        }
    }
}

fn replay(receipt: &Value, digest: &str) -> Result<Response, ApiError> {
    if receipt["request"] != digest {
        let detail = "this Idempotency-Key belongs to a request with other content";
        return Err(ApiError::new(Code::IdempotencyKeyReused, detail).hint("use a new key for a new request"));
    }
    let status = receipt["status"]
        .as_u64()
        .and_then(|code| StatusCode::from_u16(code as u16).ok());
    let body = receipt["body"].as_str().unwrap_or_default().to_owned();
    let mut response = (status.unwrap_or(StatusCode::OK), body).into_response();
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
    headers.insert("idempotency-replayed", HeaderValue::from_static("true"));
    Ok(response)
}

/// Keeps the answer, unless it is one that a repetition may change.
async fn keep(
    app: &App,
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
        .map_err(|_| ApiError::new(Code::Internal, "the answer could not be kept"))?;
    let kept = [header::CONTENT_TYPE, header::ETAG, header::LOCATION];
    let headers: serde_json::Map<String, Value> = kept
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
    app.ports.spaces.write(scope.space(), decide).await?;
    Ok(Response::from_parts(parts, Body::from(body)))
}
