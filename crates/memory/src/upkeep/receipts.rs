//! Drops the receipts of requests that nobody repeats any more.

use jiff::{SignedDuration, Timestamp};

use super::UpkeepError;
use crate::ports::Administration;

/// For how long a repeated request gets its first answer. Clients retry for minutes, and queues for
/// days.
const KEPT: SignedDuration = SignedDuration::from_hours(7 * 24);

pub(super) async fn drop_old(
    administration: &dyn Administration,
    now: Timestamp,
    rows_max: usize,
) -> Result<usize, UpkeepError> {
    let Ok(before) = now.checked_sub(KEPT) else {
        return Ok(0);
    };
    Ok(administration.drop_receipts(before, rows_max).await?)
}
