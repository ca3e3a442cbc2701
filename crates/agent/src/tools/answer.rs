//! What a tool gives back.

use recalld_memory::space::SpaceError;
use serde_json::{Value, json};
use thiserror::Error;

/// An answer: what the model reads, and the same for the program around it.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolAnswer {
    pub text: String,
    /// An object.
    pub data: Value,
}

impl ToolAnswer {
    /// An answer whose `data` names what happened and holds `more`, an object.
    pub(super) fn new(outcome: &str, text: impl Into<String>, more: Value) -> ToolAnswer {
        let mut data = json!({ "outcome": outcome });
        if let (Some(data), Value::Object(more)) = (data.as_object_mut(), more) {
            data.extend(more);
        }
        ToolAnswer {
            text: text.into(),
            data,
        }
    }

    /// A statement that the engine does not keep. The model reads why, and not what.
    pub(super) fn refused(secret: recalld_memory::screening::secrets::Secret) -> ToolAnswer {
        let text = format!(
            "Not stored: the content looks like it holds a secret ({}). Secrets are never stored in memory; do not try again.",
            secret.as_str()
        );
        ToolAnswer::new(
            "refused",
            text,
            json!({ "reason": "secret", "looks_like": secret.as_str() }),
        )
    }

    /// A key or id that names nothing.
    pub(super) fn not_found(name: &str) -> ToolAnswer {
        let name = recalld_index::text::plain::shorten(name, 80);
        let text = format!("There is no memory {name:?}. Name it by its key or id, as a search shows it.");
        ToolAnswer::new("not_found", text, json!({ "key": name }))
    }

    /// Gives the answer as one JSON object.
    pub fn to_json(&self) -> Value {
        json!({ "text": self.text, "data": self.data })
    }
}

/// Why a tool could not answer.
#[derive(Debug, Error)]
pub enum ToolError {
    /// The arguments do not fit the tool; nothing was changed. The message is for the model, which
    /// can mend its call.
    #[error("{message}")]
    Arguments { message: String },
    /// Storage failed.
    #[error(transparent)]
    Space(#[from] SpaceError),
}

impl ToolError {
    pub(super) fn arguments(message: impl Into<String>) -> ToolError {
        ToolError::Arguments {
            message: message.into(),
        }
    }

    /// Gives what a model reads instead of an answer. What the store says may name files: it goes
    /// to the log alone.
    pub fn for_model(&self) -> String {
        match self {
            ToolError::Arguments { message } => message.clone(),
            ToolError::Space(SpaceError::OverQuota(_)) => {
                "The user's memory is full, and nothing was stored. Tell the user to erase what is not needed."
                    .to_owned()
            }
            ToolError::Space(SpaceError::Contended | SpaceError::Stopping) => {
                tracing::warn!(error = %self, "a tool could not write");
                "Memory is busy, and nothing was changed. Try again later.".to_owned()
            }
            ToolError::Space(error) => {
                tracing::error!(%error, "a tool could not reach storage");
                "Memory cannot be reached at the moment. Answer with what you have.".to_owned()
            }
        }
    }

    /// Gives a stable word for logs and answers.
    pub fn code(&self) -> &'static str {
        match self {
            ToolError::Arguments { .. } => "invalid_arguments",
            ToolError::Space(_) => "storage_failed",
        }
    }
}
