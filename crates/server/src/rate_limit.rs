//! How many requests each caller may make.

use std::num::NonZeroU32;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::auth::Caller;
use crate::error::{ApiError, Code};

/// Counts the requests of each caller.
#[derive(Debug)]
pub(crate) struct RateLimit(DefaultKeyedRateLimiter<String>);

impl RateLimit {
    pub(crate) fn new(per_second: u32) -> RateLimit {
        let per_second = NonZeroU32::new(per_second).unwrap_or(NonZeroU32::MIN);
        RateLimit(RateLimiter::keyed(Quota::per_second(per_second)))
    }

    /// Refuses a caller who makes too many requests.
    pub(crate) fn check(&self, caller: &Caller) -> Result<(), ApiError> {
        self.0.check_key(caller.counted_as()).map_err(|until| {
            let wait = until.wait_time_from(DefaultClock::default().now()).as_secs() + 1;
            ApiError::new(Code::RateLimited, "this key makes too many requests").retry_after(wait)
        })
    }
}
