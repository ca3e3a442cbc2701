//! JSON Web Tokens of an issuer that the deployment trusts.

mod published;

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use recalld_memory::id::UserId;
use serde::Deserialize;
use thiserror::Error;

use published::Published;

/// Where an issuer's key set comes from.
#[async_trait]
pub trait KeySetSource: fmt::Debug + Send + Sync {
    /// Fetches the key set (a JWKS document).
    async fn fetch(&self) -> Result<Vec<u8>, String>;
}

/// Which tokens are accepted. The algorithm follows from this, never from the token.
#[derive(Clone)]
pub struct TokenRules {
    pub keys: TokenKeys,
    /// `iss` must be this.
    pub issuer: Option<String>,
    /// `aud` must name this.
    pub audience: Option<String>,
}

/// With what tokens are signed.
#[derive(Clone)]
pub enum TokenKeys {
    /// A shared secret (HS256).
    Secret(Vec<u8>),
    /// The issuer's published key set.
    Published {
        source: Arc<dyn KeySetSource>,
        /// Keys of other algorithms are not used.
        algorithms: Vec<TokenAlgorithm>,
    },
}

/// How tokens of a published key set are signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenAlgorithm {
    Rs256,
    Es256,
}

impl TokenAlgorithm {
    /// All that can be used.
    pub const ALL: [TokenAlgorithm; 2] = [TokenAlgorithm::Rs256, TokenAlgorithm::Es256];

    /// Gives its name, as tokens and key sets write it.
    pub fn as_str(self) -> &'static str {
        match self {
            TokenAlgorithm::Rs256 => "RS256",
            TokenAlgorithm::Es256 => "ES256",
        }
    }
}

impl fmt::Debug for TokenRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The secret stays out of logs.
        f.debug_struct("TokenRules")
            .field("issuer", &self.issuer)
            .field("audience", &self.audience)
            .finish_non_exhaustive()
    }
}

/// Why a token is refused. It says what the holder of an honest token must mend, and no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum TokenError {
    #[error("the token has expired")]
    Expired,
    #[error("the token is not valid yet")]
    TooEarly,
    #[error("the token is not meant for this server")]
    Elsewhere,
    #[error("the token lacks a claim that is required")]
    Lacking,
    #[error("the token is not accepted")]
    Refused,
    #[error("the issuer's keys cannot be read now")]
    KeysUnavailable,
}

/// Checks tokens.
#[derive(Debug)]
pub(crate) struct TokenCheck {
    rules: TokenRules,
    published: Published,
}

#[derive(Debug, Deserialize)]
struct Claims {
    sub: String,
}

/// Clocks may differ by this much.
const LEEWAY_S: u64 = 30;

/// A token is longer than this only to hurt.
const TOKEN_BYTES_MAX: usize = 16 * 1024;

impl TokenCheck {
    pub(crate) fn new(rules: TokenRules) -> TokenCheck {
        TokenCheck {
            rules,
            published: Published::default(),
        }
    }

    /// Finds the user that `token` proves.
    pub(crate) async fn user(&self, token: &str) -> Result<UserId, TokenError> {
        if TOKEN_BYTES_MAX < token.len() {
            return Err(TokenError::Refused);
        }
        let head = decode_header(token).map_err(|_| TokenError::Refused)?;
        // `crit` lists extensions that the reader must understand, and this one knows none
        // (RFC 7515, 4.1.11).
        if head.crit.is_some() {
            return Err(TokenError::Refused);
        }
        let (key, algorithm) = match &self.rules.keys {
            TokenKeys::Secret(secret) => (DecodingKey::from_secret(secret), Algorithm::HS256),
            TokenKeys::Published { source, algorithms } => {
                let key = self.published.key(&**source, head.kid.as_deref()).await?;
                published::usable(&key, algorithms)?
            }
        };
        // The token's own word on its algorithm is compared, never followed.
        if head.alg != algorithm {
            return Err(TokenError::Refused);
        }
        let claims = decode::<Claims>(token, &key, &self.validation(algorithm))
            .map_err(|e| refusal(e.kind()))?
            .claims;
        UserId::new(claims.sub).map_err(|_| TokenError::Refused)
    }

