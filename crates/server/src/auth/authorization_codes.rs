//! Authorization codes: good once, for a minute, for the client that asked.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use data_encoding::{BASE64URL_NOPAD, HEXLOWER};
use recalld_memory::id::{Namespace, UserId};
use recalld_memory::ports::KeyScopes;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use tokio::time::Instant;

use super::keys::random_bytes;

/// A code is good for this long.
const LIFETIME: Duration = Duration::from_secs(60);

/// A used code is remembered for this long, so that its second use is noticed.
const REMEMBERED: Duration = Duration::from_secs(10 * 60);

/// More codes than this are not held: the oldest goes.
const CODES_MAX: usize = 1_000;

/// What a user has granted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Granted {
    pub(crate) user: UserId,
    pub(crate) namespace: Option<Namespace>,
    pub(crate) scopes: KeyScopes,
    pub(crate) client_id: String,
    pub(crate) redirect_uri: String,
    /// The digest of the verifier that the client keeps to itself.
    pub(crate) challenge: String,
}

/// What became of a code.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Redeemed {
    /// It was good.
    Good(Box<Granted>),
    /// It was used before: somebody else has seen it. What it gave is to be taken back.
    Replayed {
        grant: String,
    },
    Unknown,
}

/// The codes that this process has given out.
#[derive(Debug, Default)]
pub(crate) struct AuthorizationCodes(Mutex<HashMap<[u8; 32], Code>>);

#[derive(Debug)]
struct Code {
    granted: Granted,
    issued: Instant,
    /// The grant that it gave, once it was used.
    used_for: Option<String>,
}

/// What a client presents with a code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Presented<'a> {
    pub(crate) code: &'a str,
    pub(crate) client_id: &'a str,
    pub(crate) redirect_uri: &'a str,
    pub(crate) verifier: &'a str,
}

impl AuthorizationCodes {
    /// Makes a code for what a user has granted.
    pub(crate) fn issue(&self, granted: Granted) -> String {
        let code = HEXLOWER.encode(&random_bytes::<32>());
        let mut codes = self.codes();
        codes.retain(|_, known| known.issued.elapsed() < REMEMBERED);
        if CODES_MAX <= codes.len()
            && let Some(oldest) = codes
                .iter()
                .min_by_key(|(_, known)| known.issued)
                .map(|(id, _)| *id)
        {
            codes.remove(&oldest);
        }
        let known = Code {
            granted,
            issued: Instant::now(),
            used_for: None,
        };
        codes.insert(digest(&code), known);
        code
    }

    /// Takes a code, to give the grant of that name. A code that is presented wrongly is spent too:
    /// whoever has it is not the client.
    pub(crate) fn redeem(&self, presented: Presented<'_>, grant: &str) -> Redeemed {
        let mut codes = self.codes();
        let Some(known) = codes.get_mut(&digest(presented.code)) else {
            return Redeemed::Unknown;
        };
        if let Some(grant) = known.used_for.clone() {
            return Redeemed::Replayed { grant };
        }
        known.used_for = Some(grant.to_owned());
        let granted = &known.granted;
        let is_good = known.issued.elapsed() < LIFETIME
            && granted.client_id == presented.client_id
            && granted.redirect_uri == presented.redirect_uri
            && is_verified(&granted.challenge, presented.verifier);
        match is_good {
            true => Redeemed::Good(Box::new(granted.clone())),
            false => Redeemed::Unknown,
        }
    }

    fn codes(&self) -> MutexGuard<'_, HashMap<[u8; 32], Code>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn digest(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}

/// Tells whether a challenge can be the digest of a verifier (RFC 7636, 4.2).
pub(crate) fn is_challenge(challenge: &str) -> bool {
    let decoded = BASE64URL_NOPAD.decode(challenge.as_bytes());
    decoded.is_ok_and(|digest| digest.len() == 32)
}

/// Tells whether `verifier` is what `challenge` was made of (RFC 7636, 4.6).
fn is_verified(challenge: &str, verifier: &str) -> bool {
    let is_verifier = (43..=128).contains(&verifier.len())
        && verifier
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte));
    let made = BASE64URL_NOPAD.encode(&digest(verifier));
    is_verifier && bool::from(made.as_bytes().ct_eq(challenge.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of RFC 7636, appendix B.
    const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

    fn granted() -> Granted {
        Granted {
            user: UserId::new("ana").unwrap(),
            namespace: None,
            scopes: KeyScopes::default(),
            client_id: "rc_1".to_owned(),
            redirect_uri: "http://localhost:1/cb".to_owned(),
            challenge: CHALLENGE.to_owned(),
        }
    }

    fn presented(code: &str) -> Presented<'_> {
        Presented {
            code,
            client_id: "rc_1",
            redirect_uri: "http://localhost:1/cb",
            verifier: VERIFIER,
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_code_is_good_once_for_a_minute_and_for_its_client() {
        let codes = AuthorizationCodes::default();
        let code = codes.issue(granted());
        assert_eq!(
            codes.redeem(presented(&code), "g1"),
            Redeemed::Good(Box::new(granted()))
        );
        let grant = "g1".to_owned();
        assert_eq!(codes.redeem(presented(&code), "g2"), Redeemed::Replayed { grant });
        assert_eq!(codes.redeem(presented("guessed"), "g3"), Redeemed::Unknown);
        let late = codes.issue(granted());
        tokio::time::advance(LIFETIME).await;
        assert_eq!(codes.redeem(presented(&late), "g4"), Redeemed::Unknown);
        for wrong in [
            Presented {
                client_id: "rc_2",
                ..presented("")
            },
            Presented {
                redirect_uri: "http://localhost:2/cb",
                ..presented("")
            },
            Presented {
                verifier: "",
                ..presented("")
            },
            Presented {
                verifier: CHALLENGE,
                ..presented("")
            },
        ] {
            let code = codes.issue(granted());
            assert_eq!(
                codes.redeem(Presented { code: &code, ..wrong }, "g"),
                Redeemed::Unknown,
                "{wrong:?}"
            );
            assert!(
                !matches!(codes.redeem(presented(&code), "g"), Redeemed::Good(_)),
                "it is spent"
            );
        }
    }

    #[test]
    fn a_challenge_is_a_digest() {
        assert!(is_challenge(CHALLENGE));
        for other in ["", "abc", &format!("{CHALLENGE}="), &CHALLENGE[1..]] {
            assert!(!is_challenge(other), "{other}");
        }
    }
}
