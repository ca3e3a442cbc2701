//! How many requests each caller may make, and how many writes each user.

use std::num::NonZeroU32;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, NotUntil, Quota, RateLimiter};
use recalld_memory::id::SpaceId;

use crate::auth::Caller;
use crate::error::{ApiError, Code};
use crate::replaceable::Replaceable;

/// Counts the requests of each caller.
#[derive(Debug)]
pub(crate) struct RateLimit(Replaceable<DefaultKeyedRateLimiter<String>>);

impl RateLimit {
    pub(crate) fn new(per_second: u32) -> RateLimit {
        RateLimit(Replaceable::new(RateLimit::limiter(per_second)))
    }

    /// Counts anew, with another limit.
    pub(crate) fn replace(&self, per_second: u32) {
        self.0.replace(RateLimit::limiter(per_second));
    }

    fn limiter(per_second: u32) -> DefaultKeyedRateLimiter<String> {
        let per_second = NonZeroU32::new(per_second).unwrap_or(NonZeroU32::MIN);
        RateLimiter::keyed(Quota::per_second(per_second))
    }

    /// Refuses a caller who makes too many requests.
    pub(crate) fn check(&self, caller: &Caller) -> Result<(), ApiError> {
        let refused = |until| too_many(&until, "this key makes too many requests");
        self.0.get().check_key(caller.counted_as()).map_err(refused)
    }
}

/// Counts the writes of each user, whatever key or door they come by.
#[derive(Debug)]
pub(crate) struct WriteLimit(Replaceable<Option<DefaultKeyedRateLimiter<SpaceId>>>);

impl WriteLimit {
    pub(crate) fn new(per_minute: Option<u32>) -> WriteLimit {
        WriteLimit(Replaceable::new(WriteLimit::limiter(per_minute)))
    }

    /// Counts anew, with another limit.
    pub(crate) fn replace(&self, per_minute: Option<u32>) {
        self.0.replace(WriteLimit::limiter(per_minute));
    }

    fn limiter(per_minute: Option<u32>) -> Option<DefaultKeyedRateLimiter<SpaceId>> {
        let per_minute = per_minute.and_then(NonZeroU32::new);
        per_minute.map(|most| RateLimiter::keyed(Quota::per_minute(most)))
    }

    /// Refuses the write of a user who makes too many. Whoever acts for nobody is an administrator.
    pub(crate) fn check(&self, caller: &Caller) -> Result<(), ApiError> {
        let limiter = self.0.get();
        let (Some(limiter), Ok(scope)) = (&*limiter, caller.scope()) else {
            return Ok(());
        };
        let refused = |until| {
            too_many(&until, "this user makes too many writes in a minute")
                .hint("wait, or ask the administrator to raise quotas.writes_per_minute_max")
        };
        limiter.check_key(scope.space()).map_err(refused)
    }
}

fn too_many(until: &NotUntil<<DefaultClock as Clock>::Instant>, detail: &'static str) -> ApiError {
    let wait = until.wait_time_from(DefaultClock::default().now()).as_secs() + 1;
    ApiError::new(Code::RateLimited, detail).retry_after(wait)
}
