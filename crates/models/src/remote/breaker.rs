//! A breaker: an endpoint that is down is not asked at every write, only now and then.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// When a breaker opens, and for how long.
#[derive(Clone, Copy, Debug)]
pub struct BreakerLimits {
    /// So many failures in a row open it.
    pub failures_max: u32,
    /// For so long nothing is asked; then one call may try.
    pub cool_down: Duration,
    /// A call that was given up after so long counts as failed: its caller's patience was shorter
    /// than ours.
    pub patience: Duration,
}

impl Default for BreakerLimits {
    fn default() -> BreakerLimits {
        BreakerLimits {
            failures_max: 3,
            cool_down: Duration::from_secs(30),
            patience: Duration::from_secs(1),
        }
    }
}

/// Counts failures, and says who may ask.
#[derive(Debug)]
pub(crate) struct Breaker {
    limits: BreakerLimits,
    state: Mutex<State>,
}

#[derive(Clone, Copy, Debug)]
enum State {
    Closed {
        failures: u32,
    },
    Open {
        until: Instant,
    },
    /// One call is trying since `Open` ended.
    Trying,
}

/// The leave to ask once. Dropping it tells the breaker that the call was given up.
#[derive(Debug)]
pub(crate) struct Pass<'b> {
    breaker: &'b Breaker,
    since: Instant,
    probe: bool,
    settled: bool,
}

impl Breaker {
    pub(crate) fn new(limits: BreakerLimits) -> Breaker {
        Breaker {
            limits,
            state: Mutex::new(State::Closed { failures: 0 }),
        }
    }

    /// Lets a call through, or tells how long to wait.
    pub(crate) fn enter(&self) -> Result<Pass<'_>, Duration> {
        let now = Instant::now();
        let mut state = self.lock();
        let probe = match *state {
            State::Closed { .. } => false,
            State::Open { until } if now < until => return Err(until - now),
            State::Open { .. } => {
                *state = State::Trying;
                true
            }
            State::Trying => return Err(self.limits.patience),
        };
        Ok(Pass {
            breaker: self,
            since: now,
            probe,
            settled: false,
        })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts an answer that began and then failed.
    pub(crate) fn count_failure(&self) {
        let mut state = self.lock();
        let open = State::Open {
            until: Instant::now() + self.limits.cool_down,
        };
        *state = match *state {
            State::Closed { failures } if failures + 1 < self.limits.failures_max => State::Closed {
                failures: failures + 1,
            },
            State::Closed { .. } => {
                tracing::warn!(pause = ?self.limits.cool_down, "an endpoint is down, not asking it for a while");
                open
            }
            State::Trying => open,
            State::Open { until } => State::Open { until },
        };
    }
}

impl Pass<'_> {
    /// The endpoint answered.
    pub(crate) fn answered(mut self) {
        self.settled = true;
        let mut state = self.breaker.lock();
        if !matches!(*state, State::Closed { .. }) {
            tracing::info!("the endpoint answers again");
        }
        *state = State::Closed { failures: 0 };
    }

    /// The endpoint did not answer.
    pub(crate) fn failed(mut self) {
        self.settled = true;
        self.breaker.count_failure();
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        if self.settled {
            return;
        }
        if self.breaker.limits.patience <= self.since.elapsed() {
            self.breaker.count_failure();
        } else if self.probe {
            // Nothing was learned: the next call may try.
            *self.breaker.lock() = State::Open {
                until: Instant::now(),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    fn breaker() -> Breaker {
        Breaker::new(BreakerLimits {
            failures_max: 2,
            ..BreakerLimits::default()
        })
    }

    #[tokio::test(start_paused = true)]
    async fn failures_in_a_row_open_it_and_one_answer_closes_it() {
        let breaker = breaker();
        breaker.enter().unwrap().failed();
        breaker.enter().unwrap().answered();
        breaker.enter().unwrap().failed();
        breaker.enter().unwrap().failed();
        assert_eq!(breaker.enter().unwrap_err(), Duration::from_secs(30));
        advance(Duration::from_secs(30)).await;
        let probe = breaker.enter().unwrap();
        assert!(breaker.enter().is_err(), "one at a time tries");
        probe.answered();
        assert!(breaker.enter().is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn a_probe_that_fails_opens_it_again() {
        let breaker = breaker();
        breaker.enter().unwrap().failed();
        breaker.enter().unwrap().failed();
        advance(Duration::from_secs(31)).await;
        breaker.enter().unwrap().failed();
        assert_eq!(breaker.enter().unwrap_err(), Duration::from_secs(30));
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_given_up_late_counts_and_one_given_up_early_does_not() {
        let breaker = breaker();
        for _ in 0..5 {
            drop(breaker.enter().unwrap());
        }
        for _ in 0..2 {
            let pass = breaker.enter().unwrap();
            advance(Duration::from_secs(2)).await;
            drop(pass);
        }
        assert!(breaker.enter().is_err());
        advance(Duration::from_secs(31)).await;
        drop(breaker.enter().unwrap());
        assert!(
            breaker.enter().is_ok(),
            "a probe given up early leaves the door open"
        );
    }
}
