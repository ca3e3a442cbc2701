//! Working memory: a small JSON value that an agent keeps of a user or of one conversation.

use std::sync::Arc;

use serde_json::Value;
use thiserror::Error;

pub use crate::record_update::{ExpectedVersion, Update, merge};

use crate::change::Effect;
use crate::id::ConversationId;
use crate::memory::Project;
use crate::record::{self, Record, RecordKind};
use crate::record_update::{UpdateError, Updating, decide_update};
use crate::schema::{self, SchemaError};
use crate::scope::Scope;
use crate::screening::secrets::{self, Secret};
use crate::space::{Decision, SpaceError, SpaceView};
use crate::wiring::Ports;

/// Whose working memory is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Of {
    User,
    Conversation(ConversationId),
    /// That of a project: what whoever works on it next should know.
    Project(Project),
}

impl Of {
    /// Gives the name of its record.
    pub fn name(&self) -> String {
        match self {
            Of::User => record::OF_USER.to_owned(),
            Of::Conversation(id) => record::of_conversation(id),
            Of::Project(project) => format!("project:{project}"),
        }
    }
}

/// The most bytes a working memory may have, written as JSON.
pub const BYTES_MAX: usize = 64 * 1024;

/// Why a working memory could not be changed.
#[derive(Debug, Error)]
pub enum WorkingMemoryError {
    /// Larger than it may be.
    #[error("the working memory would be {bytes} bytes, over the limit of {limit}")]
    TooLong { bytes: usize, limit: usize },
    /// It holds what must not be stored.
    #[error("the working memory looks like it holds a secret ({})", .0.as_str())]
    Secret(Secret),
    /// It does not fit its schema.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// It is no longer what the writer saw.
    #[error("the working memory has changed since; it is at version {at} now")]
    Stale { at: u32 },
    /// The space could not be read or written.
    #[error(transparent)]
    Space(#[from] SpaceError),
}

impl From<UpdateError> for WorkingMemoryError {
    fn from(error: UpdateError) -> WorkingMemoryError {
        match error {
            UpdateError::TooLong { bytes, limit } => WorkingMemoryError::TooLong { bytes, limit },
            UpdateError::Schema(error) => WorkingMemoryError::Schema(error),
            UpdateError::Stale { at } => WorkingMemoryError::Stale { at },
        }
    }
}

/// Reads a working memory; none when nothing is stored.
pub async fn read(ports: &Ports, scope: &Scope, of: &Of) -> Result<Option<Arc<Record>>, SpaceError> {
    let name = of.name();
    ports
        .spaces
        .read(scope.space(), |view| {
            view.record(RecordKind::WorkingMemory, &name).cloned()
        })
        .await
}

/// Changes a working memory; only if it is still what was `seen`, when that is given. A merge may
/// bring the padding nulls of models in strict mode: where the schema says that a field is optional
/// and does not allow null, a null leaves it as it is.
pub async fn update(
    ports: &Ports,
    scope: &Scope,
    of: &Of,
    update: Update,
    seen: Option<ExpectedVersion>,
) -> Result<Option<Arc<Record>>, WorkingMemoryError> {
    if let Update::Replace(value) | Update::Merge(value) = &update
        && let Some(secret) = secrets::find_in_json(value)
    {
        return Err(WorkingMemoryError::Secret(secret));
    }
    let name = of.name();
    let decided_for = scope.clone();
    let decide = move |view: &SpaceView| {
        let schema = view.record(RecordKind::WorkingMemorySchema, &name);
        let which = Updating {
            kind: RecordKind::WorkingMemory,
            name: &name,
            schema: schema.map(|record| &record.value),
            bytes_max: BYTES_MAX,
            seen,
        };
        match decide_update(view, &decided_for, which, &update) {
            Ok((effect, outcome)) => {
                let changes = effect
                    .into_iter()
                    .map(|effect| decided_for.change(None, effect))
                    .collect();
                Decision {
                    changes,
                    outcome: Ok(outcome),
                }
            }
            Err(error) => Decision::nothing(Err(error.into())),
        }
    };
    ports.spaces.write(scope.space(), decide).await?
}

/// Sets (or, with none, drops) the JSON Schema that a working memory must fit from then on. What is
/// stored must fit it.
pub async fn set_schema(
    ports: &Ports,
    scope: &Scope,
    of: &Of,
    schema: Option<Value>,
) -> Result<(), WorkingMemoryError> {
    if let Some(schema) = &schema {
        schema::check_schema(schema)?;
    }
    let name = of.name();
    let decided_for = scope.clone();
    let decide = move |view: &SpaceView| {
        let kind = RecordKind::WorkingMemorySchema;
        let known = view.record(kind, &name);
        let kept = view.record(RecordKind::WorkingMemory, &name);
        let fits = schema
            .as_ref()
            .zip(kept)
            .map_or(Ok(()), |(schema, kept)| schema::check(&kept.value, schema));
        let effect = match (&schema, known) {
            (Some(value), _) => {
                let version = known.map_or(1, |known| known.version + 1);
                Some(Effect::Record(Record {
                    kind,
                    name: name.clone(),
                    value: value.clone(),
                    version,
                    written_at: decided_for.now,
                }))
            }
            (None, Some(_)) => Some(Effect::EraseRecord {
                kind,
                name: name.clone(),
            }),
            (None, None) => None,
        };
        match fits {
            Ok(()) => {
                let changes = effect
                    .into_iter()
                    .map(|effect| decided_for.change(None, effect))
                    .collect();
                Decision {
                    changes,
                    outcome: Ok(()),
                }
            }
            Err(error) => Decision::nothing(Err(error.into())),
        }
    };
    ports.spaces.write(scope.space(), decide).await?
}
