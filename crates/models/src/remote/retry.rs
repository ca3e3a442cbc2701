//! When to ask again, and after how long.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use reqwest::StatusCode;
use reqwest::header::{HeaderMap, RETRY_AFTER};
use tokio::time::{Instant, sleep};

/// How often and how fast a request is repeated.
#[derive(Clone, Copy, Debug)]
pub struct RetryLimits {
    /// How many times a request is sent at most.
    pub attempts_max: u32,
    /// The pause before the second attempt; it doubles with each further one.
    pub pause_first: Duration,
    /// The longest pause, unless the server asks for more.
    pub pause_max: Duration,
}

impl Default for RetryLimits {
    fn default() -> RetryLimits {
        RetryLimits {
            attempts_max: 3,
            pause_first: Duration::from_millis(200),
            pause_max: Duration::from_secs(5),
        }
    }
}

impl RetryLimits {
    /// Gives the pause after attempt number `attempt` (from 0): what the server asked for, or a
    /// random part of a doubling span, so that many clients do not come back together.
    fn pause(&self, attempt: u32, asked: Option<Duration>) -> Duration {
        let random = RandomState::new().hash_one(attempt) as f64 / u64::MAX as f64;
        self.pause_with(attempt, asked, random)
    }

    /// Waits before the next attempt, and counts it. Tells whether there is to be one: not when all
    /// were made, nor when it would begin after `deadline`.
    pub(crate) async fn again(
        &self,
        attempt: &mut u32,
        asked_pause: Option<Duration>,
        deadline: Instant,
    ) -> bool {
        let pause = self.pause(*attempt, asked_pause);
        *attempt += 1;
        let in_time = Instant::now()
            .checked_add(pause)
            .is_some_and(|then| then < deadline);
        let is_due = *attempt < self.attempts_max && in_time;
        if is_due {
            sleep(pause).await;
        }
        is_due
    }

    fn pause_with(&self, attempt: u32, asked: Option<Duration>, random: f64) -> Duration {
        if let Some(asked) = asked {
            return asked;
        }
        let span = self
            .pause_first
            .saturating_mul(2_u32.saturating_pow(attempt))
            .min(self.pause_max);
        span.mul_f64(0.5 + 0.5 * random)
    }
}

/// Tells whether the same request may succeed later.
pub(crate) fn is_passing(status: StatusCode) -> bool {
    status == StatusCode::REQUEST_TIMEOUT
        || status == StatusCode::TOO_MANY_REQUESTS
        || status.is_server_error()
}

/// Reads how many seconds the server asks to wait. Dates are not understood, and then we choose.
pub(crate) fn asked_pause(headers: &HeaderMap) -> Option<Duration> {
    let seconds: f64 = headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Duration::try_from_secs_f64(seconds).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_a_limit_and_the_server_has_the_last_word() {
        let limits = RetryLimits::default();
        let pause = |attempt, random| limits.pause_with(attempt, None, random).as_millis();
        assert_eq!(
            [pause(0, 0.0), pause(0, 1.0), pause(1, 1.0), pause(40, 1.0)],
            [100, 200, 400, 5_000]
        );
        assert_eq!(
            limits.pause(0, Some(Duration::from_secs(9))),
            Duration::from_secs(9)
        );
    }

    #[test]
    fn only_what_passes_is_asked_again() {
        let passing = |code| is_passing(StatusCode::from_u16(code).unwrap());
        assert_eq!([408, 429, 500, 503].map(passing), [true; 4]);
        assert_eq!([400, 401, 404, 413, 422].map(passing), [false; 5]);
    }

    #[test]
    fn a_pause_is_read_in_seconds() {
        let pause = |value: &str| asked_pause(&HeaderMap::from_iter([(RETRY_AFTER, value.parse().unwrap())]));
        assert_eq!(pause("2"), Some(Duration::from_secs(2)));
        for odd in ["-1", "NaN", "1e300", "Wed, 21 Oct 2026 07:28:00 GMT"] {
            assert_eq!(pause(odd), None, "{odd}");
        }
    }
}
