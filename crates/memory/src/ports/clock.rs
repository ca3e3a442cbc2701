//! Time and fresh ids: given from outside, so that a test can hold them still.

use std::fmt::Debug;

use jiff::Timestamp;
use uuid::Uuid;

/// Tells the time.
pub trait Clock: Debug + Send + Sync {
    /// Tells the time now, to the microsecond (what the stores keep).
    fn now(&self) -> Timestamp;
}

/// Makes ids that nobody has used.
pub trait Ids: Debug + Send + Sync {
    /// Makes an id for something that comes into being at `now`; later ids sort after earlier ones.
    fn next(&self, now: Timestamp) -> Uuid;
}
