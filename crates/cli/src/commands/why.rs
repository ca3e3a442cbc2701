//! `recalld why`: what a session of a coding agent was told, and why.

use std::path::Path;
use std::sync::Arc;

use clap::Args;
use recalld_memory::id::{ConversationId, MemoryId};
use recalld_memory::memory::Memory as Stored;
use recalld_memory::space::SpaceView;
use serde::Serialize;

use super::RunCommand;
use crate::arguments::examples;
use crate::coding::project::CodeProject;
use crate::coding::session_state::{Reason, SessionState};
use crate::failure::Failure;
use crate::memory_name::short_id;
use crate::output::{FAINT, NAME, Page, Show, escaped, one_line};
use crate::session::Session;

/// Shows what the last session of a coding agent here was told, and why
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld why",
    "recalld why --session 0f3c…",
    "recalld why --json",
))]
pub(crate) struct Arguments {
    /// Session to explain, as the agent names it
    #[arg(long, value_name = "ID")]
    session: Option<String>,
}

impl RunCommand for Arguments {
    async fn run(self, session: &Session) -> Result<(), Failure> {
        let data = session.config()?.data()?;
        let project = CodeProject::of(&session.path(Path::new(".")));
        let label = project.label.as_str();
        let Some(state) = SessionState::last(data, label, self.session.as_deref()) else {
            return Err(
                Failure::not_found("no session of a coding agent with hooks took place here")
                    .hint("`recalld connect --hooks` sets hooks up"),
            );
        };
        let engine = session.read().await?;
        let scope = engine.scope();
        let look = |view: &SpaceView| -> Vec<Option<Arc<Stored>>> {
            let find = |reason: &Reason| view.memory(MemoryId::parse(&reason.memory).ok()?).cloned();
            state.reasons.iter().map(find).collect()
        };
        let found = engine.ports.spaces.read(scope.space(), look).await?;
        let told = state.reasons.iter().zip(found);
        let told = told.filter_map(|(reason, memory)| memory.map(|memory| Told::of(&memory, reason.score)));
        session.output.answer(&Explained {
            conversation: ConversationId::of_session(&state.project, &state.session)?.to_string(),
            paused: state.paused,
            heard: state.captured,
            tokens: state.tokens,
            told: told.collect(),
            line: state.line(),
        })
    }
}

#[derive(Debug, Serialize)]
struct Explained {
    /// The conversation that holds what was said, by which the session can be undone.
    conversation: String,
    paused: bool,
    heard: usize,
    tokens: usize,
    told: Vec<Told>,
    #[serde(skip)]
    line: String,
}

/// A memory that was injected.
#[derive(Debug, Serialize)]
struct Told {
    id: String,
    content: String,
    project: Option<String>,
    /// How well it fits the prompt; none for what the session started with.
    score: Option<f32>,
    #[serde(skip)]
    name: String,
}

impl Told {
    fn of(memory: &Stored, score: Option<f32>) -> Told {
        Told {
            id: memory.id.to_string(),
            content: memory.content.to_string(),
            project: memory.project.as_ref().map(ToString::to_string),
            score,
            name: short_id(memory.id),
        }
    }

    fn reason(&self) -> String {
        let from = match &self.project {
            Some(_) => "of this project",
            None => "yours everywhere",
        };
        match self.score {
            Some(score) => format!("bears on a prompt (score {score:.2}), {from}"),
            None => format!("told at the start, {from}"),
        }
    }
}

impl Show for Explained {
    fn show(&self, page: &mut Page) {
        page.line(&self.line);
        for told in &self.told {
            let content = one_line(&told.content);
            page.line(format_args!("{NAME}{}{NAME:#} {}", told.name, escaped(&content)));
            page.line(format_args!("  {FAINT}{}{FAINT:#}", told.reason()));
        }
        page.line(format_args!(
            "{FAINT}undo what it taught: recalld undo --conversation {}{FAINT:#}",
            escaped(&self.conversation)
        ));
    }

    fn quiet(&self) -> String {
        self.told.iter().map(|told| format!("{}\n", told.id)).collect()
    }
}
