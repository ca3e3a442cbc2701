//! Keeps what was counted of recalls since the last round.

use jiff::Timestamp;

use super::UpkeepError;
use crate::recall_stats;
use crate::wiring::Ports;

/// Gives in how many spaces there was something to keep.
pub(super) async fn flush_some(
    ports: &Ports,
    now: Timestamp,
    spaces_max: usize,
) -> Result<usize, UpkeepError> {
    Ok(recall_stats::flush(ports, now, spaces_max).await?)
}
