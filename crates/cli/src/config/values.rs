//! The effective values of all settings.

use std::fmt;
use std::path::PathBuf;

use recalld_agent::settings::AgentSettings;
use recalld_memory::settings::Settings;

use super::platform;
use super::{ChannelValues, ChatModelValues, DatabaseValues, ProfileValues, ServerValues, TelemetryValues};
use crate::failure::Failure;

/// The effective values.
#[derive(Clone, Debug)]
pub(crate) struct Values {
    /// `None` if the platform has no data directory.
    pub(crate) data: Option<PathBuf>,
    /// Whether memories are kept in this process only, and nothing is stored.
    pub(crate) is_in_memory: bool,
    /// How long to wait for another process that holds the data directory.
    pub(crate) data_wait_ms: u64,
    pub(crate) database: DatabaseValues,
    pub(crate) user: String,
    pub(crate) log: String,
    /// `builtin`, `none`, `endpoint`, or the name of an installed model.
    pub(crate) model: String,
    /// `auto`, `always` or `never`.
    pub(crate) encoder: String,
    /// `none`, or the name of an installed cross-encoder.
    pub(crate) reranker: String,
    pub(crate) endpoint: Endpoint,
    pub(crate) memory: Settings,
    pub(crate) agent: AgentSettings,
    pub(crate) profile: ProfileValues,
    pub(crate) server: ServerValues,
    pub(crate) telemetry: TelemetryValues,
    pub(crate) remote: Remote,
    /// How long a hook that the user waits for may take.
    pub(crate) hooks_answer_ms_max: u64,
    /// Whether hooks learn with the chat model, beside the rules.
    pub(crate) hooks_model: bool,
    pub(crate) chat: ChatModelValues,
    pub(crate) channels: ChannelValues,
    /// When the daily run takes place, in UTC: a cron expression, or `off`.
    pub(crate) schedule: String,
}

impl Default for Values {
    fn default() -> Values {
        Values {
            data: platform::data_directory(),
            is_in_memory: false,
            data_wait_ms: 2_000,
            database: DatabaseValues::default(),
            user: "local".to_owned(),
            log: "warn".to_owned(),
            model: "builtin".to_owned(),
            encoder: "auto".to_owned(),
            reranker: "none".to_owned(),
            endpoint: Endpoint::default(),
            memory: Settings::default(),
            agent: AgentSettings::default(),
            profile: ProfileValues::default(),
            server: ServerValues::default(),
            telemetry: TelemetryValues::default(),
            remote: Remote::default(),
            hooks_answer_ms_max: 150,
            hooks_model: false,
            chat: ChatModelValues::default(),
            channels: ChannelValues::default(),
            schedule: "0 23 * * *".to_owned(),
        }
    }
}

impl Values {
    /// Returns the settings of the memories, including the configured categories.
    pub(crate) fn memory_settings(&self) -> Result<Settings, Failure> {
        Ok(Settings {
            profile: self.profile.catalogue()?,
            ..self.memory.clone()
        })
    }
}

/// The server that `recalld mcp` forwards requests to.
#[derive(Clone, Default)]
pub(crate) struct Remote {
    pub(crate) url: Option<String>,
    pub(crate) key: Option<String>,
}

impl fmt::Debug for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The key must not appear in logs.
        f.debug_struct("Remote")
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}

/// An OpenAI-compatible endpoint for embeddings.
#[derive(Clone, Default)]
pub(crate) struct Endpoint {
    pub(crate) url: Option<String>,
    pub(crate) model: Option<String>,
    pub(crate) dimension: Option<usize>,
    pub(crate) key: Option<String>,
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The key must not appear in logs.
        f.debug_struct("Endpoint")
            .field("url", &self.url)
            .field("model", &self.model)
            .finish_non_exhaustive()
    }
}
