//! The shapes of `--json`: what programs may rely on. Names are those of the domain, times are RFC
//! 3339 in UTC.

mod entity;
mod memory;

pub(crate) use entity::Entity;
pub(crate) use memory::{Memory, Standing, Tokens, short_id};
