//! Turns the headers of a request into a [`Caller`].

use std::sync::Arc;

use axum::http::{HeaderMap, HeaderName, header};
use jiff::Timestamp;
use recalld_memory::id::{ConversationId, MessageId, UserId};
use recalld_memory::memory::Project;
use recalld_memory::ports::{Clock, Keyring};

use super::caller::Caller;
use super::identity::{Identity, Role};
use super::key_cache::{Checked, KeyCache, KeyCheck};
use super::keys;
use super::token::{TokenCheck, TokenError, TokenRules};
use crate::error::{ApiError, Code};
use crate::replaceable::Replaceable;

/// What every refresh token begins with. It is no key, and opens nothing by itself.
pub(crate) const REFRESH_PREFIX: &str = "rr_";

/// The header in which a service names the user it acts for.
const USER: HeaderName = HeaderName::from_static("recalld-user");
const CONVERSATION: HeaderName = HeaderName::from_static("recalld-conversation");
const MESSAGE: HeaderName = HeaderName::from_static("recalld-message");
/// The header that names the project in which the request happens.
const PROJECT: HeaderName = HeaderName::from_static("recalld-project");
const API_KEY: HeaderName = HeaderName::from_static("x-api-key");

/// Checks keys and tokens.
#[derive(Clone, Debug)]
pub(crate) struct Authenticator {
    keys: Arc<KeyCache>,
    /// None: only keys are accepted.
    tokens: Arc<Replaceable<Option<TokenCheck>>>,
    clock: Arc<dyn Clock>,
}

/// Whether a route serves a caller whose key was valid before the store became unavailable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unproven {
    Accepted,
    Refused,
}

impl From<TokenError> for ApiError {
    fn from(error: TokenError) -> ApiError {
        match error {
            TokenError::KeysUnavailable => ApiError::new(Code::Busy, error.to_string()).retry_after(5),
            _ => ApiError::new(Code::Unauthenticated, error.to_string()),
        }
    }
}

impl Authenticator {
    /// Accepts keys of `keyring`.
    pub(crate) fn new(keyring: Arc<dyn Keyring>, clock: Arc<dyn Clock>) -> Authenticator {
        Authenticator {
            keys: Arc::new(KeyCache::new(keyring)),
            tokens: Arc::new(Replaceable::new(None)),
            clock,
        }
    }

    /// Accepts tokens besides keys.
    pub(crate) fn with_tokens(self, rules: TokenRules) -> Authenticator {
        self.set_tokens(Some(rules));
        self
    }

    /// Accepts tokens by other rules, or none, from now on.
    pub(crate) fn set_tokens(&self, rules: Option<TokenRules>) {
        self.tokens.replace(rules.map(TokenCheck::new));
    }

    /// Empties the cache of keys, after a key was revoked.
    pub(crate) fn forget_keys(&self) {
        self.keys.forget();
    }

    /// Finds out who sent a request with these headers. A caller who cannot be checked now is
    /// refused, unless the route needs nothing that is stored.
    pub(crate) async fn authenticate(
        &self,
        headers: &HeaderMap,
        unproven: Unproven,
    ) -> Result<Caller, ApiError> {
        let caller = self.identify(headers).await?;
        match (caller.proven, unproven) {
            (true, _) | (false, Unproven::Accepted) => Ok(caller),
            (false, Unproven::Refused) => {
                let detail = "keys cannot be checked at the moment";
                Err(ApiError::new(Code::StorageUnavailable, detail).retry_after(2))
            }
        }
    }

    async fn identify(&self, headers: &HeaderMap) -> Result<Caller, ApiError> {
        let presented = presented(headers)?;
        let now = self.clock.now();
        let given = header(headers, &USER)?;
        let named = given
            .map(UserId::named)
            .transpose()
            .map_err(|error| bad_header(&USER, &error))?;
        let Checked { identity, proven } = self.prove(presented, now).await?;
        if let (Role::User(own), Some(named)) = (&identity.role, &named)
            && own != named
            && given != Some(own.as_str())
        {
            let detail = "a user's key or token acts for that user alone";
            return Err(
                ApiError::new(Code::Forbidden, detail).hint("leave out Recalld-User, or use a service key")
            );
        }
        let conversation = header(headers, &CONVERSATION)?
            .map(ConversationId::new)
            .transpose();
        let project = header(headers, &PROJECT)?.map(Project::new).transpose();
        let project = project.map_err(|error| bad_header(&PROJECT, &error))?;
        let message = header(headers, &MESSAGE)?.map(MessageId::new).transpose();
        Ok(Caller {
            named,
            conversation: conversation.map_err(|error| bad_header(&CONVERSATION, &error))?,
            message: message.map_err(|error| bad_header(&MESSAGE, &error))?,
            project: identity.project(project)?,
            identity,
            now,
            proven,
            once: None,
            receipt: None,
        })
    }

    async fn prove(&self, presented: &str, now: Timestamp) -> Result<Checked, ApiError> {
        let is_token = !presented.starts_with("rk_") && presented.matches('.').count() == 2;
        if let Some(tokens) = self.tokens.get().as_ref().as_ref().filter(|_| is_token) {
            let user = tokens.user(presented).await?;
            return Ok(Checked {
                identity: Arc::new(Identity::of_token(user)),
                proven: true,
            });
        }
        let refused = |detail: &'static str| Err(ApiError::new(Code::Unauthenticated, detail));
        if presented.starts_with(REFRESH_PREFIX) {
            return refused("a refresh token is no key: exchange it at /oauth/token");
        }
        if keys::is_mistyped(presented) {
            return refused("the key is mistyped or incomplete: its checksum does not fit");
        }
        match self.keys.check(presented, now).await? {
            KeyCheck::Accepted(checked) => Ok(checked),
            KeyCheck::Expired => refused("the key has expired"),
            KeyCheck::Unknown => refused("the key is not valid"),
        }
    }
}

/// Finds the key: `Authorization: Bearer …`, or `X-API-Key` as many clients send it.
pub(crate) fn presented(headers: &HeaderMap) -> Result<&str, ApiError> {
    let missing = || {
        ApiError::new(Code::Unauthenticated, "the request carries no key")
            .hint("send Authorization: Bearer <key>")
    };
    if let Some(value) = headers.get(header::AUTHORIZATION) {
        let value = value.to_str().map_err(|_| missing())?;
        let (scheme, key) = value.split_once(' ').ok_or_else(missing)?;
        // `Token` is what clients of mem0 say.
        let known = ["bearer", "token"];
        return match known.iter().any(|known| scheme.eq_ignore_ascii_case(known)) {
            true => Ok(key.trim()),
            false => Err(missing()),
        };
    }
    headers
        .get(&API_KEY)
        .and_then(|key| key.to_str().ok())
        .ok_or_else(missing)
}

/// Reads a header that may hold any text. A header that is given twice is ambiguous and refused.
fn header<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Result<Option<&'h str>, ApiError> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => {
            let text =
                std::str::from_utf8(value.as_bytes()).map_err(|_| bad_header(name, &"it is not UTF-8"))?;
            Ok(Some(text.trim()))
        }
        (Some(_), Some(_)) => Err(bad_header(name, &"it is given twice")),
    }
}

fn bad_header(name: &HeaderName, reason: &dyn std::fmt::Display) -> ApiError {
    ApiError::new(Code::InvalidRequest, format!("header {name}: {reason}"))
}
