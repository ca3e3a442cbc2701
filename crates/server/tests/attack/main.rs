//! Attacks on the service, each with a control that shows that honest use still works.

#![expect(
    clippy::unwrap_used,
    reason = "a test that cannot be set up should stop where that shows"
)]

mod caching;
mod connections;
mod health;
mod hosts;
mod logs;
mod metrics;
mod poison;
mod queries;
mod slow_writes;
mod stage;
