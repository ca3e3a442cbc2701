//! The key set that an issuer publishes: kept for a while, and read again when it is old or lacks a
//! key. Whatever tokens people send, the issuer is asked rarely, and by one request at a time.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, JwkSet, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey};
use serde::Deserialize;
use serde_json::Value;
use tokio::time::Instant;

use super::{KeySetSource, TokenAlgorithm, TokenError};

/// A key set is read again after this time, so that a withdrawn key is not trusted for long.
const TRUSTED: Duration = Duration::from_secs(300);

/// While the issuer cannot be reached, its last key set is trusted for this time.
const TRUSTED_MAX: Duration = Duration::from_secs(3_600);

/// How long it takes at least from one attempt to read it to the next.
const PAUSE: Duration = Duration::from_secs(10);

/// What is known of the issuer's keys.
#[derive(Debug, Default)]
pub(super) struct Published {
    known: Mutex<Known>,
    /// Held by whoever reads the set, while others wait for what it finds.
    reading: tokio::sync::Mutex<()>,
}

#[derive(Clone, Debug, Default)]
struct Known {
    set: Option<(Arc<JwkSet>, Instant)>,
    tried: Option<Instant>,
}

impl Known {
    /// Finds the key in a set that is not older than `age`.
    fn find(&self, id: Option<&str>, age: Duration) -> Option<Jwk> {
        let (set, read) = self.set.as_ref()?;
        (read.elapsed() < age).then(|| find(set, id)).flatten()
    }

    fn may_ask(&self) -> bool {
        self.tried.is_none_or(|tried| PAUSE <= tried.elapsed())
    }
}

impl Published {
    /// Finds the issuer's key by its id. The id is compared with those in the set and used for
    /// nothing else.
    pub(super) async fn key(&self, source: &dyn KeySetSource, id: Option<&str>) -> Result<Jwk, TokenError> {
        if let Some(key) = self.known().find(id, TRUSTED) {
            return Ok(key);
        }
        let _turn = match self.reading.try_lock() {
            Ok(turn) => turn,
            Err(_) => match self.known().find(id, TRUSTED_MAX) {
                // One request waits for the issuer; the others go by what is known.
                Some(key) => return Ok(key),
                None => self.reading.lock().await,
            },
        };
        if let Some(key) = self.known().find(id, TRUSTED) {
            return Ok(key);
        }
        if self.known().may_ask() {
            self.read(source).await;
        }
        let known = self.known();
        if let Some(key) = known.find(id, TRUSTED_MAX) {
            return Ok(key);
        }
        let is_usable = known.set.is_some_and(|(_, read)| read.elapsed() < TRUSTED_MAX);
        match is_usable {
            true => Err(TokenError::Refused),
            false => Err(TokenError::KeysUnavailable),
        }
    }

    async fn read(&self, source: &dyn KeySetSource) {
        self.change(|known| known.tried = Some(Instant::now()));
        let body = source.fetch().await;
        let set = body.and_then(|body| key_set(&body).map_err(|error| error.to_string()));
        match set {
            Ok(set) => self.change(|known| known.set = Some((Arc::new(set), Instant::now()))),
            Err(problem) => tracing::warn!(problem, "the issuer's key set cannot be read"),
        }
    }

