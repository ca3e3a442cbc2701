//! Requests that write or change a memory, and the answer to a write.

use recalld_memory::memory::{
    Category, Confidence, Content, Evidence, InvalidEvidence, Key, Origin, Project, Source, Tier,
};
use recalld_memory::remember::{Reach, Statement};
use recalld_memory::revise::{Edit, Relabel};
use recalld_memory::validity::{Period, world_moment};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use crate::field_error::FieldError;
use crate::memory::Memory;

/// A statement to remember.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewMemory {
    /// What to remember.
    #[schema(example = "Prefers window seats", min_length = 1, max_length = 16384)]
    content: String,
    /// A short name by which it can be updated.
    #[schema(example = "seat", min_length = 1, max_length = 128)]
    key: Option<String>,
    /// Such as `preference`; `personal_context` if none.
    #[schema(example = "preference", min_length = 1, max_length = 64)]
    category: Option<String>,
    tier: Option<WireTier>,
    /// How sure it is. Below 0.7 it becomes a daily note.
    #[schema(minimum = 0, maximum = 1)]
    confidence: Option<f64>,
    /// Where it came from. One that names a document or a tool (`document:42`, `https://…`,
    /// `tool:search`) lowers the origin.
    #[schema(min_length = 1, max_length = 512)]
    source: Option<String>,
    /// Who says so, if not the user: `assistant`, `import`, `tool` or `document`. It can lower the
    /// origin and never raise it.
    #[schema(example = "document")]
    origin: Option<String>,
    /// Since when it holds in the world: a time, or a date, which means its beginning in UTC.
    #[schema(example = "2026-10-01")]
    valid_from: Option<String>,
    /// From when on it no longer holds.
    #[schema(example = "2026-10-01")]
    valid_until: Option<String>,
    /// The project that it belongs to: it is not seen in other projects. Without it, what is sent
    /// with `Recalld-Project` belongs to that project, unless it is a preference, and anything else
    /// to none: it is seen everywhere.
    #[schema(example = "my-app", min_length = 1, max_length = 128)]
    project: Option<String>,
    /// The places in the files of the project that it rests on, at most 16.
    #[schema(max_items = 16)]
    #[serde(default)]
    evidence: Vec<NewEvidence>,
}

/// A place in the files of a project.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewEvidence {
    /// The path of the file from the root of the project.
    #[schema(example = "src/main.rs", min_length = 1, max_length = 512)]
    path: String,
    /// What is meant in the file, such as the name of a function.
    #[schema(min_length = 1, max_length = 512)]
    symbol: Option<String>,
    /// The SHA-256 of what was there, in base 16.
    #[schema(min_length = 7, max_length = 64)]
    hash: Option<String>,
    /// The commit at which it was there.
    #[schema(min_length = 7, max_length = 64)]
    commit: Option<String>,
}

impl NewEvidence {
    fn evidence(&self) -> Result<Evidence, InvalidEvidence> {
        Evidence::of_file(&self.path)?
            .with_symbol(self.symbol.as_deref())?
            .seen_as(self.hash.as_deref(), self.commit.as_deref())
    }
}

/// How long a memory lasts.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum WireTier {
    /// Until it is changed.
    Durable,
    /// A note that expires.
    Daily,
}

impl From<WireTier> for Tier {
    fn from(tier: WireTier) -> Tier {
        match tier {
            WireTier::Durable => Tier::Durable,
            WireTier::Daily => Tier::Daily,
        }
    }
}

/// Gives the least trusted of what a request and its source say.
fn lowered(origin: Option<Origin>, source: Option<&str>) -> Origin {
    let named = source.and_then(Origin::named_by);
    let given = [origin, named].into_iter().flatten();
    given.fold(Origin::User, Origin::least_trusted)
}

