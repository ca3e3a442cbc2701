//! Structured user context by category: who the user sells to, what they prefer, which plan they
//! have.
//!
//! The categories are data ([`Catalogue`]); a category's value is stored as one record and checked
//! by its schema.

mod answer;
mod narrow;

use std::sync::Arc;

use serde_json::{Map, Value};
use thiserror::Error;

use recalld_index::text::content_words;
use recalld_index::text::plain::shorten;

use crate::catalogue::{ALL, AnswerShape, Catalogue, ProfileCategory, TableSource};
use crate::change::Effect;
use crate::memory::Origin;
use crate::ports::StoreError;
use crate::record::{Record, RecordKind};
use crate::record_update::{ExpectedVersion, Update, UpdateError, Updating, decide_update};
use crate::scope::Scope;
use crate::screening::secrets;
use crate::space::{Decision, SpaceError, SpaceView};
use crate::text_ranking;
use crate::wiring::Ports;

/// The most bytes a category's value may have, written as JSON.
pub const BYTES_MAX: usize = 256 * 1024;

/// Why a category cannot be read or written.
#[derive(Debug, Error)]
pub enum ProfileError {
    /// No category has that name.
    #[error("there is no category {given:?}; known are {}", known.join(", "))]
    Unknown { given: String, known: Vec<String> },
    /// It holds what must not be stored.
    #[error("the value looks like it holds a secret ({})", .0.as_str())]
    Secret(secrets::Secret),
    /// It is read from a table of the deployment's own, and is written there.
    #[error("the category {0:?} is read from a table, and cannot be written here")]
    ReadOnly(String),
    /// The value is too long, does not fit its schema, or was changed in between.
    #[error(transparent)]
    Update(#[from] UpdateError),
    /// The space could not be read or written.
    #[error(transparent)]
    Space(#[from] SpaceError),
}

fn find<'p>(ports: &'p Ports, name: &str) -> Result<&'p ProfileCategory, ProfileError> {
    let catalogue = &ports.settings.profile;
    catalogue.find(name).ok_or_else(|| ProfileError::Unknown {
        given: shorten(name, 80),
        known: catalogue.names().into_iter().map(str::to_owned).collect(),
    })
}

/// Lists the categories with what is stored of each.
pub async fn list<'p>(
    ports: &'p Ports,
    scope: &Scope,
) -> Result<Vec<(&'p ProfileCategory, Option<Arc<Record>>)>, SpaceError> {
    let categories = ports.settings.profile.categories();
    let look = |view: &SpaceView| {
        let with_record = |category: &'p ProfileCategory| (category, kept(view, category).cloned());
        categories.iter().map(with_record).collect()
    };
    ports.spaces.read(scope.space(), look).await
}

fn kept<'v>(view: &'v SpaceView, category: &ProfileCategory) -> Option<&'v Arc<Record>> {
    view.record(RecordKind::Profile, &category.name)
}

/// Reads what is stored of a category; none when nothing is.
pub async fn read(ports: &Ports, scope: &Scope, category: &str) -> Result<Option<Arc<Record>>, ProfileError> {
    let category = find(ports, category)?;
    let look = |view: &SpaceView| kept(view, category).cloned();
    Ok(ports.spaces.read(scope.space(), look).await?)
}

/// Changes what is stored of a category; only if it is still at `version`, when one is given (0:
/// when nothing is stored).
pub async fn update(
    ports: &Ports,
    scope: &Scope,
    category: &str,
    update: Update,
    seen: Option<ExpectedVersion>,
) -> Result<Option<Arc<Record>>, ProfileError> {
    let category = find(ports, category)?.clone();
    if category.table.is_some() {
        return Err(ProfileError::ReadOnly(category.name));
    }
    if let Update::Replace(value) | Update::Merge(value) = &update
        && let Some(secret) = secrets::find_in_json(value)
    {
        return Err(ProfileError::Secret(secret));
    }
    let decided_for = scope.clone();
    let decide = move |view: &SpaceView| {
        let which = Updating {
            kind: RecordKind::Profile,
            name: &category.name,
            schema: Some(&category.schema),
            bytes_max: BYTES_MAX,
            seen,
        };
        match decide_update(view, &decided_for, which, &update) {
            Ok((effect, outcome)) => Decision {
                changes: effect
                    .into_iter()
                    .chain(confirmed(view, &category, &update))
                    .map(|effect| decided_for.change(None, effect))
                    .collect(),
                outcome: Ok(outcome),
            },
            Err(error) => Decision::nothing(Err(error.into())),
        }
    };
    ports.spaces.write(scope.space(), decide).await?
}

