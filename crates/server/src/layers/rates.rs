//! How often each caller may ask.

use std::num::NonZeroU32;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

use crate::auth::Caller;
use crate::error::{ApiError, Code};

/// Counts the requests of each caller.
#[derive(Debug)]
pub(crate) struct Rates(DefaultKeyedRateLimiter<String>);

impl Rates {
    pub(crate) fn new(per_second: u32) -> Rates {
        let per_second = NonZeroU32::new(per_second).unwrap_or(NonZeroU32::MIN);
        Rates(RateLimiter::keyed(Quota::per_second(per_second)))
    }

    /// Turns away a caller who asks too often.
    pub(super) fn check(&self, caller: &Caller) -> Result<(), ApiError> {
        self.0.check_key(caller.counted_as()).map_err(|until| {
            let wait = until.wait_time_from(DefaultClock::default().now()).as_secs() + 1;
            ApiError::new(Code::RateLimited, "this key asks too often").retry_after(wait)
        })
    }
}
