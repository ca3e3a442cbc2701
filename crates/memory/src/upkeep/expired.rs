//! Retires memories whose time is over. They were not shown any more anyway.

use jiff::Timestamp;

use super::UpkeepError;
use crate::ports::Administration;
use crate::retire::retire_expired;
use crate::scope::Scope;
use crate::wiring::Ports;

/// Gives in how many spaces there was something to do, and how many memories were retired.
pub(super) async fn retire(
    ports: &Ports,
    administration: &dyn Administration,
    now: Timestamp,
    spaces_max: usize,
) -> Result<(usize, usize), UpkeepError> {
    let spaces = administration.spaces_with_expired(now, spaces_max).await?;
    let mut retired = 0;
    for space in &spaces {
        retired += retire_expired(ports, &Scope::of_upkeep(space.clone(), now)).await?;
    }
    Ok((spaces.len(), retired))
}