/// Takes the mark of an import from a category that is written anew as a whole.
fn confirmed(view: &SpaceView, category: &ProfileCategory, update: &Update) -> Option<Effect> {
    let is_whole = !matches!(update, Update::Merge(_));
    (is_whole && is_imported(view, category)).then(|| Effect::EraseRecord {
        kind: RecordKind::ImportedProfile,
        name: category.name.clone(),
    })
}

fn is_imported(view: &SpaceView, category: &ProfileCategory) -> bool {
    view.record(RecordKind::ImportedProfile, &category.name).is_some()
}

/// What is known of a user in a category.
#[derive(Clone, Debug, PartialEq)]
pub struct UserContext {
    /// As it was asked for.
    pub category: String,
    pub query: Option<String>,
    /// Null when the user has nothing there.
    pub data: Value,
    /// Where it comes from.
    pub source: String,
    pub found: bool,
}

impl UserContext {
    /// Gives the answer as one JSON object.
    pub fn to_json(&self) -> Value {
        serde_json::json!({
            "category": self.category,
            "query": self.query,
            "data": self.data,
            "source": self.source,
            "found": self.found,
        })
    }
}

/// The source of an answer about every category.
const SOURCE_OF_ALL: &str = "full_context";

/// Tells what is known of the user in `category` (or in all); `query` narrows it to the few entries
/// that matter.
pub async fn user_context(
    ports: &Ports,
    scope: &Scope,
    category: &str,
    query: Option<&str>,
) -> Result<UserContext, ProfileError> {
    let query = query.filter(|query| !query.trim().is_empty());
    let (data, shown, source) = match category {
        ALL => {
            let categories = ports.settings.profile.categories();
            (
                everything(ports, scope).await?,
                Shown::All(categories),
                SOURCE_OF_ALL,
            )
        }
        name => {
            let category = find(ports, name)?;
            let data = match &category.table {
                Some(source) => answer::answer(category, &rows(ports, scope, source).await?),
                None => {
                    let look = |view: &SpaceView| {
                        kept(view, category).and_then(|kept| answer::answer(category, &kept.value))
                    };
                    ports.spaces.read(scope.space(), look).await?
                }
            };
            (data, Shown::One(category), category.source())
        }
    };
    let data = match (data, query) {
        (Some(data), Some(query)) => narrowed(ports, data, shown, query).await,
        (data, _) => data,
    };
    Ok(UserContext {
        category: category.to_owned(),
        query: query.map(|query| shorten(query, 1_000)),
        found: data.is_some(),
        data: data.unwrap_or(Value::Null),
        source: source.to_owned(),
    })
}

/// Which categories an answer is about.
#[derive(Clone, Copy)]
enum Shown<'p> {
    One(&'p ProfileCategory),
    All(&'p [ProfileCategory]),
}

impl Shown<'_> {
    /// Whether the query says no more than the category's own name.
    fn is_named_by(self, query: &str) -> bool {
        let Shown::One(category) = self else {
            return false;
        };
        let names: Vec<&str> = category.names().collect();
        let known = content_words(&names.join(" ").replace(['_', '-'], " "));
        let asked = content_words(query);
        !asked.is_empty() && asked.iter().all(|word| known.contains(word))
    }

    /// Takes the answer apart, each category in its own way.
    fn entries(self, data: &Value) -> Vec<narrow::Entry> {
        match self {
            Shown::One(category) => narrow::entries(data, depth(category)),
            Shown::All(categories) => {
                let of = |category: &ProfileCategory| {
                    let entries = data
                        .get(&category.name)
                        .map(|data| narrow::entries(data, depth(category)));
                    let name = category.name.clone();
                    entries
                        .unwrap_or_default()
                        .into_iter()
                        .map(move |entry| entry.under(&name))
                };
                categories.iter().flat_map(of).collect()
            }
        }
    }
}

