//! When a memory holds in the world.

use jiff::Timestamp;
use recalld_memory::validity::Validity;
use serde::Serialize;
use utoipa::ToSchema;

/// When a memory holds, and the versions of the same fact before and after it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct WireValidity {
    #[schema(value_type = String, format = DateTime)]
    valid_from: Timestamp,
    /// Absent while it holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = DateTime)]
    valid_until: Option<Timestamp>,
    /// The id of the memory that took its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    superseded_by: Option<String>,
    /// The id of the memory whose place it took.
    #[serde(skip_serializing_if = "Option::is_none")]
    replaces: Option<String>,
}

impl From<Validity> for WireValidity {
    fn from(validity: Validity) -> WireValidity {
        WireValidity {
            valid_from: validity.from,
            valid_until: validity.until,
            superseded_by: validity.superseded_by.map(|id| id.to_string()),
            replaces: validity.replaces.map(|id| id.to_string()),
        }
    }
}
