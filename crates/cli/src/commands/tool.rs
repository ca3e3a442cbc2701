//! `recalld tool`: calls a tool as a model would.

use clap::Args;
use recalld_agent::tools::{self, Tool, ToolError};
use recalld_index::text::tokens;
use serde_json::Value;

use super::RunCommand;
use crate::arguments::{ConversationArgs, examples};
use crate::engine::ConversationIds;
use crate::failure::{Failure, shortened};
use crate::input;
use crate::session::Session;
use crate::suggest::did_you_mean;

/// Calls a tool as a model would; with --json, prints {"text": …, "data": …}
#[derive(Debug, Args)]
#[command(after_help = examples!(
    "recalld tool search_memory '{\"query\": \"seat preference\"}'",
    "recalld tool write_memory '{\"key\": \"role\", \"value\": \"Staff engineer\", \"category\": \"work_context\", \"durability\": \"durable\"}' --json",
    "echo '{\"operation\": \"get_memory\"}' | recalld tool manage_user_memory -",
))]
pub(crate) struct Arguments {
    /// Name of the tool; `recalld tools` lists all tools
    name: String,

    /// Arguments of the tool as one JSON object; `-` reads them from standard input
    #[arg(default_value = "{}", value_name = "JSON")]
    arguments: String,

    #[command(flatten)]
    conversation: ConversationArgs,
}

impl RunCommand for Arguments {
    async fn run(self, session: &Session) -> Result<(), Failure> {
        let tool = find(&self.name)?;
        let ids = ConversationIds::try_from(self.conversation)?;
        let arguments = parse(&input::json(self.arguments)?)?;
        tokens::warm_up();
        let engine = match tool.hints.read_only {
            true => session.read().await?,
            false => session.write().await?,
        };
        let answer = tool
            .call(&engine.ports, &engine.scope_in(&ids), arguments)
            .await
            .map_err(refused)?;
        if session.output.is_json() {
            return session.output.json(&answer.to_json());
        }
        let mut page = session.output.page();
        page.quote(&answer.text, 0);
        session.output.styled(page.text())
    }
}

fn find(name: &str) -> Result<&'static Tool, Failure> {
    tools::find(name).ok_or_else(|| {
        let guess = did_you_mean(name, tools::all().iter().map(|tool| tool.name));
        let hint = guess.unwrap_or_else(|| "`recalld tools` lists all tools".to_owned());
        Failure::bad_input("unknown_tool", format!("unknown tool {:?}", shortened(name))).hint(hint)
    })
}

fn parse(text: &str) -> Result<Value, Failure> {
    serde_json::from_str(text).map_err(|error| {
        let message = format!("the arguments are not valid JSON: {error}");
        Failure::bad_input("invalid_json", message).hint("quote the JSON for the shell: '{\"query\": \"…\"}'")
    })
}

fn refused(error: ToolError) -> Failure {
    match error {
        ToolError::Arguments { message } => Failure::bad_input("invalid_arguments", message)
            .hint("nothing was changed; `recalld tools --format mcp` shows the parameters of each tool"),
        ToolError::Space(space) => space.into(),
    }
}
