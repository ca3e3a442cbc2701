//! `manage_user_memory`: one tool over the user's memory document.

use recalld_memory::entities::{self, AddError, Added, NewEntity};
use recalld_memory::entity::{EntityKind, EntityName};
use recalld_memory::id::{EntityId, MemoryId};
use recalld_memory::memory::{Content, Memory, Origin};
use recalld_memory::remember::{self, RememberError, Remembered, Statement};
use recalld_memory::retire::{self, Retired};
use recalld_memory::scope::Scope;
use recalld_memory::space::SpaceView;
use recalld_memory::target::Target;
use recalld_memory::wiring::Ports;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::arguments::{invalid, read, schema_of};
use super::{Hints, Tool, ToolAnswer, ToolError, ToolSet, listing};

pub(super) const TOOL: Tool = Tool {
    name: "manage_user_memory",
    title: "Manage the user's memory",
    set: ToolSet::Document,
    description: include_str!("manage_user_memory.md"),
    hints: Hints::CHANGES,
    schema: |_| schema_of::<Args>(),
    run: |ports, scope, arguments| Box::pin(async move { run(ports, scope, read(arguments)?).await }),
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// What to do
    operation: Operation,
    /// For add_fact: the fact to remember, 1 to 500 characters
    #[schemars(length(min = 1, max = 500))]
    content: Option<String>,
    /// For deactivate_fact: the id of the fact
    fact_id: Option<String>,
    /// For add_poi: an id for the place, such as a map's place id
    place_id: Option<String>,
    /// For add_poi: the name of the place
    place_name: Option<String>,
    /// For add_poi: what to know about the place
    notes: Option<String>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Operation {
    AddFact,
    DeactivateFact,
    AddPoi,
    GetMemory,
}

async fn run(ports: &Ports, scope: &Scope, args: Args) -> Result<ToolAnswer, ToolError> {
    args.fit()?;
    match args.operation {
        Operation::AddFact => add_fact(ports, scope, &args.content.unwrap_or_default()).await,
        Operation::DeactivateFact => deactivate_fact(ports, scope, &args.fact_id.unwrap_or_default()).await,
        Operation::AddPoi => add_place(ports, scope, args).await,
        Operation::GetMemory => get_memory(ports, scope).await,
    }
}

impl Args {
    /// Checks that each argument belongs to the operation and that what it needs is there.
    fn fit(&self) -> Result<(), ToolError> {
        use Operation::{AddFact, AddPoi, DeactivateFact, GetMemory};
        let (operation, needs, takes): (&str, &[&str], &[&str]) = match self.operation {
            AddFact => ("add_fact", &["content"], &["content"]),
            DeactivateFact => ("deactivate_fact", &["fact_id"], &["fact_id"]),
            AddPoi => (
                "add_poi",
                &["place_id", "place_name"],
                &["place_id", "place_name", "notes"],
            ),
            GetMemory => ("get_memory", &[], &[]),
        };
        let given = [
            ("content", &self.content),
            ("fact_id", &self.fact_id),
            ("place_id", &self.place_id),
            ("place_name", &self.place_name),
            ("notes", &self.notes),
        ];
        for (name, value) in given {
            // Models in strict mode fill what they do not use with null or nothing.
            let said = value.as_deref().is_some_and(|value| !value.is_empty());
            if said && !takes.contains(&name) {
                return Err(ToolError::arguments(format!(
                    "argument \"{name}\" does not belong to {operation}"
                )));
            }
            if value.is_none() && needs.contains(&name) {
                return Err(ToolError::arguments(format!(
                    "{operation} needs the argument \"{name}\""
                )));
            }
        }
        Ok(())
    }
}

async fn add_fact(ports: &Ports, scope: &Scope, content: &str) -> Result<ToolAnswer, ToolError> {
    let content = Content::new(content).map_err(|e| invalid("content")(&e))?;
    let characters = content.as_str().chars().count();
    if Memory::FACT_CHARS_MAX < characters {
        let limit = Memory::FACT_CHARS_MAX;
        let message = format!("argument \"content\": is {characters} characters, over the limit of {limit}");
        return Err(ToolError::arguments(message));
    }
    let statement = Statement {
        origin: Origin::Assistant,
        ..Statement::plain(content)
    };
    match remember::remember(ports, scope, statement).await {
        Ok(Remembered::Stored { memory, evicted, .. }) => {
            // The count is for the caller; a model that is told of evictions starts to tidy by
            // itself.
            let data = json!({ "fact_id": memory.id.to_string(), "memory": listing::data(&memory), "evicted": evicted });
            Ok(ToolAnswer::new(
                "stored",
                format!("Remembered (fact_id {}).", memory.id.short()),
                data,
            ))
        }
        Ok(Remembered::Duplicate { of, .. }) => {
            let text = format!("That is remembered already (fact_id {}).", of.id.short());
            Ok(ToolAnswer::new(
                "duplicate",
                text,
                json!({ "duplicate_of": listing::data(&of), "evicted": 0 }),
            ))
        }
        Err(RememberError::Secret(secret)) => Ok(ToolAnswer::refused(secret)),
        Err(RememberError::Space(error)) => Err(error.into()),
    }
}

async fn deactivate_fact(ports: &Ports, scope: &Scope, fact_id: &str) -> Result<ToolAnswer, ToolError> {
    let target = match MemoryId::may_end_in(fact_id) {
        true => Target::parse(fact_id),
        false => Target::Id(MemoryId::parse(fact_id).map_err(|e| invalid("fact_id")(&e))?),
    };
    Ok(
        match retire::retire_by_tool(ports, scope, target, TOOL.name).await? {
            Retired::Hidden(memory) => ToolAnswer::new(
                "deactivated",
                format!("Deactivated: {}", recalld_memory::render::memory_line(&memory)),
                json!({ "fact_id": memory.id.to_string(), "memory": listing::data(&memory) }),
            ),
            Retired::NotFound | Retired::Stale(_) => {
                let text =
                    "There is no active fact with that id. Use get_memory to see the facts with their ids.";
                ToolAnswer::new("not_found", text, json!({ "fact_id": fact_id }))
            }
        },
    )
}

async fn add_place(ports: &Ports, scope: &Scope, args: Args) -> Result<ToolAnswer, ToolError> {
    let notes = args.notes.filter(|notes| !notes.trim().is_empty());
    let new = NewEntity {
        id: EntityId::new(args.place_id.unwrap_or_default()).map_err(|e| invalid("place_id")(&e))?,
        kind: EntityKind::Place,
        name: EntityName::new(&args.place_name.unwrap_or_default()).map_err(|e| invalid("place_name")(&e))?,
        notes: notes
            .map(|notes| Content::new(&notes))
            .transpose()
            .map_err(|e| invalid("notes")(&e))?,
        origin: Origin::Assistant,
    };
    let added = match entities::add(ports, scope, new).await {
        Ok(added) => added,
        Err(AddError::Secret(secret)) => return Ok(ToolAnswer::refused(secret)),
        Err(AddError::Space(error)) => return Err(error.into()),
    };
    let (outcome, verb) = match added {
        Added::New(_) => ("stored", "Remembered"),
        Added::Revised(_) => ("updated", "Updated"),
        Added::Unchanged(_) => ("unchanged", "Known already"),
        Added::Kept(_) => (
            "kept",
            "Known in the user's own words, which stay as they are; use add_fact to note something beside it",
        ),
    };
    let place = added.entity();
    let text = format!("{verb}: {}", recalld_memory::render::place_line(place));
    let data = json!({ "place_id": place.id.as_str(), "conversations": place.conversations() });
    Ok(ToolAnswer::new(outcome, text, data))
}

async fn get_memory(ports: &Ports, scope: &Scope) -> Result<ToolAnswer, ToolError> {
    let text = ports
        .spaces
        .read(scope.space(), |view: &SpaceView| {
            view.document(scope.lens()).to_json()
        })
        .await?;
    let document: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    Ok(ToolAnswer::new("ok", text, json!({ "document": document })))
}
