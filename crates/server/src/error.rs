//! What a client is told when something does not work: one table from code to status and title.

use std::borrow::Cow;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use recalld_memory::ports::StoreError;
use recalld_memory::space::SpaceError;
use recalld_wire::FieldError;
use serde::Serialize;
use utoipa::ToSchema;

/// What went wrong, as a stable word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    InvalidRequest,
    InvalidJson,
    UnsupportedMediaType,
    BodyTooLarge,
    Unauthenticated,
    Forbidden,
    WrongHost,
    OriginRefused,
    NotFound,
    MethodNotAllowed,
    NotAcceptable,
    SecretRefused,
    Unprocessable,
    MemoryPrecondition,
    MemoryPathConflict,
    QuotaExceeded,
    Duplicate,
    Stale,
    IdempotencyKeyReused,
    ImportRunning,
    RateLimited,
    Busy,
    Timeout,
    Overdue,
    OutcomeUnknown,
    StorageFull,
    StorageUnavailable,
    StorageDamaged,
    NoModel,
    ModelUnavailable,
    ModelFailed,
    Internal,
}

impl Code {
    /// Gives the word, the status and the title.
    const fn row(self) -> (&'static str, u16, &'static str) {
        match self {
            Code::InvalidRequest => ("invalid_request", 400, "The request is not valid"),
            Code::InvalidJson => ("invalid_json", 400, "The body is not the JSON expected"),
            Code::UnsupportedMediaType => ("unsupported_media_type", 415, "The body is not JSON"),
            Code::BodyTooLarge => ("body_too_large", 413, "The body is too large"),
            Code::Unauthenticated => ("unauthenticated", 401, "A valid key or token is needed"),
            Code::Forbidden => ("forbidden", 403, "This key or token may not do that"),
            Code::WrongHost => ("wrong_host", 403, "The Host header names another server"),
            Code::OriginRefused => ("origin_refused", 403, "Pages of this origin may not connect"),
            Code::NotFound => ("not_found", 404, "Not found"),
            Code::MethodNotAllowed => ("method_not_allowed", 405, "The path does not take this method"),
            Code::NotAcceptable => ("not_acceptable", 406, "The answer has none of the forms accepted"),
            Code::SecretRefused => ("secret_refused", 422, "Secrets are not stored"),
            Code::Unprocessable => ("unprocessable", 422, "The request cannot be carried out"),
            Code::MemoryPrecondition => (
                "memory_precondition_failed_error",
                409,
                "The memory has changed in between",
            ),
            Code::MemoryPathConflict => (
                "memory_path_conflict_error",
                409,
                "There is a memory at that path",
            ),
            Code::QuotaExceeded => ("quota_exceeded", 413, "The user's storage quota is used up"),
            Code::Duplicate => ("duplicate", 409, "That is known already"),
            Code::Stale => ("stale", 412, "It has changed in between"),
            Code::IdempotencyKeyReused => (
                "idempotency_key_reused",
                422,
                "The Idempotency-Key was used before",
            ),
            Code::ImportRunning => ("import_running", 409, "Another import is running"),
            Code::RateLimited => ("rate_limited", 429, "Too many requests"),
            Code::Busy => ("busy", 503, "The server is busy"),
            Code::Timeout => ("timeout", 408, "The request took too long"),
            Code::Overdue => ("overdue", 503, "The answer took too long"),
            Code::OutcomeUnknown => ("outcome_unknown", 504, "The outcome is not known yet"),
            Code::StorageFull => ("storage_full", 507, "There is no room left"),
            Code::StorageUnavailable => ("storage_unavailable", 503, "Storage cannot be reached"),
            Code::StorageDamaged => ("storage_damaged", 500, "Stored data is damaged"),
            Code::NoModel => ("no_model", 503, "No chat model is configured"),
            Code::ModelUnavailable => ("model_unavailable", 503, "The model cannot be reached"),
            Code::ModelFailed => ("model_failed", 502, "The model failed"),
            Code::Internal => ("internal", 500, "The server failed"),
        }
    }
}

/// An error as a client reads it (RFC 9457).
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Problem {
    /// A name for this kind of problem.
    #[schema(example = "urn:recalld:problem:invalid_request")]
    r#type: String,
    title: &'static str,
    #[schema(example = 400)]
    status: u16,
    /// What is wrong this time.
    detail: Cow<'static, str>,
    /// The stable word for a program.
    #[schema(example = "invalid_request")]
    code: &'static str,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<Cow<'static, str>>,
    /// Where in the request it is wrong.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<FieldProblem>,
}

/// One place in a request that is wrong.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct FieldProblem {
    /// A JSON pointer into the body.
    pub(crate) pointer: String,
    pub(crate) detail: String,
}

/// The error of a handler.
#[derive(Clone, Debug)]
pub(crate) struct ApiError {
    code: Code,
    detail: Cow<'static, str>,
    hint: Option<Cow<'static, str>>,
    errors: Vec<FieldProblem>,
    retry_after_s: Option<u64>,
}