fn depth(category: &ProfileCategory) -> narrow::Depth {
    match category.answer {
        AnswerShape::Nested => 2,
        _ => 1,
    }
}

/// Every category under its name, null (or an empty list) where the user has nothing; none when
/// there is nothing anywhere.
async fn everything(ports: &Ports, scope: &Scope) -> Result<Option<Value>, SpaceError> {
    let look = |view: &SpaceView| {
        let answered = |category: &ProfileCategory| {
            let data = kept(view, category).and_then(|kept| answer::answer(category, &kept.value));
            (category.name.clone(), data)
        };
        let categories = ports.settings.profile.categories();
        categories.iter().map(answered).collect::<Vec<_>>()
    };
    let mut all = ports.spaces.read(scope.space(), look).await?;
    for (category, (_, data)) in ports.settings.profile.categories().iter().zip(&mut all) {
        if let Some(source) = &category.table {
            *data = answer::answer(category, &rows(ports, scope, source).await?);
        }
    }
    if all.iter().all(|(_, data)| data.is_none()) {
        return Ok(None);
    }
    let shown = ports.settings.profile.categories().iter().zip(all);
    let shown =
        shown.map(|(category, (name, data))| (name, data.unwrap_or_else(|| answer::nothing(category))));
    Ok(Some(Value::Object(shown.collect::<Map<String, Value>>())))
}

/// Reads the rows of a table of the deployment's own, as the user.
async fn rows(ports: &Ports, scope: &Scope, source: &TableSource) -> Result<Value, SpaceError> {
    let Some(tables) = &ports.tables else {
        let reason = format!("the table {:?} is in no database of ours", source.name);
        return Err(StoreError::Unavailable { reason }.into());
    };
    let rows = tables.rows(scope.space(), source).await?;
    Ok(Value::Array(rows.into_iter().map(Value::Object).collect()))
}

/// The entries that bear on the query, by their words or their meaning; none when nothing is near.
/// A query that only names the category asks for all of it.
async fn narrowed(ports: &Ports, data: Value, shown: Shown<'_>, query: &str) -> Option<Value> {
    if shown.is_named_by(query) {
        return Some(data);
    }
    let entries = shown.entries(&data);
    let texts: Vec<&str> = entries.iter().map(|entry| entry.text.as_str()).collect();
    let ranked = text_ranking::rank_texts(ports, query, &texts).await;
    let telling: Vec<&narrow::Entry> = narrow::telling(&ranked)
        .into_iter()
        .map(|place| &entries[place])
        .collect();
    (!telling.is_empty()).then(|| narrow::retain(data, &telling))
}

/// An entry of the user's profile, to be found by a search.
#[derive(Clone, Debug, PartialEq)]
pub struct ProfileEntry {
    /// The category's name.
    pub category: String,
    /// The names or numbers that lead to it within the answer of its category.
    pub path: Vec<String>,
    pub value: Value,
    /// What it is found by.
    pub text: String,
    /// Whose words it is: the user's, or an import's.
    pub trust: Origin,
}

/// Lists every entry that the categories answer with.
pub fn entries(view: &SpaceView, catalogue: &Catalogue) -> Vec<ProfileEntry> {
    let mut all = Vec::new();
    for category in catalogue.categories() {
        let Some(data) = kept(view, category).and_then(|kept| answer::answer(category, &kept.value)) else {
            continue;
        };
        for narrow::Entry { path, text } in narrow::entries(&data, depth(category)) {
            let at = |value: &Value, step: &String| match value {
                Value::Array(rows) => rows.get(step.parse::<usize>().ok()?).cloned(),
                value => value.get(step).cloned(),
            };
            let value = path.iter().try_fold(data.clone(), |value, step| at(&value, step));
            all.push(ProfileEntry {
                category: category.name.clone(),
                path,
                value: value.unwrap_or(Value::Null),
                text: format!("{} {text}", category.name),
                trust: match is_imported(view, category) {
                    true => Origin::Import,
                    false => Origin::User,
                },
            });
        }
    }
    all
}