    fn validation(&self, algorithm: Algorithm) -> Validation {
        let mut validation = Validation::new(algorithm);
        let mut required = vec!["exp", "sub"];
        validation.leeway = LEEWAY_S;
        validation.validate_nbf = true;
        match &self.rules.audience {
            Some(audience) => {
                validation.set_audience(&[audience]);
                required.push("aud");
            }
            None => validation.validate_aud = false,
        }
        if let Some(issuer) = &self.rules.issuer {
            validation.set_issuer(&[issuer]);
            required.push("iss");
        }
        validation.set_required_spec_claims(&required);
        validation
    }
}

fn refusal(kind: &ErrorKind) -> TokenError {
    match kind {
        ErrorKind::ExpiredSignature => TokenError::Expired,
        ErrorKind::ImmatureSignature => TokenError::TooEarly,
        ErrorKind::InvalidAudience | ErrorKind::InvalidIssuer => TokenError::Elsewhere,
        ErrorKind::MissingRequiredClaim(_) => TokenError::Lacking,
        _ => TokenError::Refused,
    }
}

#[cfg(test)]
mod tests {
    use jsonwebtoken::{EncodingKey, Header, encode};
    use serde_json::{Value, json};

    use super::*;

    const SECRET: &[u8] = b"a secret of some length, for tests";

    fn check() -> TokenCheck {
        TokenCheck::new(TokenRules {
            keys: TokenKeys::Secret(SECRET.to_vec()),
            issuer: Some("https://issuer.example".to_owned()),
            audience: Some("recalld".to_owned()),
        })
    }

    fn claims() -> Value {
        json!({ "sub": "ana", "exp": 4_000_000_000_u64, "iss": "https://issuer.example", "aud": "recalld" })
    }

    async fn told(claims: Value) -> Result<String, TokenError> {
        let token = encode(&Header::default(), &claims, &EncodingKey::from_secret(SECRET)).unwrap();
        check().user(&token).await.map(|user| user.to_string())
    }

    fn with(name: &str, value: Value) -> Value {
        let mut claims = claims();
        claims[name] = value;
        claims
    }

    #[tokio::test]
    async fn an_honest_token_names_its_user() {
        assert_eq!(told(claims()).await, Ok("ana".to_owned()));
    }

    #[tokio::test]
    async fn what_does_not_fit_is_refused() {
        assert_eq!(told(with("exp", json!(1))).await, Err(TokenError::Expired));
        assert_eq!(
            told(with("nbf", json!(4_000_000_000_u64))).await,
            Err(TokenError::TooEarly)
        );
        assert_eq!(
            told(with("aud", json!("other"))).await,
            Err(TokenError::Elsewhere)
        );
        assert_eq!(
            told(with("iss", json!("other"))).await,
            Err(TokenError::Elsewhere)
        );
        assert_eq!(
            told(with("sub", json!("a\u{0}b"))).await,
            Err(TokenError::Refused)
        );
        for name in ["exp", "sub", "iss", "aud"] {
            let mut claims = claims();
            claims.as_object_mut().unwrap().remove(name);
            assert!(told(claims).await.is_err(), "{name} is required");
        }
    }

    #[tokio::test]
    async fn a_token_with_critical_extensions_is_refused() {
        let demanding = Header {
            crit: Some(vec!["exp-policy".to_owned()]),
            ..Header::default()
        };
        let token = encode(&demanding, &claims(), &EncodingKey::from_secret(SECRET)).unwrap();
        assert_eq!(check().user(&token).await, Err(TokenError::Refused));
    }

    #[tokio::test]
    async fn a_token_cannot_choose_its_algorithm_or_key() {
        let none = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbmEiLCJleHAiOjQwMDAwMDAwMDB9.";
        let other = Header {
            kid: Some("../../etc/passwd".to_owned()),
            ..Header::new(Algorithm::HS384)
        };
        let other = encode(&other, &claims(), &EncodingKey::from_secret(SECRET)).unwrap();
        let wrong = encode(
            &Header::default(),
            &claims(),
            &EncodingKey::from_secret(b"guessed"),
        )
        .unwrap();
        for token in [none, &other, &wrong, "", "a.b.c", &"x".repeat(100_000)] {
            assert_eq!(check().user(token).await, Err(TokenError::Refused));
        }
    }
}