impl NewMemory {
    /// Checks every field.
    pub fn statement(self) -> Result<Statement, FieldError> {
        let key = self.key.map(|key| Key::new(&key)).transpose();
        let category = self.category.map(|category| Category::new(&category)).transpose();
        let confidence = self.confidence.map(Confidence::new).transpose();
        let source = self.source.as_deref().map(Source::new).transpose();
        let origin = self.origin.as_deref().map(Origin::parse).transpose();
        let origin = checked("/origin", origin)?;
        let from = self.valid_from.as_deref().map(world_moment).transpose();
        let until = self.valid_until.as_deref().map(world_moment).transpose();
        let (from, until) = (checked("/valid_from", from)?, checked("/valid_until", until)?);
        let project = self.project.as_deref().map(Project::new).transpose();
        let evidence = self.evidence.iter().map(NewEvidence::evidence).collect();
        let evidence: Vec<Evidence> = checked("/evidence", evidence)?;
        if Evidence::COUNT_MAX < evidence.len() {
            return Err(FieldError::new("/evidence", InvalidEvidence::TooMany));
        }
        Ok(Statement {
            key: checked("/key", key)?,
            content: checked("/content", Content::new(&self.content))?,
            category: checked("/category", category)?.unwrap_or_else(Category::unsorted),
            tier: self.tier.map_or(Tier::Durable, Tier::from),
            confidence: checked("/confidence", confidence)?.unwrap_or(Confidence::CERTAIN),
            origin: lowered(origin, self.source.as_deref()),
            source: checked("/source", source)?,
            period: checked("/valid_until", Period::new(from, until))?,
            reach: checked("/project", project)?.map_or(Reach::WhereSaid, Reach::Project),
            evidence,
        })
    }
}

/// Names the field whose value is invalid.
fn checked<T>(pointer: &str, value: Result<T, impl std::error::Error>) -> Result<T, FieldError> {
    value.map_err(|error| FieldError::new(pointer, error))
}

/// A change to a memory. Absent fields stay as they are.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MemoryEdit {
    #[schema(min_length = 1, max_length = 16384, nullable = false)]
    #[serde(default, deserialize_with = "not_null")]
    content: Option<String>,
    /// `null` removes the key.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 128)]
    #[serde(default, deserialize_with = "relabel")]
    key: Relabel<String>,
    #[schema(min_length = 1, max_length = 64, nullable = false)]
    #[serde(default, deserialize_with = "not_null")]
    category: Option<String>,
    #[schema(nullable = false)]
    #[serde(default, deserialize_with = "not_null")]
    tier: Option<WireTier>,
    #[schema(minimum = 0, maximum = 1, nullable = false)]
    #[serde(default, deserialize_with = "not_null")]
    confidence: Option<f64>,
    /// `null` removes the source.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 512)]
    #[serde(default, deserialize_with = "relabel")]
    source: Relabel<String>,
    /// Since when it holds in the world: a time, or a date, which means its beginning in UTC.
    /// `null`: that was not said.
    #[schema(value_type = Option<String>, example = "2026-10-01")]
    #[serde(default, deserialize_with = "relabel")]
    valid_from: Relabel<String>,
    /// From when on it no longer holds. `null`: it holds again.
    #[schema(value_type = Option<String>, example = "2026-10-01")]
    #[serde(default, deserialize_with = "relabel")]
    valid_until: Relabel<String>,
    /// The project that it belongs to; `null` lets it be seen everywhere.
    #[schema(value_type = Option<String>, min_length = 1, max_length = 128)]
    #[serde(default, deserialize_with = "relabel")]
    project: Relabel<String>,
}

/// Reads a field that every memory has, for which `null` is no value.
fn not_null<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// Reads a label that `null` removes.
fn relabel<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Relabel<String>, D::Error> {
    let label = Option::deserialize(deserializer)?;
    Ok(label.map_or(Relabel::Remove, Relabel::Set))
}

impl MemoryEdit {
    /// Checks every field.
    pub fn edit(self) -> Result<Edit, FieldError> {
        let content = self.content.map(|content| Content::new(&content)).transpose();
        let category = self.category.map(|category| Category::new(&category)).transpose();
        let confidence = self.confidence.map(Confidence::new).transpose();
        Ok(Edit {
            key: checked("/key", self.key.try_map(|key| Key::new(&key)))?,
            content: checked("/content", content)?,
            category: checked("/category", category)?,
            tier: self.tier.map(Tier::from),
            confidence: checked("/confidence", confidence)?,
            origin: lowered(None, self.source.given().map(String::as_str)),
            source: checked("/source", self.source.try_map(|source| Source::new(&source)))?,
            valid_from: checked("/valid_from", self.valid_from.try_map(|at| world_moment(&at)))?,
            valid_until: checked("/valid_until", self.valid_until.try_map(|at| world_moment(&at)))?,
            project: checked("/project", self.project.try_map(|name| Project::new(&name)))?,
            version: None,
        })
    }
}

/// The result of a write.
#[derive(Debug, Serialize, ToSchema)]
pub struct Written {
    /// `stored`, or `duplicate` when it was known already and nothing was stored.
    pub outcome: &'static str,
    /// The memory that was stored, or that was known.
    pub memory: Memory,
    /// Whether it became a daily note because its confidence was too low to be durable.
    pub demoted: bool,
    /// How many facts left the memory document so that it fits.
    pub evicted: usize,
}
