//! Text for models: quoted, dated, and never over its budget.

mod line;
mod pack;

pub use line::{IMPORTED, QUARANTINED, UNCONFIRMED, caution};
pub use line::{memory_line, message_line, one_line, place_line, quoted};
pub use pack::{Packed, Section, pack};
