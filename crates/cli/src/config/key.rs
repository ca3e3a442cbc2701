//! One setting.

use std::path::Path;

use serde_json::{Value, json};

use super::values::Values;

/// One setting: its name, its meaning, and how it is read and shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    /// Its name, including its table: `memory.daily_days`.
    pub(crate) name: &'static str,
    pub(crate) about: &'static str,
    /// Reads it from text; relative paths start from the given directory. The error completes the
    /// sentence "the value of NAME …".
    pub(crate) set: fn(&mut Values, &str, &Path) -> Result<(), String>,
    pub(crate) get: fn(&Values) -> Value,
}

/// The settings that are secrets: they are never shown, and may be in a file of their own.
const SECRETS: [&str; 8] = [
    "anthropic.key",
    "database.owner_url",
    "database.url",
    "embedding.key",
    "mcp.key",
    "openai.key",
    "server.jwt_secret",
    "telemetry.headers",
];

impl Key {
    /// Whether it is a secret.
    pub(crate) fn is_secret(&self) -> bool {
        SECRETS.contains(&self.name)
    }

    /// Names the environment variable that sets it.
    pub(crate) fn variable(&self) -> String {
        format!("RECALLD_{}", self.name.replace('.', "_").to_uppercase())
    }
}

/// Shows whether a secret is set, instead of the secret.
pub(super) fn hidden(secret: &Option<String>) -> Value {
    json!(secret.as_ref().map_or("", |_| "(set)"))
}
