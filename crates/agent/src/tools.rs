//! The tools that models call: one file a tool, with its arguments, description and handler
//! together.
//!
//! A tool never takes a user id: the user comes with the scope. What a model reads is `text`;
//! `data` is for the program around it. To add a tool, write its file and name it in [`all`].

mod answer;
mod arguments;
mod code;
mod export;
mod listing;
mod words;

mod delete_memory;
mod get_account_context;
mod get_conversation_history;
mod get_memory_context;
mod get_user_context;
mod manage_user_memory;
mod memory;
mod read_memory;
mod recall_memory;
mod search_knowledge_base;
mod search_memory;
mod store_memory;
mod update_memory;
mod write_memory;

use std::borrow::Cow;
use std::time::Instant;

use futures::future::BoxFuture;
use serde_json::Value;

pub use answer::{ToolAnswer, ToolError};
pub use export::{Format, export};
pub use memory::Args as MemoryFileArgs;

use recalld_memory::scope::Scope;
use recalld_memory::screening::invisible::visible;
use recalld_memory::settings::Settings;
use recalld_memory::trace::{OpenSpan, SpanKind};
use recalld_memory::wiring::Ports;

/// Every tool there is, in the order in which they are shown.
pub fn all() -> &'static [Tool] {
    const ALL: &[Tool] = &[
        get_user_context::TOOL,
        get_account_context::TOOL,
        manage_user_memory::TOOL,
        write_memory::TOOL,
        read_memory::TOOL,
        search_memory::TOOL,
        get_memory_context::TOOL,
        update_memory::TOOL,
        delete_memory::TOOL,
        store_memory::TOOL,
        recall_memory::TOOL,
        get_conversation_history::TOOL,
        search_knowledge_base::TOOL,
        memory::TOOL,
    ];
    ALL
}

/// Gives the tools of `sets`; all, when none is named.
pub fn of_sets(sets: &[ToolSet]) -> impl Iterator<Item = &'static Tool> {
    let shown = |tool: &&Tool| sets.is_empty() || sets.iter().any(|set| set.shows(tool));
    all().iter().filter(shown)
}

/// Finds a tool by its name.
pub fn find(name: &str) -> Option<&'static Tool> {
    all().iter().find(|tool| tool.name == name)
}

/// A group of tools that a deployment shows together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ToolSet {
    /// What is known of the user by category, and of companies.
    Context,
    /// One tool over the user's memory document.
    Document,
    /// Keyed memories: write, read, search, update, delete.
    Storage,
    /// Memories without keys: store and recall.
    Semantic,
    /// What was said before.
    History,
    /// Documents that all users may search.
    Knowledge,
    /// Files of notes.
    Files,
}

impl ToolSet {
    /// All sets.
    pub const ALL: [ToolSet; 7] = [
        ToolSet::Context,
        ToolSet::Document,
        ToolSet::Storage,
        ToolSet::Semantic,
        ToolSet::History,
        ToolSet::Knowledge,
        ToolSet::Files,
    ];

    /// Gives the set's name.
    pub fn as_str(self) -> &'static str {
        match self {
            ToolSet::Context => "context",
            ToolSet::Document => "document",
            ToolSet::Storage => "storage",
            ToolSet::Semantic => "semantic",
            ToolSet::History => "history",
            ToolSet::Knowledge => "knowledge",
            ToolSet::Files => "files",
        }
    }

    /// What an MCP client is shown unless a deployment names sets: write, search, list, update,
    /// delete, context and history, in seven tools.
    pub const EVERYDAY: [ToolSet; 2] = [ToolSet::Storage, ToolSet::History];

    /// Tells whether the set shows `tool`. Sets whose tools show memories can also correct and
    /// forget them.
    pub fn shows(self, tool: &Tool) -> bool {
        let corrects = ["update_memory", "delete_memory"].contains(&tool.name);
        tool.set == self || (corrects && matches!(self, ToolSet::Context | ToolSet::Semantic))
    }

    /// Reads a set's name.
    pub fn parse(raw: &str) -> Option<ToolSet> {
        ToolSet::ALL.into_iter().find(|set| set.as_str() == raw)
    }
}

/// What a client may assume about a tool before it calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hints {
    pub read_only: bool,
    /// Whether it may hide or replace something.
    pub destructive: bool,
    /// Whether calling it twice is the same as calling it once.
    pub idempotent: bool,
}

impl Hints {
    const READS: Hints = Hints {
        read_only: true,
        destructive: false,
        idempotent: true,
    };
    const ADDS: Hints = Hints {
        read_only: false,
        destructive: false,
        idempotent: true,
    };
    const CHANGES: Hints = Hints {
        read_only: false,
        destructive: true,
        idempotent: true,
    };
}

/// A tool as one definition, from which every shape is exported.
#[derive(Clone, Copy)]
pub struct Tool {
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    pub set: ToolSet,
    /// What the model is told about it.
    pub description: &'static str,
    pub hints: Hints,
    schema: fn(&Settings) -> Value,
    run: for<'a> fn(&'a Ports, &'a Scope, Value) -> BoxFuture<'a, Result<ToolAnswer, ToolError>>,
}

impl Tool {
    /// Gives the JSON Schema of its arguments, as a deployment with `settings` has it.
    pub fn schema(&self, settings: &Settings) -> Value {
        (self.schema)(settings)
    }

    /// Runs it for the user of `scope`. Arguments that do not fit change nothing.
    pub async fn call(
        &self,
        ports: &Ports,
        scope: &Scope,
        arguments: Value,
    ) -> Result<ToolAnswer, ToolError> {
        let began = Instant::now();
        let mut span = OpenSpan::begin(SpanKind::Internal, || format!("execute_tool {}", self.name));
        let source = arguments
            .get("source")
            .and_then(Value::as_str)
            .unwrap_or("-")
            .to_owned();
        let mut answer = match arguments::check(&arguments, &self.schema(&ports.settings)) {
            Ok(()) => span.around((self.run)(ports, scope, arguments)).await,
            Err(error) => Err(error),
        };
        if let Ok(answer) = &mut answer
            && let Cow::Owned(shown) = visible(&answer.text)
        {
            answer.text = shown;
        }
        span.set("gen_ai.operation.name", "execute_tool");
        span.set("gen_ai.tool.name", self.name);
        if let Err(error) = &answer {
            span.fail(error.code());
        }
        let outcome = match &answer {
            Ok(answer) => answer
                .data
                .get("outcome")
                .and_then(Value::as_str)
                .unwrap_or("ok")
                .to_owned(),
            Err(error) => error.code().to_owned(),
        };
        tracing::info!(
            target: "recalld::tools",
            tool = self.name,
            user = %scope.user(),
            conversation = scope.conversation.as_ref().map_or("-", |id| id.as_str()),
            source = %recalld_index::text::plain::shorten(&source, 80),
            outcome,
            micros = began.elapsed().as_micros() as u64,
            "tool called"
        );
        answer
    }
}

impl std::fmt::Debug for Tool {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tool")
            .field("name", &self.name)
            .field("set", &self.set)
            .finish_non_exhaustive()
    }
}
