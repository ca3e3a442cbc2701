//! The port for tables that a deployment already has: read as the user, and never written.

use std::fmt::Debug;

use async_trait::async_trait;
use serde_json::{Map, Value};

use super::StoreError;
use crate::catalogue::TableSource;
use crate::id::SpaceId;

/// Where a category's rows come from when they are not stored here.
#[async_trait]
pub trait Tables: Debug + Send + Sync {
    /// Reads the rows that the owner of `space` may see, in the order that the source says.
    async fn rows(
        &self,
        space: &SpaceId,
        source: &TableSource,
    ) -> Result<Vec<Map<String, Value>>, StoreError>;
}
