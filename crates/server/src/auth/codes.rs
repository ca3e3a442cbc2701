//! Codes with which a browser signs in once. They stand in for a key in a link, because a link is
//! seen by more eyes than a key should be.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use data_encoding::HEXLOWER;
use tokio::time::Instant;

use super::keys::{digest, random_bytes};

/// A code is good for this long.
pub(crate) const CODE_LIFETIME: Duration = Duration::from_secs(10 * 60);

/// More codes than this are not held: the oldest goes.
const CODES_MAX: usize = 100;

/// The codes that nobody has used yet. This process alone knows them.
#[derive(Debug, Default)]
pub(crate) struct SignInCodes(Mutex<HashMap<[u8; 32], Code>>);

#[derive(Clone)]
struct Code {
    key: String,
    issued: Instant,
}

impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The key stays out of logs.
        f.debug_struct("Code")
            .field("issued", &self.issued)
            .finish_non_exhaustive()
    }
}

impl SignInCodes {
    /// Makes a code for the holder of `key`.
    pub(crate) fn issue(&self, key: &str) -> String {
        let code = HEXLOWER.encode(&random_bytes::<32>());
        let mut codes = self.codes();
        codes.retain(|_, known| known.issued.elapsed() < CODE_LIFETIME);
        if CODES_MAX <= codes.len()
            && let Some(oldest) = codes
                .iter()
                .min_by_key(|(_, known)| known.issued)
                .map(|(id, _)| *id)
        {
            codes.remove(&oldest);
        }
        let known = Code {
            key: key.to_owned(),
            issued: Instant::now(),
        };
        codes.insert(digest(&code), known);
        code
    }

    /// Gives the key that `code` stands for, and forgets the code.
    pub(crate) fn redeem(&self, code: &str) -> Option<String> {
        let known = self.codes().remove(&digest(code))?;
        (known.issued.elapsed() < CODE_LIFETIME).then_some(known.key)
    }

    fn codes(&self) -> MutexGuard<'_, HashMap<[u8; 32], Code>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_code_works_once_and_only_for_a_while() {
        let codes = SignInCodes::default();
        let code = codes.issue("rk_one");
        assert_eq!(codes.redeem("something else"), None);
        assert_eq!(codes.redeem(&code).as_deref(), Some("rk_one"));
        assert_eq!(codes.redeem(&code), None);

        let late = codes.issue("rk_two");
        tokio::time::advance(CODE_LIFETIME).await;
        assert_eq!(codes.redeem(&late), None);
    }

    #[tokio::test(start_paused = true)]
    async fn the_oldest_code_goes_when_there_are_too_many() {
        let codes = SignInCodes::default();
        let first = codes.issue("rk_first");
        for _ in 0..CODES_MAX {
            tokio::time::advance(Duration::from_millis(1)).await;
            codes.issue("rk_other");
        }
        assert_eq!(codes.codes().len(), CODES_MAX);
        assert_eq!(codes.redeem(&first), None);
    }
}