impl ApiError {
    pub(crate) fn new(code: Code, detail: impl Into<Cow<'static, str>>) -> ApiError {
        ApiError {
            code,
            detail: detail.into(),
            hint: None,
            errors: Vec::new(),
            retry_after_s: None,
        }
    }

    /// Says what is wrong.
    pub(crate) fn detail(&self) -> &str {
        &self.detail
    }

    pub(crate) fn hint(self, hint: impl Into<Cow<'static, str>>) -> ApiError {
        ApiError {
            hint: Some(hint.into()),
            ..self
        }
    }

    pub(crate) fn at(mut self, pointer: impl Into<String>, detail: impl Into<String>) -> ApiError {
        self.errors.push(FieldProblem {
            pointer: pointer.into(),
            detail: detail.into(),
        });
        self
    }

    pub(crate) fn retry_after(self, seconds: u64) -> ApiError {
        ApiError {
            retry_after_s: Some(seconds),
            ..self
        }
    }

    /// Gives the status, the word and what is wrong, for doors with error bodies of their own.
    pub(crate) fn told(&self) -> (u16, &'static str, String, Option<u64>) {
        let (word, status, _) = self.code.row();
        let hint = self
            .hint
            .as_ref()
            .map(|hint| format!(" ({hint})"))
            .unwrap_or_default();
        (status, word, format!("{}{hint}", self.detail), self.retry_after_s)
    }

    /// Gives the status.
    pub(crate) fn status(&self) -> u16 {
        self.code.row().1
    }

    /// A field of the body that is not acceptable.
    pub(crate) fn field(pointer: impl Into<String>, reason: &dyn std::fmt::Display) -> ApiError {
        ApiError::new(Code::InvalidRequest, reason.to_string()).at(pointer, reason.to_string())
    }

    /// Something that does not exist, or not for this caller: the two are not told apart.
    pub(crate) fn not_found(what: &str) -> ApiError {
        ApiError::new(Code::NotFound, format!("there is no such {what}"))
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let (code, number, title) = self.code.row();
        let status = StatusCode::from_u16(number).expect("the table holds statuses");
        let problem = Problem {
            r#type: format!("urn:recalld:problem:{code}"),
            title,
            status: number,
            detail: self.detail,
            code,
            hint: self.hint,
            errors: self.errors,
        };
        let body = serde_json::to_vec(&problem).expect("a problem is plain data");
        let mut response = (status, body).into_response();
        let headers = response.headers_mut();
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/problem+json"),
        );
        if let Some(seconds) = self.retry_after_s {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(
                header::WWW_AUTHENTICATE,
                HeaderValue::from_static("Bearer realm=\"recalld\""),
            );
        }
        response
    }
}

impl From<FieldError> for ApiError {
    fn from(error: FieldError) -> ApiError {
        ApiError::field(error.pointer, &error.reason)
    }
}

impl From<SpaceError> for ApiError {
    fn from(error: SpaceError) -> ApiError {
        match error {
            SpaceError::Store(error) => (&*error).into(),
            SpaceError::OverQuota(_) => ApiError::new(Code::QuotaExceeded, error.to_string())
                .hint("erase what is not needed, or ask the administrator for more room"),
            SpaceError::Contended => ApiError::new(Code::Busy, error.to_string()).retry_after(1),
            SpaceError::Stopping => ApiError::new(Code::Busy, error.to_string()).retry_after(5),
        }
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> ApiError {
        (&error).into()
    }
}

impl From<&StoreError> for ApiError {
    fn from(error: &StoreError) -> ApiError {
        // What the store says may name files and tables: it goes to the log, not to the client.
        tracing::error!(error = %error, "storage failed");
        match error {
            StoreError::Conflict { .. } => {
                ApiError::new(Code::Busy, "others are writing to the same space").retry_after(1)
            }
            StoreError::Full(_) => ApiError::new(Code::StorageFull, "nothing was changed"),
            StoreError::Unavailable { .. } => {
                ApiError::new(Code::StorageUnavailable, "nothing is known to have changed").retry_after(2)
            }
            StoreError::Damaged { .. } | StoreError::Corrupt { .. } => {
                ApiError::new(Code::StorageDamaged, "what was asked for cannot be read")
                    .hint("the operator finds the damage with `recalld doctor`")
            }
            StoreError::Failed(_) => ApiError::new(Code::Internal, "storage failed"),
        }
    }
}

/// Answers for a path that is not there.
pub(crate) async fn no_route() -> ApiError {
    ApiError::new(Code::NotFound, "there is nothing at this path").hint("see /docs for the routes")
}

/// Answers for a path that takes other methods.
pub(crate) async fn no_method() -> ApiError {
    ApiError::new(Code::MethodNotAllowed, "this path takes other methods").hint("see /docs for the routes")
}
