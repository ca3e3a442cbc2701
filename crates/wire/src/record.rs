//! Stored JSON values: working memory, and the categories of structured user context.

use recalld_memory::catalogue;
use recalld_memory::record::Record;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// A stored value.
#[derive(Debug, Serialize, ToSchema)]
pub struct StoredValue {
    value: Value,
    /// Counts its changes, from 1.
    version: u32,
    updated_at: String,
}

impl From<&Record> for StoredValue {
    fn from(record: &Record) -> StoredValue {
        StoredValue {
            value: record.value.clone(),
            version: record.version,
            updated_at: record.written_at.to_string(),
        }
    }
}

/// A category of structured user context.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProfileCategory {
    name: String,
    /// Other names for it.
    aliases: Vec<String>,
    description: String,
    /// What a value must fit, as JSON Schema.
    schema: Value,
    /// What is stored for this user; null when nothing is.
    kept: Option<StoredValue>,
}

impl ProfileCategory {
    /// Shows a category with what is stored in it.
    pub fn new(category: &catalogue::ProfileCategory, record: Option<&Record>) -> ProfileCategory {
        ProfileCategory {
            name: category.name.clone(),
            aliases: category.aliases.clone(),
            description: category.description.clone(),
            schema: category.schema.clone(),
            kept: record.map(StoredValue::from),
        }
    }
}

/// All categories of the deployment.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProfileCategoryList {
    pub categories: Vec<ProfileCategory>,
}
