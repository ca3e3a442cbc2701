//! What an entry can be filtered and ordered by without reading it.

use std::sync::Arc;

/// The properties of an entry that filters look at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Facets {
    pub category: Option<Arc<str>>,
    /// What the entry is part of, if it is not seen from everywhere.
    pub project: Option<Arc<str>>,
    pub tier: Option<&'static str>,
    /// What sort of thing the entry is, where an index holds several.
    pub kind: Option<&'static str>,
    /// When it was said or learned, in milliseconds since 1970.
    pub time_ms: i64,
    /// When it stops being true.
    pub expires_ms: Option<i64>,
    /// How sure it is, from 0 to 1.
    pub confidence: f32,
}
