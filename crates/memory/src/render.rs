//! Text for models: quoted, dated, and never over its budget.

mod line;
mod pack;

pub use line::{IMPORTED, NOTED, PROPOSED, QUARANTINED, UNCONFIRMED, WITHHELD, caution, entity_caution};
pub use line::{
    memory_line, message_line, one_line, period_mark, place_line, quoted, screened_line, value_line,
};
pub use pack::{Packed, Section, pack, pack_written};
