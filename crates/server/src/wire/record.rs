//! Kept JSON values on the wire: working memory, and the categories of structured user context.

use recalld_memory::catalogue::ProfileCategory;
use recalld_memory::record::Record;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// A value as it is kept.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Kept {
    value: Value,
    /// Counts its changes, from 1.
    version: u32,
    updated_at: String,
}

impl From<&Record> for Kept {
    fn from(record: &Record) -> Kept {
        Kept {
            value: record.value.clone(),
            version: record.version,
            updated_at: record.written_at.to_string(),
        }
    }
}

/// A category of structured user context.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Category {
    name: String,
    /// Other names for it.
    aliases: Vec<String>,
    description: String,
    /// What a value must fit, as JSON Schema.
    schema: Value,
    /// What is kept of this user; null when nothing is.
    kept: Option<Kept>,
}

impl Category {
    pub(crate) fn new(category: &ProfileCategory, record: Option<&Record>) -> Category {
        Category {
            name: category.name.clone(),
            aliases: category.aliases.clone(),
            description: category.description.clone(),
            schema: category.schema.clone(),
            kept: record.map(Kept::from),
        }
    }
}

/// All categories of the deployment.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CategoryList {
    pub(crate) categories: Vec<Category>,
}
