//! Keeps what was counted of recalls since the last round.

use jiff::Timestamp;

use super::UpkeepError;
use crate::recalls;
use crate::wiring::Ports;

/// Gives in how many spaces there was something to keep.
pub(super) async fn keep_some(
    ports: &Ports,
    now: Timestamp,
    spaces_max: usize,
) -> Result<usize, UpkeepError> {
    Ok(recalls::keep(ports, now, spaces_max).await?)
}
