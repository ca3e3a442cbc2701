//! Text: from what people write to the terms it is found by, the characters that must not hide in
//! it, its tokens.
//!
//! [`analysis`] is for search; [`words`] is for comparing statements. Both are pure, take time
//! linear in the length of the text, and never fail: what cannot be read as words gives no terms.

pub mod analysis;
pub mod json_words;
pub mod plain;
pub mod tokens;
pub mod words;

mod fold;
mod language;
mod moment;
mod months;
mod named_time;
mod scan;
mod script;
mod segment;
mod stem;

pub use analysis::{Term, TermKind, analyse, analyse_query, read_query};
pub use language::is_foreign;
pub(crate) use months::named as month_named;
pub use named_time::NamedTime;
pub use words::content_words;
