//! Text for models: quoted, dated, and never over its budget.

mod line;
mod pack;

pub use line::{UNCONFIRMED, one_line};
pub use line::{memory_line, message_line, place_line};
pub use pack::{Packed, Section, pack};