    fn known(&self) -> Known {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn change(&self, change: impl FnOnce(&mut Known)) {
        change(&mut self.known.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// Reads a key set. Keys of kinds that are not known do not spoil the others.
fn key_set(body: &[u8]) -> Result<JwkSet, serde_json::Error> {
    #[derive(Deserialize)]
    struct Document {
        keys: Vec<Value>,
    }
    let document: Document = serde_json::from_slice(body)?;
    let keys = document.keys.into_iter();
    Ok(JwkSet {
        keys: keys.filter_map(|key| serde_json::from_value(key).ok()).collect(),
    })
}

/// Finds the key with that id; without an id, the only key there is.
fn find(set: &JwkSet, id: Option<&str>) -> Option<Jwk> {
    match (id, set.keys.as_slice()) {
        (Some(id), _) => set.find(id).cloned(),
        (None, [only]) => Some(only.clone()),
        (None, _) => None,
    }
}

/// Public keys for signatures only: a symmetric key in a published set would let anybody sign.
pub(super) fn usable(jwk: &Jwk, allowed: &[TokenAlgorithm]) -> Result<(DecodingKey, Algorithm), TokenError> {
    let (name, algorithm) = match &jwk.algorithm {
        AlgorithmParameters::RSA(_) => (TokenAlgorithm::Rs256, Algorithm::RS256),
        AlgorithmParameters::EllipticCurve(curve) if curve.curve == EllipticCurve::P256 => {
            (TokenAlgorithm::Es256, Algorithm::ES256)
        }
        _ => return Err(TokenError::Refused),
    };
    let said = jwk.common.key_algorithm.map(|said| said.to_string());
    let is_meant = said.is_none_or(|said| said == name.as_str())
        && matches!(jwk.common.public_key_use, None | Some(PublicKeyUse::Signature));
    if !is_meant || !allowed.contains(&name) {
        return Err(TokenError::Refused);
    }
    let key = DecodingKey::from_jwk(jwk).map_err(|_| TokenError::Refused)?;
    Ok((key, algorithm))
}

#[cfg(test)]
mod tests {
    use super::super::{TokenCheck, TokenKeys, TokenRules};
    use super::*;

    /// An issuer that publishes what it is told to, and counts how often it is asked.
    #[derive(Debug, Default)]
    struct Issuer {
        publishes: Mutex<Option<Value>>,
        asked: Mutex<usize>,
    }

    #[async_trait::async_trait]
    impl KeySetSource for Issuer {
        async fn fetch(&self) -> Result<Vec<u8>, String> {
            *self.asked.lock().unwrap() += 1;
            tokio::task::yield_now().await;
            let published = self.publishes.lock().unwrap().clone();
            published
                .map(|set| set.to_string().into_bytes())
                .ok_or_else(|| "unreachable".to_owned())
        }
    }

    impl Issuer {
        fn publish(&self, set: Option<&str>) {
            *self.publishes.lock().unwrap() = set.map(|name| fixtures()["sets"][name].clone());
        }

        fn asked(&self) -> usize {
            *self.asked.lock().unwrap()
        }
    }

    fn fixtures() -> Value {
        serde_json::from_str(include_str!("../../../tests/issuer/tokens.json")).unwrap()
    }

    fn token(name: &str) -> String {
        fixtures()["tokens"][name].as_str().unwrap().to_owned()
    }

    fn opened(set: Option<&str>, algorithms: &[TokenAlgorithm]) -> (Arc<Issuer>, Arc<TokenCheck>) {
        let issuer = Arc::new(Issuer::default());
        issuer.publish(set);
        let keys = TokenKeys::Published {
            source: Arc::clone(&issuer) as Arc<dyn KeySetSource>,
            algorithms: algorithms.to_vec(),
        };
        let check = TokenCheck::new(TokenRules {
            keys,
            issuer: Some("https://issuer.example".to_owned()),
            audience: Some("recalld".to_owned()),
        });
        (issuer, Arc::new(check))
    }

    async fn told(check: &TokenCheck, name: &str) -> Result<String, TokenError> {
        check.user(&token(name)).await.map(|user| user.to_string())
    }

    const ALL: &[TokenAlgorithm] = &TokenAlgorithm::ALL;

    #[tokio::test(start_paused = true)]
    async fn tokens_of_published_keys_are_accepted() {
        let (issuer, check) = opened(Some("first"), ALL);
        for name in ["rs256", "es256", "rs256"] {
            assert_eq!(told(&check, name).await, Ok("ana".to_owned()), "{name}");
        }
        assert_eq!(issuer.asked(), 1);
        let (_, only_es256) = opened(Some("first"), &[TokenAlgorithm::Es256]);
        assert_eq!(told(&only_es256, "rs256").await, Err(TokenError::Refused));
        assert_eq!(told(&only_es256, "es256").await, Ok("ana".to_owned()));
    }

    #[tokio::test(start_paused = true)]
    async fn no_token_chooses_its_key_or_algorithm() {
        let (issuer, check) = opened(Some("first"), ALL);
        for name in [
            "unknown_kid",
            "path_kid",
            "url_kid",
            "no_kid",
            "other_key",
            "rs512",
            "signed_with_public_key",
            "signed_with_published_secret",
        ] {
            assert_eq!(told(&check, name).await, Err(TokenError::Refused), "{name}");
        }
        assert_eq!(told(&check, "wrong_audience").await, Err(TokenError::Elsewhere));
        assert_eq!(told(&check, "expired").await, Err(TokenError::Expired));
        assert_eq!(issuer.asked(), 1, "unknown ids do not make us ask each time");
    }

    #[tokio::test(start_paused = true)]
    async fn a_rotated_set_is_read_again() {
        let (issuer, check) = opened(Some("first"), ALL);
        assert!(told(&check, "rs256").await.is_ok());
        issuer.publish(Some("rotated"));
        tokio::time::advance(PAUSE).await;
        assert!(told(&check, "rotated").await.is_ok(), "a new key is found");
        assert_eq!(
            told(&check, "rs256").await,
            Err(TokenError::Refused),
            "a withdrawn one is not"
        );
        assert_eq!(issuer.asked(), 2);
        issuer.publish(Some("first"));
        tokio::time::advance(TRUSTED).await;
        assert!(told(&check, "es256").await.is_ok());
        assert_eq!(
            issuer.asked(),
            3,
            "an old set is read again though it has the key"
        );
    }

    #[tokio::test(start_paused = true)]
    async fn an_issuer_out_of_reach_is_asked_rarely_and_trusted_for_a_while() {
        let (issuer, check) = opened(None, ALL);
        let many = (0..50).map(|_| {
            let check = Arc::clone(&check);
            tokio::spawn(async move { told(&check, "rs256").await })
        });
        for asked in many.collect::<Vec<_>>() {
            assert_eq!(asked.await.unwrap(), Err(TokenError::KeysUnavailable));
        }
        assert_eq!(issuer.asked(), 1);
        issuer.publish(Some("first"));
        tokio::time::advance(PAUSE).await;
        assert!(told(&check, "rs256").await.is_ok());
        issuer.publish(None);
        tokio::time::advance(TRUSTED).await;
        assert!(told(&check, "rs256").await.is_ok(), "the last set stands in");
        assert_eq!(told(&check, "rotated").await, Err(TokenError::Refused));
        assert_eq!(issuer.asked(), 3);
        tokio::time::advance(TRUSTED_MAX).await;
        assert_eq!(told(&check, "rs256").await, Err(TokenError::KeysUnavailable));
    }

    #[test]
    fn a_key_of_another_time_does_not_spoil_the_set() {
        let mut set = fixtures()["sets"]["rotated"].clone();
        set["keys"][0] = serde_json::json!({"kty": "lattice", "kid": "new-1", "basis": [1, 2]});
        let set = key_set(set.to_string().as_bytes()).unwrap();
        let found = find(&set, Some("ec-1")).map(|key| usable(&key, ALL).is_ok());
        assert_eq!(found, Some(true));
    }

    #[tokio::test(start_paused = true)]
    async fn what_is_no_key_set_is_none() {
        let (issuer, check) = opened(None, ALL);
        *issuer.publishes.lock().unwrap() = Some(serde_json::json!({"keys": "none"}));
        assert_eq!(told(&check, "rs256").await, Err(TokenError::KeysUnavailable));
    }
}
