//! The id of a request: the client's own if it fits, else a fresh one.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use uuid::Uuid;

/// The header in which it travels.
pub(super) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The most bytes of a client's own id.
const BYTES_MAX: usize = 64;

/// Finds the id of the request with these headers.
pub(super) fn of(headers: &HeaderMap) -> HeaderValue {
    let given = headers.get(&REQUEST_ID).filter(|id| fits(id.as_bytes()));
    // It is copied: a part of what was read would keep all that was read.
    given
        .and_then(|id| HeaderValue::from_bytes(id.as_bytes()).ok())
        .unwrap_or_else(fresh)
}

fn fits(id: &[u8]) -> bool {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
    (1..=BYTES_MAX).contains(&id.len()) && id.iter().all(plain)
}

fn fresh() -> HeaderValue {
    let mut text = [0; uuid::fmt::Hyphenated::LENGTH];
    let text = fresh_uuid().hyphenated().encode_lower(&mut text);
    HeaderValue::from_str(text).expect("a uuid is plain ASCII")
}

/// Makes a uuid of version 7: the time to a quarter of a microsecond, then 62 bits that no other
/// request of this process has. It is no secret, so the system is asked for randomness only once,
/// to tell this process from others.
fn fresh_uuid() -> Uuid {
    uuid_at(SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default())
}

fn uuid_at(now: Duration) -> Uuid {
    static START: LazyLock<u64> =
        LazyLock::new(|| Uuid::new_v4().as_u64_pair().0 ^ Uuid::new_v4().as_u64_pair().1);
    static MADE: AtomicU64 = AtomicU64::new(0);
    let nanos_of_milli = u64::from(now.subsec_nanos() % 1_000_000);
    let number = START.wrapping_add(MADE.fetch_add(1, Ordering::Relaxed));
    let mut rest = [0; 10];
    rest[..2].copy_from_slice(&((nanos_of_milli << 12) / 1_000_000).to_be_bytes()[6..]);
    rest[2..].copy_from_slice(&scattered(number).to_be_bytes());
    uuid::Builder::from_unix_timestamp_millis(now.as_millis() as u64, &rest).into_uuid()
}

/// Gives each number another one that looks random (the last steps of SplitMix64). The two top
/// bits, which a uuid has no room for, are spread over the rest first.
fn scattered(number: u64) -> u64 {
    let mixed = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn of_given(id: &'static str) -> HeaderValue {
        of(&HeaderMap::from_iter([(
            REQUEST_ID,
            HeaderValue::from_static(id),
        )]))
    }

    #[test]
    fn an_id_that_fits_is_kept() {
        assert_eq!(of_given("abc-1"), "abc-1");
        for other in ["", "a b", "a\"", "ä", &"x".repeat(65)] {
            let given = HeaderValue::from_bytes(other.as_bytes()).unwrap();
            let id = of(&HeaderMap::from_iter([(REQUEST_ID, given)]));
            assert_eq!(id.len(), 36, "{other}");
        }
    }

    #[test]
    fn fresh_ids_differ() {
        let made: Vec<Uuid> = (0..10_000).map(|_| fresh_uuid()).collect();
        assert_eq!(made.iter().collect::<HashSet<_>>().len(), made.len());
        assert!(made.iter().all(|id| id.get_version_num() == 7));
    }

    #[test]
    fn ids_are_ordered_by_time() {
        let began = Duration::from_secs(1_800_000_000);
        // Each is told from the next, across the end of a millisecond and of a second too.
        let times = (0..10_000).map(|step| began + Duration::from_nanos(step * 150_001));
        let made: Vec<Uuid> = times.map(uuid_at).collect();
        let time = |id: &Uuid| id.as_u128() >> 64;
        assert!(made.is_sorted_by(|a, b| time(a) < time(b)));
    }

    #[test]
    fn a_fresh_id_tells_the_time_of_now() {
        let now = || SystemTime::UNIX_EPOCH.elapsed().unwrap().as_secs();
        let is_now = || {
            let before = now();
            let told = fresh_uuid().get_timestamp().expect("version 7 tells a time");
            (before..=now()).contains(&told.to_unix().0)
        };
        // The clock of the machine may be set meanwhile, but not each time.
        assert!((0..3).any(|_| is_now()));
    }
}
