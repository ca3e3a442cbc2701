//! `Idempotency-Key`: a request that creates is carried out once, however often it is sent.
//!
//! The answer is stored as a receipt in the user's own space: with a new memory in one transaction,
//! with other things after them. Should the process die between the write and its receipt, the
//! request is carried out again with the same derived ids, and finds what it made.

mod in_flight;

use std::sync::Arc;

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderName, Method};
use axum::response::{IntoResponse, Response};
use data_encoding::HEXLOWER;
use recalld_memory::receipts;
use recalld_memory::record::RecordKind;
use recalld_memory::wiring::Ports;
use sha2::{Digest, Sha256};

use crate::auth::Caller;
use crate::error::{ApiError, Code};
use crate::extract::read_body;
use crate::inner_service::{InnerService, call};
use crate::outcomes::{Outcome, Outcomes, Progress, RequestName};
use crate::receipt::{self, PendingReceipt};

pub(crate) use in_flight::InFlight;

const KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// The most bytes of such a key.
const KEY_BYTES_MAX: usize = 255;

/// What a repeated request is recognised by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Idempotency<'a> {
    pub(crate) ports: &'a Ports,
    pub(crate) in_flight: &'a InFlight,
    pub(crate) outcomes: &'a Outcomes,
}

/// Tells whether the request creates something and has a key.
pub(crate) fn is_keyed(request: &Request) -> bool {
    request.method() == Method::POST && request.headers().contains_key(&KEY)
}

/// Gives the key of the request, if it has a valid one.
pub(crate) fn given_key(request: &Request) -> Option<String> {
    match request.headers().contains_key(&KEY) {
        true => key_of(request).ok(),
        false => None,
    }
}

impl Idempotency<'_> {
    /// Lets a request through to `inner`, or answers one that is repeated with its first answer.
    pub(crate) async fn once(
        &self,
        mut caller: Caller,
        mut request: Request,
        inner: impl InnerService,
    ) -> Result<Response, ApiError> {
        let key = key_of(&request)?;
        // What is done for no user is done once by itself: a document is known by its source.
        let Ok(scope) = caller.scope() else {
            request.extensions_mut().insert(caller);
            return Ok(call(inner, request).await);
        };
        let name = RequestName {
            space: scope.space().clone(),
            key,
        };
        let turn = self.in_flight.turn(&name);
        let _turn = turn.lock().await;

        let target = format!("{} {}", request.method(), request.uri());
        let (mut parts, body) = request.into_parts();
        let body = read_body(&parts.extensions, body).await?;
        let digest: [u8; 32] = Sha256::new()
            .chain_update(&target)
            .chain_update([0])
            .chain_update(&body)
            .finalize()
            .into();
        let digest_text = HEXLOWER.encode(&digest);
        if let Some(answer) = self.known(&name, &digest_text).await? {
            return Ok(answer);
        }
        let seed = Sha256::new()
            .chain_update(name.space.as_str())
            .chain_update([0])
            .chain_update(&name.key)
            .chain_update(digest);
        caller.once = Some(seed.finalize().into());
        let receipt = Arc::new(PendingReceipt::new(name.key, digest_text));
        caller.receipt = Some(Arc::clone(&receipt));
        parts.extensions.insert(caller);
        let response = call(inner, Request::from_parts(parts, Body::from(body))).await;
        receipt.store(self.ports, &scope, response).await
    }

    /// Finds the answer to a request that was carried out before, or is being carried out under a
    /// key that the server made.
    async fn known(&self, name: &RequestName, digest: &str) -> Result<Option<Response>, ApiError> {
        let receipt = self
            .ports
            .store
            .record(&name.space, RecordKind::Receipt, &name.key)
            .await?;
        if let Some(receipt) = receipt {
            if receipts::is_blank(&receipt) {
                let detail = "this Idempotency-Key belongs to a request whose result was erased since";
                return Err(ApiError::new(Code::IdempotencyKeyReused, detail)
                    .hint("use a new key to create it again"));
            }
            return receipt::replay(&receipt.value, digest).map(Some);
        }
        // Whoever holds the turn of a client's own key is the only one to carry it out.
        match self
            .outcomes
            .find(name)
            .filter(|_| RequestName::is_made(&name.key))
        {
            None => Ok(None),
            Some(Progress::InProgress) => Err(ApiError::new(
                Code::OutcomeUnknown,
                "the request is still being carried out",
            )
            .retry_after(2)),
            Some(Progress::Done(outcome)) => Ok(Some(replayed(outcome))),
        }
    }

    /// Finds out how the request of this name stands.
    pub(crate) async fn progress(&self, name: &RequestName) -> Result<Option<Progress>, ApiError> {
        if let Some(progress) = self.outcomes.find(name) {
            return Ok(Some(progress));
        }
        if self.in_flight.contains(name) {
            return Ok(Some(Progress::InProgress));
        }
        let receipt = self
            .ports
            .store
            .record(&name.space, RecordKind::Receipt, &name.key)
            .await?;
        let receipt = receipt.filter(|receipt| !receipts::is_blank(receipt));
        Ok(receipt.map(|receipt| Progress::Done(receipt::outcome(&receipt.value))))
    }
}

fn replayed(outcome: Outcome) -> Response {
    let kind = [(axum::http::header::CONTENT_TYPE, "application/json")];
    let mut response = (outcome.status, kind, outcome.body).into_response();
    receipt::mark_replayed(response.headers_mut());
    response
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
